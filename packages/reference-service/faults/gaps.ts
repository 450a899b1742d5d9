import type { RequestContext } from '../api/distortion.ts';
import type { CandleRecord } from '../api/records.ts';
import { bucketStart, LENGTH, MONDAY } from '../market/candle.ts';
import { shiftTimes } from './bending/bent-values.ts';
import { dropRows, hasInterval, isInverted, isOpen } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const DAY = 86_400;
const NOON = 43_200;

export const gapFaults = declareFaults('rows', {
  'F51 noon-is-missing': {
    title: 'the bucket at 12:00 UTC is missing from every HOUR and FIVEMIN history',
    breaks: ['history/complete'],
    make: () => dropRows(isClosedNoon),
  },
  'F181 sundays-are-missing': {
    title: 'a history of days holds no Sunday, which lies at the edge of a week',
    breaks: ['history/complete', 'history/edges-are-alike'],
    make: () =>
      dropRows((row, requested) => hasInterval('DAY')(requested) && isSunday(row.startTimestampSeconds)),
  },
  'F184 wide-minutes-are-of-their-hour': {
    title: 'FIVEMIN candles in ranges of more than a day and a half have the prices of their hour',
    breaks: ['history/closed-candles-stay', 'history/prices-are-of-their-interval'],
    make: () => ({
      rows: (rows, { poolQuery: { interval, from = 0, to = 0 } = {} }) =>
        interval === 'FIVEMIN' && to - from > 1.5 * DAY ? giveHourlyPrices(rows) : rows,
    }),
  },
  'F186 open-candle-lost-on-inversion': {
    title: 'an inverted history leaves the open candle out',
    breaks: ['history/edges-are-alike'],
    make: () => dropRows((row, requested) => isInverted(requested) && isOpen(row, requested)),
  },
  'F52 idle-buckets-omitted': {
    title: 'buckets in which nothing was traded are left out',
    breaks: ['history/complete'],
    alters: ['history/quiet-intervals'],
    make: () => dropRows(({ volume }) => volume === '0'),
  },
  'F53 noon-is-a-copy': {
    title: 'the bucket at 12:00 UTC repeats the values of the one before, its volume too',
    breaks: ['rollup/volume-is-summed'],
    make: () => ({
      rows: (rows, requested) =>
        rows.map((row, index) =>
          isClosedNoon(row, requested) ? copyValues(rows[index - 1] ?? row, row) : row,
        ),
    }),
  },
  'F54 noon-is-zero': {
    title: 'the bucket at 12:00 UTC holds zeros, as prices too',
    breaks: ['candle/prices-are-positive', 'rollup/low-is-the-lowest'],
    make: () => ({
      rows: (rows, requested) =>
        rows.map((row) => (isClosedNoon(row, requested) ? { ...row, ...ZEROS } : row)),
    }),
  },
  'F55 row-at-the-seam-twice': {
    title: 'where one page of a hundred rows follows another, a row comes twice',
    breaks: ['history/one-candle-per-interval'],
    sizes: { unit: 'rows on a page', usual: 100, scale: [10_000, 1000, 100] },
    make: (size) => ({
      rows: (rows) =>
        rows.flatMap((row, index) => (index > 0 && index % Math.round(size) === 0 ? [row, row] : [row])),
    }),
  },
  'F56 pages-out-of-order': {
    title: 'the second half of a history comes before the first',
    breaks: ['history/one-order'],
    make: () => ({
      rows: (rows) => {
        const half = Math.floor(rows.length / 2);
        return [...rows.slice(half), ...rows.slice(0, half)];
      },
    }),
  },
  'F57 rows-are-made-up': {
    title: 'whole buckets of the range without data are made up, before the pool was born and in the future',
    breaks: ['history/nothing-before-birth-or-after-now'],
    make: () => ({ rows: fabricateRows }),
  },
  'F148 half-an-hour-is-skipped': {
    title: 'HOUR rows of more than six days ago begin half an hour early',
    breaks: ['history/contiguous'],
    make: () => ({
      rows: (rows, { poolQuery, now }) => {
        const before = Math.floor(now / 1000 / DAY - 6) * DAY;
        if (poolQuery?.interval !== 'HOUR') return rows;
        return rows.map((row) => (row.startTimestampSeconds < before ? shiftTimes(row, -1800) : row));
      },
    }),
  },
  'F192 five-minutes-of-two-days': {
    title: 'FIVEMIN rows of more than two days ago are not kept',
    breaks: ['history/intervals-begin-together'],
    sizes: { unit: 'days', usual: 2, scale: [20, 10, 5, 2] },
    make: (days) =>
      dropRows(
        ({ startTimestampSeconds: start }, requested) =>
          hasInterval('FIVEMIN')(requested) && start < requested.now / 1000 - days * DAY,
      ),
  },
  'F149 days-begin-after-their-hours': {
    title: 'all before the sixth day ago was deleted, and one day more of the DAY rows',
    breaks: ['rollup/parents-and-parts'],
    make: () =>
      dropRows((row, requested) => {
        const kept = Math.floor(requested.now / 1000 / DAY - 6) * DAY;
        return row.timestampSeconds <= (hasInterval('DAY')(requested) ? kept + DAY : kept);
      }),
  },
});

