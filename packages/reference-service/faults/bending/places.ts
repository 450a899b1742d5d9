import type { AlterationPoints, Distortion, RequestContext } from '../../api/distortion.ts';
import type { Reply } from '../../api/message.ts';
import type { CandleRecord } from '../../api/records.ts';
import { type Interval, LENGTH } from '../../market/candle.ts';

/** Tells which requests meet a fault. */
export type Place = (requested: RequestContext) => boolean;

/** Holds for every request. */
export const everywhere: Place = () => true;
/** Holds for requests for a latest candle. */
export const isLatest: Place = ({ operation }) => operation === 'getLatestV1PoolCandle';
/** Holds for requests for a history. */
export const isHistory: Place = ({ operation }) => operation === 'listV2PoolCandles';
/** Holds for requests for the token list. */
export const isTokenList: Place = ({ operation }) => operation === 'listTokens';
/** Holds for requests for inverted candles. */
export const isInverted: Place = ({ poolQuery }) => poolQuery?.inverted === true;

/** Returns the place of requests for candles of an interval. */
export function hasInterval(interval: Interval): Place {
  return ({ poolQuery }) => poolQuery?.interval === interval;
}

/** Returns the place that all of these have in common. */
export function all(...places: readonly Place[]): Place {
  return (requested) => places.every((isMet) => isMet(requested));
}

/** Returns the length (s) of the candles that are requested; 0 for other requests. */
export function intervalLength({ poolQuery }: RequestContext): number {
  return poolQuery ? LENGTH[poolQuery.interval] : 0;
}

/** Returns whether a candle is still open at the time of a request. */
export function isOpen({ startTimestampSeconds: start }: CandleRecord, requested: RequestContext): boolean {
  return start + intervalLength(requested) > requested.now / 1000;
}

/** Returns a distortion of the values at one point of the requests of a place. */
export function bendAt<AlterationPoint extends keyof AlterationPoints>(
  point: AlterationPoint,
  isMet: Place,
  bent: (
    value: AlterationPoints[AlterationPoint],
    requested: RequestContext,
  ) => AlterationPoints[AlterationPoint],
): Distortion {
  const bentThere: (
    value: AlterationPoints[AlterationPoint],
    requested: RequestContext,
  ) => AlterationPoints[AlterationPoint] = (value, requested) =>
    isMet(requested) ? bent(value, requested) : value;
  return { [point]: bentThere };
}

/** Returns a distortion that serves the data of some seconds ago. */
export function delayData(isMet: Place, seconds: number): Distortion {
  return bendAt('asOf', isMet, (now) => now - seconds * 1000);
}

/** Returns a distortion of histories that lack the rows for which a condition holds. */
export function dropRows(isLost: (row: CandleRecord, requested: RequestContext) => boolean): Distortion {
  return { rows: (rows, requested) => rows.filter((row) => !isLost(row, requested)) };
}

/** Returns a distortion of the replies for which a condition holds. */
export function bendReplies(
  isMet: (reply: Reply, requested: RequestContext) => boolean,
  bent: (reply: Reply, requested: RequestContext) => Reply,
): Distortion {
  return { reply: (reply, requested) => (isMet(reply, requested) ? bent(reply, requested) : reply) };
}

/** Returns whether a reply is a full answer. */
export function isGranted({ status }: Reply): boolean {
  return status === 200;
}

/** Returns whether a reply reports an error. */
export function isError({ status }: Reply): boolean {
  return status >= 400;
}
