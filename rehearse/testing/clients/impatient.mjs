// Requests the latest candles in turn and repeats at once whatever is refused.
const {
  CANDLEPROOF_BASE_URL: base,
  CANDLEPROOF_API_KEY: key,
  CANDLEPROOF_POOLS_V1: pools = '',
} = process.env;
const [pool] = pools.split(',');

for (let at = 0; ; at += 1) {
  const interval = ['HOUR', 'DAY', 'WEEK', 'FIVEMIN'][at % 4];
  const response = await fetch(`${base}/pools/conversionRates/latest/${pool}?interval=${interval}`, {
    headers: { 'x-api-key': key },
  });
  await response.arrayBuffer();
  if (response.ok) await new Promise((resolve) => setTimeout(resolve, 400));
  else await new Promise((resolve) => setTimeout(resolve, 30));
}
