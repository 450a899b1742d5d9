"""Writes packages/gate/judging/closures.ts: on which weekdays exchanges were closed, by the library exchange_calendars.

Run it in a virtual environment with `pip install exchange_calendars`, once a year:
    python tools/closures/make-closures.py packages/gate/judging/closures.ts
"""

import sys
from importlib.metadata import version

import exchange_calendars as calendars
import pandas as pd

NAMES = {
    "XNYS": "New York", "XTSE": "Toronto", "BVMF": "Sao Paulo", "XMEX": "Mexico", "XLON": "London",
    "XPAR": "Paris", "XAMS": "Amsterdam", "XFRA": "Frankfurt", "XMAD": "Madrid", "XMIL": "Milan", "XSWX": "Zurich",
    "XSTO": "Stockholm", "XHEL": "Helsinki", "XOSL": "Oslo", "XWAR": "Warsaw", "XIST": "Istanbul", "XTKS": "Tokyo",
    "XHKG": "Hong Kong", "XSHG": "Shanghai", "XTAI": "Taipei", "XKRX": "Seoul", "XSES": "Singapore",
    "XBOM": "Mumbai", "XASX": "Sydney", "XNZE": "Wellington", "XJSE": "Johannesburg", "XPHS": "Manila",
    "XIDX": "Jakarta", "XBKK": "Bangkok", "XKLS": "Kuala Lumpur", "XMOS": "Moscow", "XDUB": "Dublin",
    "XSAU": "Riyadh", "XCSE": "Copenhagen", "XKAR": "Karachi", "XWBO": "Vienna", "XBUE": "Buenos Aires", "XSGO": "Santiago",
    "XLIS": "Lisbon", "XPRA": "Prague", "XBUD": "Budapest", "XBOG": "Bogota",
}

# Closed for a rainstorm, for Id-E-Milad, and after sanctions, which the library lacks.
MORE = {
    "XHKG": ["2023-09-08"],
    "XBOM": ["1997-07-18"],
    "XMOS": [str(each)[:10] for each in pd.bdate_range("2022-02-28", "2022-03-23")],
}
STARTS = ["1970-01-01", "1990-01-01", "1995-01-01", "1997-01-01", "2000-01-01", None]


def open_calendar(code):
    # Tables of New York are the only ones that often begin before 1970.
    for start in ["1950-01-01", *STARTS] if code == "XNYS" else STARTS:
        try:
            return calendars.get_calendar(code, start=start) if start else calendars.get_calendar(code)
        except Exception:
            continue
    return None


def day(time):
    return int(time.timestamp()) // 86400


def encode(days, last):
    """Steps between days, from a first one on, each as one digit of base 36 or, behind a dash, as several up to a dash."""
    text = ""
    for each in sorted(days):
        step, last = each - last, each
        digits = ""
        while step or not digits:
            digits, step = "0123456789abcdefghijklmnopqrstuvwxyz"[step % 36] + digits, step // 36
        text += digits if len(digits) == 1 else f"-{digits}-"
    return text


lines = []
for code, name in NAMES.items():
    calendar = open_calendar(code)
    if calendar is None:
        print(f"{code}: none", file=sys.stderr)
        continue
    sessions = calendar.sessions
    days = pd.date_range(sessions[0], sessions[-1])
    # A weekday with a session in every second week and more; the week of some markets begins on Sunday.
    counts = sessions.day_of_week.value_counts()
    weekdays = days[days.day_of_week.isin(counts[counts > len(days) / 14].index)]
    missed = weekdays.difference(sessions).union(pd.DatetimeIndex(MORE.get(code, [])))
    closed = [day(each) for each in missed]
    short = [day(each) for each in calendar.early_closes]
    first, last = day(sessions[0]), day(sessions[-1])
    # An early close may come before the first session that is known.
    short = [each for each in short if each >= first]
    lines.append(f"  ['{name}', {first}, {last}, '{encode(closed, first)}', '{encode(short, first)}'],")

with open(sys.argv[1], "w") as file:
    file.write(f"""/**
 * Lists, for exchanges, the first and last day that is known, since 1970-01-01, the weekdays on which they were closed, and
 * those of short sessions, as steps from the first day on in base 36. Written by tools/closures/make-closures.py from exchange_calendars
 * {version("exchange_calendars")}, which is under the Apache License 2.0.
 */
export const closureTexts: readonly (readonly [
  name: string,
  from: number,
  to: number,
  closed: string,
  short: string,
])[] = [
""")
    file.write("\n".join(lines))
    file.write("\n];\n")
