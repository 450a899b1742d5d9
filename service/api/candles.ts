import type { DatedCandle } from '../store/candle-reading.ts';
import type { MarketView, StoredPool } from '../store/market-view.ts';
import { bend, type CandleSource, type Circumstance } from './distortion.ts';
import type { TaggedBody } from './kept-answers.ts';
import { type PoolQuestion, poolQuestion, rangeQuestion } from './parameters.ts';
import { type RowsInRange, refuseTooMany, rowsInRange } from './range.ts';
import { type CandleRecord, candleRecord, candleText } from './records.ts';
import { Refusal } from './refusal.ts';
import { GENERATION, type Route } from './routes.ts';
import { rowBytes, rowsBody } from './row-bytes.ts';
import type { Service } from './service.ts';

/** A candle request on its way: what it is about, and where its candles come from. */
type Reading = {
  readonly service: Service;
  readonly market: MarketView;
  readonly candles: CandleSource;
  readonly question: PoolQuestion;
  readonly circumstance: Circumstance;
};

/** JSON text of the newest candle of a V1 pool (§4.3). Throws a Refusal for parameters, or a pool without samples. */
export function latestCandle(
  service: Service,
  market: MarketView,
  route: Route,
  query: URLSearchParams,
  requested: Circumstance,
): string {
  const reading = readingOf(service, market, poolQuestion(route.poolText, query), requested);
  const { candles } = reading;
  const { interval } = reading.question;
  const pool = knownPool(reading, route);
  const second = Math.floor(requested.now / 1000);
  const newest = candles.latest(pool.pool, interval, service.choices.weekAnchor, second);
  if (!newest) throw unknownPool();
  const start = bend(service.distortions(), 'latestStart', newest.start, reading.circumstance);
  const chosen = start === newest.start ? newest : (candles.at(pool.pool, interval, start, second) ?? newest);
  return textOf(reading, bend(service.distortions(), 'candle', shown(reading, chosen), reading.circumstance));
}

/** A V2 pool's candles in a range (§4.2). Throws a Refusal for parameters, or an unknown pool. */
export function candleHistory(
  service: Service,
  market: MarketView,
  route: Route,
  query: URLSearchParams,
  requested: Circumstance,
): TaggedBody {
  const range = rangeQuestion(route.poolText, query);
  const reading = readingOf(service, market, range, requested);
  const pool = knownPool(reading, route);
  const rows = rowsInRange({ ...reading, range, now: Math.floor(requested.now / 1000) }, pool);
  return isPlain(service) ? plainHistory(reading, pool, rows) : bentHistory(reading, pool, rows);
}

/** May rows be served by texts that were made before? */
function isPlain(service: Service): boolean {
  const { extraFields, order } = service.choices;
  if (extraFields || order !== 'ascending') return false;
  return service.distortions().every((each) => !each.candles && !each.candle && !each.rows && !each.form);
}

function plainHistory(reading: Reading, pool: StoredPool, { first, last, open }: RowsInRange): TaggedBody {
  const { service, market, question, circumstance } = reading;
  const closed = service.closedRows.read({
    candles: market.candles,
    pool,
    shown: { ...question, openEnd: service.choices.openEnd },
    first,
    last,
    now: Math.floor(circumstance.now / 1000),
  });
  refuseTooMany(closed.reduce((sum, { count }) => sum + count, 0) + (open ? 1 : 0));
  return rowsBody(open ? [...closed, rowBytes([candleText(shown(reading, open))])] : closed);
}

function bentHistory(reading: Reading, pool: StoredPool, { first, last, open }: RowsInRange): TaggedBody {
  const { service, candles, question, circumstance } = reading;
  const now = Math.floor(circumstance.now / 1000);
  const closed = candles.closed(pool.pool, question.interval, first, last, now);
  refuseTooMany(closed.length + (open ? 1 : 0));
  const healthy = [...closed, ...(open ? [open] : [])].map((each) => shown(reading, each));
  const bent = healthy.map((each) => bend(service.distortions(), 'candle', each, circumstance));
  const rows = bend(service.distortions(), 'rows', bent, circumstance);
  const ordered = service.choices.order === 'ascending' ? rows : rows.toReversed();
  return rowsBody([rowBytes(ordered.map((each) => textOf(reading, each)))]);
}

function readingOf(
  service: Service,
  market: MarketView,
  question: PoolQuestion,
  requested: Circumstance,
): Reading {
  const circumstance = { ...requested, question };
  const distortions = service.distortions();
  return {
    service,
    market,
    candles: bend(distortions, 'candles', market.candles, circumstance),
    question: bend(distortions, 'question', question, circumstance),
    circumstance,
  };
}

function knownPool(reading: Reading, route: Route): StoredPool {
  if (route.operation === 'listTokens') throw unknownPool();
  const pool = reading.market.facts.pool(GENERATION[route.operation], reading.question.poolId);
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
