import { bucketStart, LENGTH } from '../market/candle.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import type { MarketView, StoredPool } from '../store/stored-market.ts';
import type { TaggedBody } from './answer-cache.ts';
import { rowBytes, rowsBody } from './closed-rows.ts';
import { bend, type CandleSource, type RequestContext } from './distortion.ts';
import {
  GENERATION,
  type PoolQuery,
  parsePoolQuery,
  parseRangeQuery,
  type RangeQuery,
  type Route,
} from './parameters.ts';
import { type CandleRecord, candleEnd, candleRecord, candleText } from './records.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';

/** A request for candles while it is being answered. */
type CandleRequest = {
  readonly service: Service;
  readonly market: MarketView;
  readonly candles: CandleSource;
  readonly poolQuery: PoolQuery;
  readonly context: RequestContext;
};

/** Returns the newest candle of a V1 pool as JSON (§4.3). Throws Refusal for bad parameters or a pool without samples. */
export function latestCandle(
  service: Service,
  market: MarketView,
  route: Route,
  query: URLSearchParams,
  requested: RequestContext,
): string {
  const reading = readCandleRequest(service, market, parsePoolQuery(route.poolText, query), requested);
  const { candles } = reading;
  const { interval } = reading.poolQuery;
  const pool = findPool(reading, route);
  const second = Math.floor(requested.now / 1000);
  const newest = candles.latest(pool.pool, interval, service.choices.weekAnchor, second);
  if (!newest) throw unknownPoolRefusal();
  const start = bend(service.distortions(), 'latestStart', newest.start, reading.context);
  const chosen = start === newest.start ? newest : (candles.at(pool.pool, interval, start, second) ?? newest);
  return formatRecord(
    reading,
    bend(service.distortions(), 'candle', toRecord(reading, chosen), reading.context),
  );
}

/** Returns a V2 pool's candles in a range (§4.2). Throws Refusal for bad parameters or an unknown pool. */
export function candleHistory(
  service: Service,
  market: MarketView,
  route: Route,
  query: URLSearchParams,
  requested: RequestContext,
): TaggedBody {
  const range = parseRangeQuery(route.poolText, query);
  const reading = readCandleRequest(service, market, range, requested);
  const pool = findPool(reading, route);
  const rows = rowsInRange({ ...reading, range, now: Math.floor(requested.now / 1000) }, pool);
  return servesKnownTexts(service)
    ? historyFromTexts(reading, pool, rows)
    : distortedHistory(reading, pool, rows);
}

/** Returns whether rows are served unchanged, so that cached texts can be used. */
function servesKnownTexts(service: Service): boolean {
  const { extraFields, order } = service.choices;
  if (extraFields || order !== 'ascending') return false;
  return service
    .distortions()
    .every((distortion) => !distortion.candles && !distortion.candle && !distortion.rows && !distortion.form);
}

function historyFromTexts(
  reading: CandleRequest,
  pool: StoredPool,
  { first, last, open }: RowsInRange,
): TaggedBody {
  const { service, market, poolQuery, context } = reading;
  const closed = service.closedRows.read({
    candles: market.candles,
    pool,
    presentation: { ...poolQuery, openEnd: service.choices.openEnd },
    first,
    last,
    now: Math.floor(context.now / 1000),
  });
  refuseTooManyRows(closed.reduce((sum, { count }) => sum + count, 0) + (open ? 1 : 0));
  return rowsBody(open ? [...closed, rowBytes([candleText(toRecord(reading, open))])] : closed);
}

function distortedHistory(
  reading: CandleRequest,
  pool: StoredPool,
  { first, last, open }: RowsInRange,
): TaggedBody {
  const { service, candles, poolQuery, context } = reading;
  const now = Math.floor(context.now / 1000);
  const closed = candles.closedCandles(pool.pool, poolQuery.interval, first, last, now);
  refuseTooManyRows(closed.length + (open ? 1 : 0));
  const healthy = [...closed, ...(open ? [open] : [])].map((candle) => toRecord(reading, candle));
  const bent = healthy.map((record) => bend(service.distortions(), 'candle', record, context));
  const rows = bend(service.distortions(), 'rows', bent, context);
  const ordered = service.choices.order === 'ascending' ? rows : rows.toReversed();
  return rowsBody([rowBytes(ordered.map((record) => formatRecord(reading, record)))]);
}

