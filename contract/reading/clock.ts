import type { Exchange } from './exchange.ts';
import { largest } from './largest.ts';
import { type Answer, type CandleAnswer, isCandleAnswer } from './reading.ts';
import { dateLagSeconds, ownClockSeconds, settlingSeconds } from './tolerances.ts';

/** Our own clock when the answer was complete, Unix seconds. */
export function ownNow({ startedAt, timings }: Exchange): number {
  return (Date.parse(startedAt) + timings.total) / 1000;
}

/** A run of ours, whose clock we vouch for; not what another tool recorded, or a cache gave. */
export function isOnOurClock({ exchange }: Answer): boolean {
  return exchange.recorder === undefined;
}

/** The answers with the server's time as far as it is known, and those whose Date contradicts their own candles. */
export type Clocked = {
  readonly answers: readonly Answer[];
  readonly wrongDates: readonly CandleAnswer[];
  /** Our own clock stands for the server's in some successful answers, within a day. */
  readonly isUnsure: boolean;
};

/**
 * Where a Date is wrong no rule may measure by any. In a run of ours our own clock bounds the server's time where no
 * Date does; the clock of a foreign recording bounds nothing.
 */
export function clocked(all: readonly Answer[]): Clocked {
  const wrong = wrongDates(all);
  const dated = wrong.length > 0 ? all.map(withoutDate) : all;
  const isUndated = (each: Answer): boolean =>
    each.serverNow === undefined && each.complete && isOnOurClock(each);
  if (!dated.some(isUndated)) return { answers: dated, wrongDates: wrong, isUnsure: false };
  const behind = largest([-ownClockSeconds, ...all.flatMap(newestBehind)]);
  const answers = dated.map((each) => (isUndated(each) ? onOurClock(each, behind, ownClockSeconds) : each));
  return {
    answers,
    wrongDates: wrong,
    isUnsure: dated.some((each) => isUndated(each) && isCandleAnswer(each)),
  };
}

/** The answers as they would be read if our clock were theirs wherever no Date can be. */
export function asIfOnOurClock(answers: readonly Answer[]): readonly Answer[] {
  return answers.map((each) =>
    each.serverNow === undefined && each.nowWithin
      ? { ...onOurClock(each, 0, 0), serverNow: ownNow(each.exchange) }
      : each,
  );
}

/** Seconds, at most 0, by which an answer's newest candle began after our own clock: no service shows its future. */
function newestBehind({ inTime, exchange }: Answer): number[] {
  const own = ownNow(exchange);
  const newest = inTime.findLast(({ start }) => start <= own + dateLagSeconds);
  return newest ? [Math.min(0, newest.start - own)] : [];
}

function withoutDate({ serverNow: _, nowWithin: __, ...rest }: Answer): Answer {
  return rest;
}

function onOurClock(answer: Answer, earliest: number, latest: number): Answer {
  const own = ownNow(answer.exchange);
  return { ...answer, nowWithin: { from: own + earliest, to: own + latest } };
}

/**
 * Answers whose candles fit our clock but not their own Date: there the Date header is wrong, not the candles. A
 * service whose whole clock is moved shows candles that fit its Date.
 */
function wrongDates(answers: readonly Answer[]): CandleAnswer[] {
  return answers.filter(isCandleAnswer).filter((answer) => {
    const { serverNow, requested } = answer;
    if (serverNow === undefined) return false;
    const isLatest = requested.role === 'latest';
    const isOff = isLatest && !isCurrent(answer, serverNow) && isCurrent(answer, ownNow(answer.exchange));
    return isOff || isFarBehind(answer, serverNow);
  });
}

/** The answer's candle is that of the interval which holds this instant. */
function isCurrent({ candles: [candle], requested }: CandleAnswer, now: number): boolean {
  if (!candle) return false;
  const age = now - candle.start;
  return age >= -dateLagSeconds && age < requested.length + settlingSeconds;
}

/**
 * Its newest candle began a day and more after its Date, and not after our own time. By one interval more: a candle that
 * is labelled as the next one says nothing of the Date.
 */
function isFarBehind({ inTime, exchange, requested }: CandleAnswer, serverNow: number): boolean {
  const newest = inTime.at(-1)?.start ?? Number.NEGATIVE_INFINITY;
  const latest = serverNow + ownClockSeconds + requested.length;
  return newest > latest && newest <= ownNow(exchange) + dateLagSeconds;
}
