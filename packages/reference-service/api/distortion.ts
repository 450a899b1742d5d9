import type { CandleReading } from '../store/candle-reading.ts';
import type { CalendarMonth, QuotaNumbers } from './admission/quota.ts';
import type { ApiRequest, JsonObject, Reply } from './message.ts';
import type { PoolQuery, RangeQuery, ServedOperation } from './parameters.ts';
import type { CandleRecord } from './records.ts';

/** Source of the candles of an answer. */
export type CandleSource = Pick<CandleReading, 'latest' | 'at' | 'closedCandles'>;

/** The points at which an answer can be changed on purpose, with the value at each. */
export type AlterationPoints = {
  /** The request, before it is processed. */
  request: ApiRequest;
  /** The month in which the request is counted. */
  month: CalendarMonth;
  /** True if a request over plain HTTP is answered like one over HTTPS. */
  plainHttp: boolean;
  /** True if the request is admitted. */
  admitted: boolean;
  /** Number of requests that this one is counted as. */
  charge: number;
  quota: QuotaNumbers;
  /** Time (Unix ms) as of which the data is served. */
  asOf: number;
  /** Pool, interval and orientation to serve. */
  poolQuery: PoolQuery;
  candles: CandleSource;
  /** Start of the bucket served as the latest. */
  latestStart: number;
  /** The values of one candle. */
  candle: CandleRecord;
  /** The rows of a history, ascending. */
  rows: readonly CandleRecord[];
  /** One candle as the JSON object to write. */
  form: JsonObject;
  tokens: readonly JsonObject[];
  /** The JSON text of a successful reply. */
  body: string;
  /** The finished reply with all headers and its delivery. */
  reply: Reply;
};

/** The request at a point. Only candle operations have a pool query, and only histories have a range. */
export type RequestContext = {
  /** Unix milliseconds. */
  readonly now: number;
  readonly operation: ServedOperation | undefined;
  readonly request: ApiRequest;
  /** Number of the caller's key, if it has one. */
  readonly key: number | undefined;
  /** As requested, before the point `poolQuery`. */
  readonly poolQuery?: PoolQuery & Partial<Pick<RangeQuery, 'from' | 'to'>>;
};

/** A deliberate error at one or more points. Without any, the service is healthy. */
export type Distortion = {
  readonly [AlterationPoint in keyof AlterationPoints]?: (
    value: AlterationPoints[AlterationPoint],
    context: RequestContext,
  ) => AlterationPoints[AlterationPoint];
};

/** Applies all distortions of one point to a value, in order. */
export function bend<AlterationPoint extends keyof AlterationPoints>(
  distortions: readonly Distortion[],
  point: AlterationPoint,
  value: AlterationPoints[AlterationPoint],
  context: RequestContext,
): AlterationPoints[AlterationPoint] {
  if (distortions.length === 0) return value;
  return distortions.reduce((bent, distortion) => distortion[point]?.(bent, context) ?? bent, value);
}
