import { guessUnit, parseTime } from '@candleproof/document/layout/written-times';

/** Roles of parameters that names show. */
export type NamedParameter = 'pool' | 'interval' | 'from' | 'to' | 'limit';

const when = '([-_]?(time|times|date|day|at|on|timestamp|ts|datetime|iso|ms|utc|unix|epoch))?';

const patterns: Readonly<Record<NamedParameter, RegExp>> = {
  interval:
    /^(interval|granularity|resolution|time_?frame|tf|period|bar|type|step|(candle|kline|bar|interval|k)_?(type|size|interval|period|length)|unit|frequency|freq|timespan|(re)?sample_?freq(uency)?|bin_?size|bucket(_?size)?|aggregation)$/i,
  from: new RegExp(
    `^(from|start|starts|since|after|begin|begins|min|gte|oldest)${when}$|^(time|period|date|ts|range)[-_]?(start|from|begin|min)$|^period1$`,
    'i',
  ),
  to: new RegExp(
    `^(to|end|ends|until|till|before|max|lte|latest)${when}$|^(time|period|date|ts|range)[-_]?(end|to|until|max)$|^period2$`,
    'i',
  ),
  limit:
    /^(limit|max|count|size|num(ber)?|n|bars|candles|klines|rows|records|points|data_?points|items|top|first|count_?back|output_?size|max_?(results|rows|count|points|items)|(per_?)?page_?(size|limit)|per_?page|take|(row|candle|bar|result|item)s?_?(count|limit))$/i,
  pool: /^(.*symbols?|.*pairs?|.*tickers?|.*(market|instrument|inst|product|pool|coin|asset|contract|token|security)(_?(id|ids|name|code|address|symbol))?|[ft]syms?|s|id|code|address)$/i,
};

/** Returns the role that a name suggests, the most particular first; undefined for none. Members of a body have dots. */
export function nameRole(name: string): NamedParameter | undefined {
  const found = Object.entries(patterns).find(([, pattern]) => pattern.test(lastPart(name)));
  return found?.[0] as NamedParameter | undefined;
}

/** Returns whether a name may be that of a number of rows; `max` may also be that of a time. */
export function isLimitName(name: string): boolean {
  return patterns.limit.test(lastPart(name));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** 1971 and 2200. */
const [earliest, latest] = [31_536_000, 7_258_118_400];

/** Reads a parameter's value as Unix seconds; undefined if it is no time of candles. */
export function readGivenTime(value: string, isNamed = false): number | undefined {
  // Eight digits are a count of something rather than a day, unless dashes part them or the name says so.
  if ((/^\d{8}$/.test(value) && !isNamed) || !/\d{4}/.test(value)) return undefined;
  const time = parseTime(value, guessUnit([value]) ?? 'dmy');
  return time > earliest && time < latest ? time : undefined;
}

/** A word of a path that a market's name follows. */
const collection =
  /^(pools?|products?|tickers?|instruments?|coins?|markets?|symbols?|pairs?|stocks?|tokens?|assets?|contracts?|securities|currenc(y|ies)|ids?|perpetual_?markets?)$/i;
const other =
  /^(v?\d(\.\d+)*|v\d+|api|public|rest|data|info)$|histor|candle|ohlc|kline|chart|bars|hist|\.(json|csv|php|do|aspx?|html?)$/i;
const quote = '(usdt?|usdc|eur|gbp|jpy|btc|eth|krw|try|dai)';
/** Further currencies, which end no word of a path behind a separator. */
const currency =
  '(aed|aud|brl|cad|chf|clp|cny|cop|czk|hkd|idr|inr|kzt|mxn|myr|ngn|nzd|php|pln|rub|sgd|thb|twd|uah|vnd|zar)';
const forms = [
  /^0x[0-9a-f]{8,}$|^[A-Za-z0-9]{32,}$/i,
  /^(?=.*[A-Z]{2})[A-Z0-9]{2,}([-_:/.][A-Z0-9]+)*$/,
  /^[a-z0-9]{1,12}\.[a-z]{1,4}$/,
  new RegExp(`^[a-z0-9]{2,}[-_/](${quote}|${currency})$|^[a-z0-9]{2,9}${quote}$`, 'i'),
];

/** A number that may be a market's id: one digit is a version, and ten or more are a time. */
const numberedMarket = /^\d{2,9}$/;

/** Rates how much a text looks like a market's name or address: 2 by its form, 1 by the step of a path before it, else 0. */
export function rateMarket(text: string, before = ''): 0 | 1 | 2 {
  if (other.test(text)) return 0;
  if (forms.some((form) => form.test(text))) return 2;
  if (collection.test(text)) return 0;
  return collection.test(before) || numberedMarket.test(text) ? 1 : 0;
}
