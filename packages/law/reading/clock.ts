import type { Exchange } from './exchange.ts';
import { type Answer, type CandleAnswer, isCandleAnswer } from './reading.ts';
import { largest } from './statistics.ts';
import { dateLagSeconds, localClockSeconds, settlingSeconds } from './tolerances.ts';

/** Returns the local clock's time when the answer was complete, in Unix seconds. */
export function localNow({ startedAt, timings }: Exchange): number {
  return (Date.parse(startedAt) + timings.total) / 1000;
}

/** Returns whether this program's clock timed the answer, rather than another recorder or a cache. */
export function hasLocalClock({ exchange }: Answer): boolean {
  return exchange.recorder === undefined;
}

/** Answers with the server's time as far as it is known, and those whose Date contradicts their candles. */
export type ClockedAnswers = {
  readonly answers: readonly Answer[];
  readonly wrongDates: readonly CandleAnswer[];
  /** The local clock replaces the server's in some successful answers, within a day. */
  readonly isUnsure: boolean;
};

/**
 * Determines the server's time of all answers. One wrong Date disqualifies them all. If there is no Date, the local
 * clock bounds the server's time; the clock of a foreign recording bounds nothing.
 */
export function applyClocks(all: readonly Answer[]): ClockedAnswers {
  const wrong = findWrongDates(all);
  const dated = wrong.length > 0 ? all.map(withoutDate) : all;
  const isUndated = (answer: Answer): boolean =>
    answer.serverNow === undefined && answer.complete && hasLocalClock(answer);
  if (!dated.some(isUndated)) return { answers: dated, wrongDates: wrong, isUnsure: false };
  const behind = largest([-localClockSeconds, ...all.flatMap(newestBehind)]);
  const answers = dated.map((answer) =>
    isUndated(answer) ? boundByLocalClock(answer, behind, localClockSeconds) : answer,
  );
  return {
    answers,
    wrongDates: wrong,
    isUnsure: dated.some((answer) => isUndated(answer) && isCandleAnswer(answer)),
  };
}

/** Returns the answers with the local clock as the server's in those without a Date that counts. */
export function assumeLocalClock(answers: readonly Answer[]): readonly Answer[] {
  return answers.map((answer) =>
    answer.serverNow === undefined && answer.nowWithin
      ? { ...boundByLocalClock(answer, 0, 0), serverNow: localNow(answer.exchange) }
      : answer,
  );
}

/** Returns the seconds, at most 0, from the local time to the newest candle's start: no service shows its future. */
function newestBehind({ inTime, exchange }: Answer): number[] {
  const local = localNow(exchange);
  const newest = inTime.findLast(({ start }) => start <= local + dateLagSeconds);
  return newest ? [Math.min(0, newest.start - local)] : [];
}

function withoutDate({ serverNow: _, nowWithin: __, ...rest }: Answer): Answer {
  return rest;
}

function boundByLocalClock(answer: Answer, earliest: number, latest: number): Answer {
  const local = localNow(answer.exchange);
  return { ...answer, nowWithin: { from: local + earliest, to: local + latest } };
}

/**
 * Returns answers whose candles fit the local clock but not their Date, so that the Date header is wrong rather than
 * the candles. A service whose whole clock is shifted shows candles that fit its Date.
 */
function findWrongDates(answers: readonly Answer[]): CandleAnswer[] {
  return answers.filter(isCandleAnswer).filter((answer) => {
    const { serverNow, requested } = answer;
    if (serverNow === undefined) return false;
    const isLatest = requested.role === 'latest';
    const isOff = isLatest && !isCurrent(answer, serverNow) && isCurrent(answer, localNow(answer.exchange));
    return isOff || isFarBehind(answer, serverNow);
  });
}

/** Returns whether the answer's candle is that of the current interval at `now`. */
function isCurrent({ candles: [candle], requested }: CandleAnswer, now: number): boolean {
  if (!candle) return false;
  const age = now - candle.start;
  return age >= -dateLagSeconds && age < requested.length + settlingSeconds;
}

/**
 * Returns whether the newest candle began more than a day after the Date, and not after the local time. One more
 * interval is allowed, since a candle labeled as the next one says nothing about the Date.
 */
function isFarBehind({ inTime, exchange, requested }: CandleAnswer, serverNow: number): boolean {
  const newest = inTime.at(-1)?.start ?? Number.NEGATIVE_INFINITY;
  const latest = serverNow + localClockSeconds + requested.length;
  return newest > latest && newest <= localNow(exchange) + dateLagSeconds;
}
