import { isDeepStrictEqual } from 'node:util';
import { describeInterval, minute } from '@candleproof/document/spec/interval';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import { headerValues } from '../reading/exchange.ts';
import type { Answer, CandleAnswer, HistoryAnswer } from '../reading/reading.ts';
import { dateLagSeconds, observedApart, settlingSeconds } from '../reading/tolerances.ts';

/** Length in seconds of the interval that was requested. */
export function intervalLength(answer: CandleAnswer): number {
  return answer.requested.length;
}

/** Words the interval that was requested: `HOUR`, `5-minute`. */
export function intervalWords({ requested }: CandleAnswer): string {
  return describeInterval(requested.interval, requested.length);
}

/** The server's time is known: without it, nothing shows what is open, closed or the newest. */
export function hasClock({ nowWithin }: CandleAnswer): boolean {
  return nowWithin !== undefined;
}

/**
 * Returns whether a candle is final: it ended long enough ago, and its row does not say otherwise. If the server's
 * time is unknown, the row alone decides.
 */
export function isClosed({ start, closed }: Candle, { nowWithin, requested }: CandleAnswer): boolean {
  if (closed === false) return false;
  if (nowWithin === undefined) return closed === true;
  return start + requested.length <= nowWithin.from - settlingSeconds;
}

/**
 * Returns whether the interval is still running, by the server's time or, if that is unknown, by the row. A candle that
 * is neither open nor closed is settling: no rule of either applies.
 */
export function isOpen({ start, closed }: Candle, { nowWithin, requested }: CandleAnswer): boolean {
  if (closed === true) return false;
  if (nowWithin === undefined) return closed === false;
  return start + requested.length > nowWithin.to + dateLagSeconds;
}

/** Returns whether a range begins so far ahead of the server's time that nothing in it can have been observed. */
export function liesAhead({ from = 0, length = 0 }: RangeStart, now: number): boolean {
  return from >= now + length + settlingSeconds;
}

type RangeStart = { readonly from?: number | undefined; readonly length?: number | undefined };

/** Maps candles by their start. */
export function indexByStart(candles: readonly Candle[]): Map<number, Candle> {
  return new Map(candles.map((candle) => [candle.start, candle]));
}

/** Same operation, pool and interval: their candles may be compared one by one. */
export function isSameSeries(a: CandleAnswer, b: CandleAnswer): boolean {
  return (
    a.requested.operation === b.requested.operation &&
    a.requested.pool === b.requested.pool &&
    a.requested.interval === b.requested.interval
  );
}

/** Returns whether inverted prices were requested; false by default (§4.2). */
export function isInverted({ requested }: CandleAnswer): boolean {
  return requested.inverted === true;
}

/** The pool that an answer speaks of: spaces number their pools apart (§9). */
export function poolKey(answer: Pick<CandleAnswer, 'requested'>): string {
  return `${answer.requested.operation} ${answer.requested.pool}`;
}

/** The pool that an answer speaks of, the same for all operations that number their pools alike. */
export function marketKey(
  { operations }: Pick<Spec, 'operations'>,
  { requested }: Pick<CandleAnswer, 'requested'>,
): string {
  const operation = operations.find(({ id }) => id === requested.operation);
  return `${operation?.space} ${requested.pool}`;
}

/** Returns whether two histories were requested for the same range. */
export function isSameRange(a: HistoryAnswer, b: HistoryAnswer): boolean {
  return a.requested.from === b.requested.from && a.requested.to === b.requested.to;
}

/** Answers of one pool's latest candle, all made of one state of the market. */
export type Snapshot = readonly CandleAnswer[];

/**
 * Snapshots proved by bracketing: when the same request got the same candle twice, nothing moved in between, and
 * all that was requested from that pool meanwhile belongs together. Candles are compared, not minutes: no race decides.
 * A candle that says by its end that it is a little older comes from a cache: it is of another moment.
 */
export function snapshots(latest: readonly CandleAnswer[]): Snapshot[] {
  return brackets(latest)
    .filter(({ first, last }) => isSameCandle(first, last) && isFirstHand(first) && isFirstHand(last))
    .map(({ first, between }) =>
      between.filter((answer) => isFirstHand(answer) && !isLittleOlder(answer, first)),
    );
}

/** Returns whether an open candle ends at an observation that is older than another one by what a cache explains. */
function isLittleOlder(answer: CandleAnswer, { candles: [other] }: CandleAnswer): boolean {
  const [candle] = answer.candles;
  if (!candle || !other || !isOpen(candle, answer)) return false;
  const isCut = candle.end < candle.start + intervalLength(answer) - minute;
  return isCut && candle.end < other.end && other.end - candle.end <= observedApart;
}

/** Returns whether an answer was made for its request: an Age header says that a cache held it, from another moment. */
export function isFirstHand({ exchange }: Answer): boolean {
  return headerValues(exchange.response?.headers ?? [], 'age').length === 0;
}

export type Bracket = {
  readonly first: CandleAnswer;
  readonly last: CandleAnswer;
  readonly between: Snapshot;
};

/** Same request twice with other requests of the same pool between, the nearest repetition each time. */
export function brackets(latest: readonly CandleAnswer[]): Bracket[] {
  const found: Bracket[] = [];
  for (const [at, last] of latest.entries()) {
    const before = latest.findLastIndex(
      (candleAnswer, index) => index < at && isSameRequest(candleAnswer, last),
    );
    const first = latest[before];
    if (!first || before === at - 1) continue;
    const between = latest
      .slice(before, at + 1)
      .filter((candleAnswer) => poolKey(candleAnswer) === poolKey(last));
    if (between.length > 2) found.push({ first, last, between });
  }
  return found;
}

/** Equal for requests of the same data on the same terms with the same credential. */
export function requestKey({ exchange: { request } }: Answer): string {
  const known = headerValues(request.headers, 'if-none-match').join();
  return `${request.method} ${request.credential} ${known} ${request.url} ${request.body ?? ''}`;
}

/**
 * Lists the last success of each request, else its last attempt: a failure before or after a success is no reason for
 * anything, and hides nothing.
 */
export function lastTries(answers: readonly Answer[]): Answer[] {
  return [...Map.groupBy(answers, requestKey).values()].flatMap(
    (tries) => tries.findLast(({ success }) => success) ?? tries.slice(-1),
  );
}

/** Returns whether two answers are to equal requests. */
export function isSameRequest(a: Answer, b: Answer): boolean {
  return requestKey(a) === requestKey(b);
}

/** Returns whether two requests of an operation with the same credential mean the same, however they are spelt. */
export function asksTheSame(a: Answer, b: Answer): boolean {
  const [one, other] = [a.exchange.request, b.exchange.request];
  if (a.requested === undefined || one.method !== other.method) return false;
  return one.credential === other.credential && isDeepStrictEqual(a.requested, b.requested);
}

/** Compares two records field by field; extra members that are no plain values are not compared. */
export function isSameRecord(a: Candle['record'], b: Candle['record']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isSameValue(a[name], b[name]));
}

/** Returns whether two values are equal; any two objects are. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null);
}

function isSameCandle(a: CandleAnswer, b: CandleAnswer): boolean {
  const [one] = a.candles;
  const [other] = b.candles;
  return one !== undefined && other !== undefined && isSameRecord(one.record, other.record);
}
