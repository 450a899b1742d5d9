import { day, intervalName, intervalPhase, stamp } from '@candleproof/document/spec/interval';
import type { Candle } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { Tally } from '../../reading/statistics.ts';
import type { Conventions } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { poolKey } from '../../relations/series.ts';
import { candleBreach } from '../breach.ts';
import type { CheckOutcome } from '../rule.ts';

/** Checks that every answer is sorted, and that all answers of a pool have the same order. */
export function* checkOrder({ histories }: Evidence): Generator<CheckOutcome> {
  for (const answers of Map.groupBy(histories, poolKey).values()) {
    const directions = new Map(answers.map((answer) => [answer, findDirection(answer)]));
    const tally = new Tally<number>();
    for (const direction of directions.values()) if (direction !== 0) tally.add(direction);
    const usual = tally.commonest();
    for (const [answer, direction] of directions) {
      yield { judged: answer };
      const turn = findTurn(answer, direction);
      if (turn) yield orderBreach(answer, turn, `${nameDirection(direction)} starts, as the answer begins`);
      else if (direction !== 0 && direction !== usual) {
        const [before, candle] = answer.candles;
        const expected = `${nameDirection(-direction)} starts, as in the pool's other answers`;
        if (before && candle) yield orderBreach(answer, [before, candle], expected);
      }
    }
  }
}

/** Returns 1 for ascending and -1 for descending by an answer's first step; 0 if it has none. */
function findDirection({ candles }: HistoryAnswer): number {
  for (let at = 1; at < candles.length; at++) {
    const step = Math.sign((candles[at] as Candle).start - (candles[at - 1] as Candle).start);
    if (step === 1 || step === -1) return step;
  }
  return 0;
}

function nameDirection(direction: number): string {
  return direction > 0 ? 'ascending' : 'descending';
}

/** Returns the first step in the other direction. */
function findTurn({ candles }: HistoryAnswer, direction: number): [Candle, Candle] | undefined {
  for (let at = 1; at < candles.length; at++) {
    const [before, candle] = [candles[at - 1] as Candle, candles[at] as Candle];
    if (Math.sign(candle.start - before.start) === -direction && direction !== 0) return [before, candle];
  }
  return undefined;
}

function orderBreach(
  answer: HistoryAnswer,
  [before, candle]: [Candle, Candle],
  expected: string,
): CheckOutcome {
  const found = { expected, actual: `${stamp(candle.start)} after ${stamp(before.start)}` };
  return { breach: candleBreach(answer, candle, 'start', found, [before, candle]) };
}

/** Compares the phases that all starts of an interval share; phases of days that change with the season report nothing. */
export function* checkNesting({ candleAnswers, conventions, spec }: Evidence): Generator<CheckOutcome> {
  const known = [...conventions.steady];
  for (const [at, longer] of known.entries()) {
    const shorter = known[at - 1];
    const answer = candleAnswers.find(
      (candleAnswer) => candleAnswer.requested.length === longer && candleAnswer.inTime.length > 0,
    );
    if (!shorter || !answer) continue;
    yield { judged: answer };
    const [candle] = answer.inTime;
    const step = longer === day ? zoneStep : shorter;
    if (!candle || nests(conventions, longer, shorter, step)) continue;
    const found = {
      expected: `a start where a ${intervalName(spec.intervals, shorter)} begins`,
      actual: `${stamp(candle.start)}, where none does`,
    };
    yield { breach: candleBreach(answer, candle, 'start', found) };
  }
}

/** Zones differ by quarters of an hour, so that a day may begin within an hour of UTC. */
const zoneStep = 900;

/** Returns whether starts of the longer interval fall on those of the shorter (lengths in seconds), or on these steps from them. */
export function nests(
  { phase }: Conventions,
  longer: number,
  shorter: number,
  step: number = shorter,
): boolean {
  return intervalPhase((phase.get(longer) ?? 0) - (phase.get(shorter) ?? 0), step) === 0;
}
