import { bucketStart, LENGTH } from '../market/interval.ts';
import type { DatedCandle } from '../store/candle-store.ts';
import type { StoredPool } from '../store/market-facts.ts';
import { bend, type Circumstance } from './distortion.ts';
import { type PoolQuestion, poolQuestion, type RangeQuestion, rangeQuestion } from './parameters.ts';
import { type CandleRecord, candleEnd, candleRecord, candleText } from './records.ts';
import { Refusal } from './refusal.ts';
import { GENERATION, type Route } from './routes.ts';
import type { Service } from './service.ts';

const MOST_ROWS = 10_000;

/** A candle request on its way: what it is about, and as of when (Unix seconds). */
type Reading = {
  readonly service: Service;
  readonly question: PoolQuestion;
  readonly circumstance: Circumstance;
};

/** JSON text of the newest candle of a V1 pool (§4.3). Throws a Refusal for parameters, or a pool without samples. */
export function latestCandle(service: Service, route: Route, query: URLSearchParams, now: number): string {
  const reading = readingOf(service, route, poolQuestion(route.poolText, query), now);
  const { interval } = reading.question;
  const pool = knownPool(reading, route);
  const second = Math.floor(now / 1000);
  const { candles } = service.store;
  const newest = candles.latest(pool.pool, interval, service.choices.weekAnchor, second);
  if (!newest) throw unknownPool();
  const start = bend(service.distortions(), 'latestStart', newest.start, reading.circumstance);
  const chosen = start === newest.start ? newest : (candles.at(pool.pool, interval, start, second) ?? newest);
  return textOf(reading, bend(service.distortions(), 'candle', shown(reading, chosen), reading.circumstance));
}

/** JSON text of a V2 pool's candles in a range (§4.2). Throws a Refusal for parameters, or an unknown pool. */
export function candleHistory(service: Service, route: Route, query: URLSearchParams, now: number): string {
  const range = rangeQuestion(route.poolText, query);
  const reading = readingOf(service, route, range, now);
  const pool = knownPool(reading, route);
  const { order } = service.choices;
  const healthy = candlesInRange(reading, range, pool, Math.floor(now / 1000)).map((each) =>
    shown(reading, each),
  );
  const bent = healthy.map((each) => bend(service.distortions(), 'candle', each, reading.circumstance));
  const rows = bend(service.distortions(), 'rows', bent, reading.circumstance);
  const ordered = order === 'ascending' ? rows : rows.toReversed();
  return `[${ordered.map((each) => textOf(reading, each)).join(',')}]`;
}

function readingOf(service: Service, route: Route, question: PoolQuestion, now: number): Reading {
  const asked = { now, operation: route.operation, question };
  const bent = bend(service.distortions(), 'question', question, asked);
  return { service, question: bent, circumstance: asked };
}

function knownPool(reading: Reading, route: Route): StoredPool {
  if (route.operation === 'listTokens') throw unknownPool();
  const pool = reading.service.store.facts.pool(GENERATION[route.operation], reading.question.poolId);
  if (!pool) throw unknownPool();
  return pool;
}

function unknownPool(): Refusal {
  return new Refusal(
    404,
    'unknown-pool',
    'There is no pool of this number in this generation, or it has no data.',
  );
}

function candlesInRange(
  reading: Reading,
  range: RangeQuestion,
  pool: StoredPool,
  now: number,
): DatedCandle[] {
  const { service, question } = reading;
  const { candles } = service.store;
  const { weekAnchor, openInHistory } = service.choices;
  const { interval } = question;
  const [first, last] = startsInRange(reading, range);
  const eldest = Math.max(first, bucketStart(pool.birth, interval, weekAnchor));
  refuseTooMany(Math.floor((Math.min(last, now) - eldest) / LENGTH[interval]) + 1);
  const closed = candles.closed(pool.pool, interval, first, last, now);
  const open = candles.at(pool.pool, interval, bucketStart(now, interval, weekAnchor), now);
  if (!open || !openInHistory || !belongs(reading, range, open)) return closed;
  refuseTooMany(closed.length + 1);
  return [...closed, open];
}

/** First and last bucket start of the closed rows that belong to the range. */
function startsInRange({ service, question }: Reading, range: RangeQuestion): [first: number, last: number] {
  const length = LENGTH[question.interval];
  const floor = bucketStart(range.from, question.interval, service.choices.weekAnchor);
  if (service.choices.membership === 'end-in-range') return [floor - length, range.to - length];
  return [floor === range.from ? floor : floor + length, range.to - 1];
}

function belongs({ service, question }: Reading, range: RangeQuestion, open: DatedCandle): boolean {
  const { membership, openEnd, weekAnchor } = service.choices;
  if (membership === 'start-in-range') return range.from <= open.start && open.start < range.to;
  const end = candleEnd(open, question.interval, openEnd);
  return bucketStart(range.from, question.interval, weekAnchor) <= end && end <= range.to;
}

function refuseTooMany(rows: number): void {
  if (rows <= MOST_ROWS) return;
  const complaint = { in: 'query', name: 'to', reason: `makes more than ${MOST_ROWS} rows` } as const;
  const detail = `The range holds ${rows} rows, at most ${MOST_ROWS} are served: ask for parts of it.`;
  throw new Refusal(400, 'range-too-large', detail, { complaints: [complaint] });
}

function shown({ service, question }: Reading, candle: DatedCandle): CandleRecord {
  return candleRecord(candle, { ...question, openEnd: service.choices.openEnd });
}

function textOf({ service, circumstance }: Reading, record: CandleRecord): string {
  const distortions = service.distortions().filter((each) => each.form);
  const { extraFields } = service.choices;
  if (distortions.length === 0 && !extraFields) return candleText(record);
  const form = extraFields ? { id: record.startTimestampSeconds, ...record } : record;
  return JSON.stringify(bend(distortions, 'form', form, circumstance));
}
