import { bucketStart, LENGTH } from '../market/interval.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import type { StoredPool } from '../store/stored-market.ts';
import type { CandleSource } from './distortion.ts';
import type { PoolQuery, RangeQuery } from './parameters.ts';
import { candleEnd } from './records.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';

const MOST_ROWS = 10_000;

/** The rows of a range: closed ones with first <= S <= last, and the open one if it is in the range. */
export type RowsInRange = {
  readonly first: number;
  readonly last: number;
  readonly open: DatedCandle | undefined;
};

/** A query for a range, as of `now` (Unix seconds). */
export type RangeReading = {
  readonly service: Service;
  readonly candles: CandleSource;
  readonly question: PoolQuery;
  readonly range: RangeQuery;
  readonly now: number;
};

/** Finds the rows of a pool in a range, by the service's choices. Throws Refusal 400 when there are too many. */
export function rowsInRange(reading: RangeReading, pool: StoredPool): RowsInRange {
  const { service, candles, question, now } = reading;
  const { weekAnchor, openInHistory } = service.choices;
  const { interval } = question;
  const [first, last] = startsInRange(reading);
  const eldest = Math.max(first, bucketStart(pool.birth, interval, weekAnchor));
  refuseTooManyRows(Math.floor((Math.min(last, now) - eldest) / LENGTH[interval]) + 1);
  const newest = bucketStart(now, interval, weekAnchor);
  const mayReachOpen = openInHistory && newest <= reading.range.to;
  const open = mayReachOpen ? candles.at(pool.pool, interval, newest, now) : undefined;
  return { first: eldest, last, open: open && isInRange(reading, open) ? open : undefined };
}

/** Throws Refusal 400 for more rows than one reply may contain. */
export function refuseTooManyRows(rows: number): void {
  if (rows <= MOST_ROWS) return;
  const complaint = { in: 'query', name: 'to', reason: `makes more than ${MOST_ROWS} rows` } as const;
  const detail = `The range holds ${rows} rows, at most ${MOST_ROWS} are served: ask for parts of it.`;
  throw new Refusal(400, 'range-too-large', detail, { complaints: [complaint] });
}

/** Returns the first and last bucket start of the closed rows in the range. */
function startsInRange({ service, question, range }: RangeReading): [first: number, last: number] {
  const length = LENGTH[question.interval];
  const floor = bucketStart(range.from, question.interval, service.choices.weekAnchor);
  if (service.choices.membership === 'end-in-range') return [floor - length, range.to - length];
  return [floor === range.from ? floor : floor + length, range.to - 1];
}

function isInRange({ service, question, range }: RangeReading, open: DatedCandle): boolean {
  const { membership, openEnd, weekAnchor } = service.choices;
  if (membership === 'start-in-range') return range.from <= open.start && open.start < range.to;
  const end = candleEnd(open, question.interval, openEnd);
  return bucketStart(range.from, question.interval, weekAnchor) <= end && end <= range.to;
}
