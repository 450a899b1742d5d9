# Python's requests with urllib3's Retry as its documentation sets it up.
import os, time

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

base = os.environ["CANDLEPROOF_BASE_URL"]
pools = os.environ["CANDLEPROOF_POOLS_V1"].split(",")[:3]
session = requests.Session()
session.headers["x-api-key"] = os.environ["CANDLEPROOF_API_KEY"]
retry = Retry(total=6, backoff_factor=0.5, status_forcelist=[429, 503])
session.mount(base, HTTPAdapter(max_retries=retry))

while True:
    for interval in ["FIVEMIN", "HOUR", "DAY", "WEEK"]:
        for pool in pools:
            session.get(f"{base}/pools/conversionRates/latest/{pool}", params={"interval": interval}).raise_for_status()
            time.sleep(0.6)