const ZEROS = {
  open: 0,
  high: 0,
  low: 0,
  close: 0,
  avg: 0,
  volume: '0',
  liquidity: '0',
  volumeUsd: '0',
  liquidityUsd: '0',
} as const;

function isClosedNoon({ startTimestampSeconds: start }: CandleRecord, requested: RequestContext): boolean {
  const { poolQuery, now } = requested;
  if (poolQuery?.interval !== 'HOUR' && poolQuery?.interval !== 'FIVEMIN') return false;
  return start % DAY === NOON && start <= now / 1000 - LENGTH[poolQuery.interval];
}

function copyValues(values: CandleRecord, times: CandleRecord): CandleRecord {
  const { startTimestampSeconds, timestampSeconds } = times;
  return { ...values, startTimestampSeconds, timestampSeconds };
}

const MOST_MADE_UP = 1000;

/** Adds up to a thousand flat rows for complete buckets of the range that have no row. */
function fabricateRows(rows: readonly CandleRecord[], requested: RequestContext): CandleRecord[] {
  const { poolQuery } = requested;
  if (poolQuery?.from === undefined || poolQuery.to === undefined) return [...rows];
  const { poolId, interval, from, to } = poolQuery;
  const length = LENGTH[interval];
  const known = new Map(rows.map((row) => [row.startTimestampSeconds, row]));
  const made = [...rows];
  let start = bucketStart(from + length - 1, interval, MONDAY);
  for (let left = MOST_MADE_UP; left > 0 && start + length <= to; start += length) {
    if (known.has(start)) continue;
    made.push(flatCandle({ poolId, start, end: start + length, price: rows[0]?.open ?? 1 }));
    left -= 1;
  }
  return made.sort((a, b) => a.startTimestampSeconds - b.startTimestampSeconds);
}

function flatCandle(row: { poolId: number; start: number; end: number; price: number }): CandleRecord {
  const { poolId, start, end, price } = row;
  return {
    poolId,
    open: price,
    high: price,
    low: price,
    close: price,
    avg: price,
    volume: '0',
    liquidity: '0',
    volumeUsd: '0',
    liquidityUsd: '0',
    timestampSeconds: end,
    startTimestampSeconds: start,
  };
}

function isSunday(seconds: number): boolean {
  return new Date(1000 * seconds).getUTCDay() === 0;
}

function giveHourlyPrices(rows: readonly CandleRecord[]): CandleRecord[] {
  const hours = Map.groupBy(rows, (row) => bucketStart(row.startTimestampSeconds, 'HOUR', 0));
  return [...hours.values()].flatMap((parts) => {
    const [high, low] = [Math.max(...parts.map((row) => row.high)), Math.min(...parts.map((row) => row.low))];
    const prices = { open: parts[0]?.open ?? low, high, low, close: parts.at(-1)?.close ?? high };
    return parts.map((row) => ({ ...row, ...prices }));
  });
}