function readCandleRequest(
  service: Service,
  market: MarketView,
  poolQuery: PoolQuery,
  requested: RequestContext,
): CandleRequest {
  const context = { ...requested, poolQuery };
  const distortions = service.distortions();
  return {
    service,
    market,
    candles: bend(distortions, 'candles', market.candles, context),
    poolQuery: bend(distortions, 'poolQuery', poolQuery, context),
    context,
  };
}

function findPool(reading: CandleRequest, route: Route): StoredPool {
  if (route.operation === 'listTokens') throw unknownPoolRefusal();
  const pool = reading.market.facts.pool(GENERATION[route.operation], reading.poolQuery.poolId);
  if (!pool) throw unknownPoolRefusal();
  return pool;
}

function unknownPoolRefusal(): Refusal {
  return new Refusal(
    404,
    'unknown-pool',
    'There is no pool of this number in this generation, or it has no data.',
  );
}

function toRecord({ service, poolQuery }: CandleRequest, candle: DatedCandle): CandleRecord {
  return candleRecord(candle, { ...poolQuery, openEnd: service.choices.openEnd });
}

function formatRecord({ service, context }: CandleRequest, record: CandleRecord): string {
  const distortions = service.distortions().filter((distortion) => distortion.form);
  const { extraFields } = service.choices;
  if (distortions.length === 0 && !extraFields) return candleText(record);
  const form = extraFields ? { id: record.startTimestampSeconds, ...record } : record;
  return JSON.stringify(bend(distortions, 'form', form, context));
}

const MOST_ROWS = 10000;

/** The rows of a range: closed ones with first <= S <= last, and the open one if it is in the range. */
type RowsInRange = {
  readonly first: number;
  readonly last: number;
  readonly open: DatedCandle | undefined;
};

/** A query for a range, as of `now` (Unix seconds). */
type RangeReading = {
  readonly service: Service;
  readonly candles: CandleSource;
  readonly poolQuery: PoolQuery;
  readonly range: RangeQuery;
  readonly now: number;
};

/** Finds the rows of a pool in a range, by the service's choices. Throws Refusal 400 when there are too many. */
function rowsInRange(reading: RangeReading, pool: StoredPool): RowsInRange {
  const { service, candles, poolQuery, now } = reading;
  const { weekAnchor, openInHistory } = service.choices;
  const { interval } = poolQuery;
  const [first, last] = startsInRange(reading);
  const eldest = Math.max(first, bucketStart(pool.birth, interval, weekAnchor));
  refuseTooManyRows(Math.floor((Math.min(last, now) - eldest) / LENGTH[interval]) + 1);
  const newest = bucketStart(now, interval, weekAnchor);
  const mayReachOpen = openInHistory && newest <= reading.range.to;
  const open = mayReachOpen ? candles.at(pool.pool, interval, newest, now) : undefined;
  return { first: eldest, last, open: open && isInRange(reading, open) ? open : undefined };
}

/** Throws Refusal 400 for more rows than one reply may contain. */
function refuseTooManyRows(rows: number): void {
  if (rows <= MOST_ROWS) return;
  const complaint = { in: 'query', name: 'to', reason: `makes more than ${MOST_ROWS} rows` } as const;
  const detail = `The range holds ${rows} rows, at most ${MOST_ROWS} are served: ask for parts of it.`;
  throw new Refusal(400, 'range-too-large', detail, { complaints: [complaint] });
}

/** Returns the first and last bucket start of the closed rows in the range. */
function startsInRange({ service, poolQuery, range }: RangeReading): [first: number, last: number] {
  const length = LENGTH[poolQuery.interval];
  const floor = bucketStart(range.from, poolQuery.interval, service.choices.weekAnchor);
  if (service.choices.membership === 'end-in-range') return [floor - length, range.to - length];
  return [floor === range.from ? floor : floor + length, range.to - 1];
}

function isInRange({ service, poolQuery, range }: RangeReading, open: DatedCandle): boolean {
  const { membership, openEnd, weekAnchor } = service.choices;
  if (membership === 'start-in-range') return range.from <= open.start && open.start < range.to;
  const end = candleEnd(open, poolQuery.interval, openEnd);
  return bucketStart(range.from, poolQuery.interval, weekAnchor) <= end && end <= range.to;
}
