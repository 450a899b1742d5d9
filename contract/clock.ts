import type { Exchange } from './exchange.ts';
import { type Answer, type CandleAnswer, isCandleAnswer } from './reading.ts';
import { dateLagSeconds, settlingSeconds } from './tolerances.ts';

/** Our own clock when the answer was complete, Unix seconds. */
export function ownNow({ startedAt, timings }: Exchange): number {
  return (Date.parse(startedAt) + timings.total) / 1000;
}

/**
 * Answers whose latest candle fits our clock but not their own Date: there the Date header is wrong, not the candle.
 * A service whose whole clock is moved shows candles that fit its Date.
 */
export function wrongDates(answers: readonly Answer[]): CandleAnswer[] {
  return answers
    .filter(isCandleAnswer)
    .filter(
      (answer) =>
        answer.asked.operation === 'getLatestV1PoolCandle' &&
        answer.serverNow !== undefined &&
        !isCurrent(answer, answer.serverNow) &&
        isCurrent(answer, ownNow(answer.exchange)),
    );
}

/** The answer's candle is that of the interval which holds this instant. */
function isCurrent({ candles: [candle], asked }: CandleAnswer, now: number): boolean {
  if (!candle) return false;
  const age = now - candle.start;
  return age >= -dateLagSeconds && age < asked.length + settlingSeconds;
}

/** The answers without their server time: where Date is wrong no rule may measure by it. */
export function withoutServerTime(answers: readonly Answer[]): readonly Answer[] {
  return answers.map(({ serverNow: _, ...rest }) => rest);
}
