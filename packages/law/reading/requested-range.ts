import { minute } from '@candleproof/document/spec/interval';
import { endsNow, findMaxRows } from '@candleproof/document/spec/operation';
import type { Operation, PoolId } from '@candleproof/document/spec/spec';
import { plausibleBounds } from './candle.ts';

/** The series and the range of a request. */
export type RequestedSpan = {
  readonly pool?: PoolId;
  /** Seconds of the interval. */
  readonly length?: number;
  /** Unix seconds. For a request without `from`, the start of the `limit` rows before `to`. */
  readonly from?: number;
  readonly to?: number;
  /** The rows that come are the range: the request leaves an edge open, or the answer is one page of several. */
  readonly openRange?: true;
  /** The whole range lies before any pool had a row. */
  readonly prehistoric?: true;
  /** The most rows that were requested. */
  readonly limit?: number;
};

/**
 * Returns the range that an answer must cover, as far as the request states it; undefined for one of more rows than an
 * answer may hold, since it is unknown which of them are omitted.
 */
export function findRange(
  operation: Operation,
  { from, to, limit, length = 0 }: RequestedSpan,
  now: number,
): Pick<RequestedSpan, 'from' | 'to' | 'openRange' | 'prehistoric'> | undefined {
  const { parameters, since } = operation;
  const maxRows = findMaxRows(operation, length);
  const most = Math.min(limit ?? parameters.find(({ role }) => role === 'limit')?.usual ?? maxRows, maxRows);
  if (endsNow(operation)) return findNewest(now, from, (most - 1) * length);
  if (to === undefined) return { openRange: true };
  const age = since !== undefined && to <= since ? { prehistoric: true as const } : {};
  if (from === undefined)
    return Number.isFinite(most) ? { from: to - most * length, ...age } : { openRange: true, ...age };
  // Nothing has happened after the present yet.
  const until = to > now ? Math.max(from, now) : to;
  return (until - from) / length <= most ? age : undefined;
}

/** Returns the range of the newest rows, which may begin an interval later than at the time of the Date header. */
function findNewest(
  now: number,
  from: number | undefined,
  seconds: number,
): Pick<RequestedSpan, 'from' | 'to'> | undefined {
  const first = Math.max(from ?? Number.NEGATIVE_INFINITY, now - seconds);
  return Number.isFinite(first) ? { from: first, to: now + minute } : undefined;
}

/** Checks what the schema cannot: a range is ordered and lies in this age or begins with time, pools count from zero, lengths are known. */
export function isReasonable(
  { role, earliest, parameters }: Operation,
  { pool = 0, length, from, to }: RequestedSpan,
): boolean {
  if (role !== 'tokens' && length === undefined) return false;
  if (typeof pool === 'number' && pool < 0) return false;
  if (from !== undefined && to !== undefined && from > to) return false;
  return parameters.every(({ role: named, unit }) => {
    const bounds = plausibleBounds([unit ?? 's'].flat()[0] ?? 's', earliest);
    const time = named === 'from' || named === 'since' ? from : named === 'to' ? to : undefined;
    const isFirst = time === 0 && named !== 'to';
    return time === undefined || isFirst || (time > bounds.from && time < bounds.to);
  });
}
