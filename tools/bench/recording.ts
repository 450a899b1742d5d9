import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { intervalSeconds, intervals, type WorldInterval } from '@candleproof/law/worlds/world';

/** A row of an answer. */
type Row = ReturnType<typeof five>;

/** A Monday. */
const start = Date.parse('2020-03-02T00:00:00Z') / 1000;

type Series = {
  readonly interval: WorldInterval;
  readonly inverted: boolean;
  readonly rows: readonly Row[];
};

/** The USD price of a hundred million tinybars, at which all amounts are converted. */
const coinUsd = 0.04813;

/** Makes a five-minute candle from the prices of its minutes. */
function five(row: number, inverted: boolean) {
  const prices = [0, 1, 2, 3, 4].map((at) => {
    const price = 0.0482 + 0.003 * Math.sin((row * 5 + at) / 200) + 0.00001 * Math.sin((row * 5 + at) * 7.1);
    return inverted ? 1 / price : price;
  });
  const volume = 118_640_000_000 + (row % 90) * 20_800_000;
  return {
    poolId: 1,
    open: prices[0] ?? 0,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices[4] ?? 0,
    avg: prices.reduce((sum, price) => sum + price, 0) / 5,
    volume: String(volume),
    liquidity: String(9_668_737_245_792 + row),
    volumeUsd: ((volume / 1e8) * coinUsd).toFixed(2),
    liquidityUsd: '4653.53',
    timestampSeconds: start + (row + 1) * 300,
    startTimestampSeconds: start + row * 300,
  };
}

/** Rolls candles up to the next longer interval, without an incomplete last one. */
function longer(parts: readonly Row[], interval: WorldInterval): Row[] {
  const [first, second] = parts;
  if (!first || !second) return [];
  const count = intervalSeconds[interval] / (second.startTimestampSeconds - first.startTimestampSeconds);
  return Array.from({ length: Math.floor(parts.length / count) }, (_, at) =>
    makeCandle(parts.slice(at * count, (at + 1) * count)),
  );
}

function makeCandle(parts: readonly Row[]): Row {
  const [first, last] = [parts[0], parts.at(-1)] as [Row, Row];
  const cents = parts.reduce((sum, part) => sum + Math.round(Number(part.volumeUsd) * 100), 0);
  return {
    ...last,
    open: first.open,
    high: Math.max(...parts.map((part) => part.high)),
    low: Math.min(...parts.map((part) => part.low)),
    avg: parts.reduce((sum, part) => sum + part.avg, 0) / parts.length,
    volume: String(parts.reduce((sum, part) => sum + BigInt(part.volume), 0n)),
    volumeUsd: (cents / 100).toFixed(2),
    startTimestampSeconds: first.startTimestampSeconds,
  };
}

function makeSeries(count: number, inverted: boolean): Series[] {
  let rows = Array.from({ length: count }, (_, row) => five(row, inverted));
  const all: Series[] = [{ interval: 'FIVEMIN', inverted, rows }];
  for (const interval of intervals.slice(1)) {
    rows = longer(rows, interval);
    if (rows.length > 0) all.push({ interval, inverted, rows });
  }
  return all;
}

/** Makes a recording of five-minute candles of one pool with all roll-ups. */
export function longRecording(count: number): Recording {
  const whole = [...makeSeries(count, false), ...makeSeries(count, true)];
  const hours = whole.find(({ interval }) => interval === 'HOUR')?.rows ?? [];
  const middle = hours.length >> 1;
  const halves = [hours.slice(0, middle + 2), hours.slice(Math.max(0, middle - 2))].map(
    (rows): Series => ({ interval: 'HOUR', inverted: false, rows }),
  );
  return makeRecording([...whole, ...halves]);
}

/** Makes a recording of a single answer of five-minute candles. */
export function singleAnswer(count: number): Recording {
  return makeRecording(makeSeries(count, false).slice(0, 1));
}

function makeRecording(all: readonly Series[]): Recording {
  const target = {
    name: 'bench',
    baseUrl: 'https://target.invalid',
    pools: { v1: [], v2: [1] },
    keyless: false,
    soleUser: true,
  };
  const end = Math.max(...all.flatMap(({ rows }) => rows.at(-1)?.timestampSeconds ?? 0));
  return { target, seed: 1, exchanges: all.map((series, at) => makeExchange(series, at, end + 3600)) };
}

function makeExchange({ interval, inverted, rows }: Series, place: number, now: number): Exchange {
  const text = JSON.stringify(rows);
  const bytes = Buffer.byteLength(text);
  const from = rows[0]?.startTimestampSeconds;
  const to = rows.at(-1)?.timestampSeconds;
  const query = `from=${from}&to=${to}&interval=${interval}${inverted ? '&inverted=true' : ''}`;
  return {
    request: {
      method: 'GET',
      url: `https://target.invalid/v2/pools/conversionRates/1?${query}`,
      headers: [],
      credential: 'api-key',
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [
        ['date', new Date(now * 1000).toUTCString()],
        ['content-type', 'application/json'],
        ['content-length', String(bytes)],
        ['x-ratelimit-limit', '10000'],
        ['x-ratelimit-remaining', String(9000 - place)],
        ['x-ratelimit-additional-total', '0'],
        ['x-ratelimit-reset', String((now + 86_400) * 1000)],
      ],
      body: { text, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes },
    },
    timings: { total: 1 },
    startedAt: new Date(now * 1000 + place * 10).toISOString(),
  };
}
