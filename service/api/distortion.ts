import type { CandleReading } from '../store/candle-reading.ts';
import type { CalendarMonth, QuotaNumbers } from './admission/quota.ts';
import type { ApiRequest, JsonObject, Reply } from './message.ts';
import type { PoolQuestion, RangeQuestion } from './parameters.ts';
import type { CandleRecord } from './records.ts';
import type { ServedOperation } from './routes.ts';

/** Where the candles of an answer are read from. */
export type CandleSource = Pick<CandleReading, 'latest' | 'at' | 'closed'>;

/** The places where an answer may be bent on purpose, and what passes through each. */
export type Seams = {
  /** The request, before anything is looked at. */
  request: ApiRequest;
  /** The month that the request is counted in. */
  month: CalendarMonth;
  /** Is a request over plain HTTP answered like one over HTTPS? */
  plainHttp: boolean;
  /** Is the request let in? */
  admitted: boolean;
  /** How many requests one request is counted as. */
  charge: number;
  quota: QuotaNumbers;
  /** Instant (Unix ms) as of which the data is reported. */
  asOf: number;
  /** Pool, interval and orientation that are read for the caller. */
  question: PoolQuestion;
  candles: CandleSource;
  /** Start of the bucket that is served as the latest. */
  latestStart: number;
  /** One candle's values. */
  candle: CandleRecord;
  /** A history's rows, in ascending order. */
  rows: readonly CandleRecord[];
  /** One candle as the JSON object that will be written. */
  form: JsonObject;
  tokens: readonly JsonObject[];
  /** The JSON text of a successful answer. */
  body: string;
  /** The finished answer, all its headers included, and how it is sent. */
  reply: Reply;
};

/** What is known of the request at the seam; candle operations alone know a question, histories its range. */
export type Circumstance = {
  /** Unix milliseconds. */
  readonly now: number;
  readonly operation: ServedOperation | undefined;
  readonly request: ApiRequest;
  /** Number of the caller's key, where it is known. */
  readonly key: number | undefined;
  /** As it was requested, before the seam `question`. */
  readonly question?: PoolQuestion & Partial<Pick<RangeQuestion, 'from' | 'to'>>;
};

/** A deliberate departure from what is right, at one seam or several. Without any, the service is healthy. */
export type Distortion = {
  readonly [Seam in keyof Seams]?: (value: Seams[Seam], circumstance: Circumstance) => Seams[Seam];
};

/** Sends a value through all distortions of one seam, in their order. */
export function bend<Seam extends keyof Seams>(
  distortions: readonly Distortion[],
  seam: Seam,
  value: Seams[Seam],
  circumstance: Circumstance,
): Seams[Seam] {
  if (distortions.length === 0) return value;
  return distortions.reduce((bent, each) => each[seam]?.(bent, circumstance) ?? bent, value);
}
