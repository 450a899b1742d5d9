import type { CandleRole } from '../document/roles.ts';
import type { Candle } from '../reading/candle.ts';
import type { Answer, CandleAnswer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import { type Breach, candleBreach, type FoundValues } from './breach.ts';
import type { Rule } from './rule.ts';

/** A test's verdict on an answer: the rule holds, is broken, or stays open for a reason; undefined where it does not apply. */
export type AnswerVerdict =
  | 'holds'
  | Pick<Breach, 'expected' | 'actual' | 'picture'>
  | { readonly undecided: string; readonly dead?: true }
  | undefined;

/** Makes a check that judges answers one by one, at one pointer. */
export function eachAnswer<Of extends Answer>(
  pick: (evidence: Evidence) => Iterable<Of>,
  pointer: string,
  test: (answer: Of, evidence: Evidence) => AnswerVerdict,
): Rule['check'] {
  return function* check(evidence) {
    for (const answer of pick(evidence)) {
      const verdict = test(answer, evidence);
      if (verdict === 'holds') yield { judged: answer };
      else if (verdict && 'undecided' in verdict) yield verdict;
      else if (verdict) yield { breach: { answer, pointer, ...verdict } };
    }
  };
}

/** Returns the expectation that a candle breaks; undefined where the rule holds. */
export type CandleTest<Of extends CandleAnswer = CandleAnswer> = (
  candle: Candle,
  answer: Of,
  evidence: Evidence,
) => FoundValues | undefined;

/** Makes a check that tests every candle of every answer. */
export function eachCandle(role: CandleRole, test: CandleTest): Rule['check'] {
  return eachSelectedCandle(({ candleAnswers }) => candleAnswers, role, test);
}

/** Makes a check that tests every candle of some answers. */
export function eachSelectedCandle<Of extends CandleAnswer>(
  pick: (evidence: Evidence) => readonly Of[],
  role: CandleRole,
  test: CandleTest<Of>,
): Rule['check'] {
  return function* check(evidence) {
    for (const answer of pick(evidence)) {
      yield { judged: answer };
      for (const [candle, found] of broken(answer, evidence, test)) {
        yield { breach: candleBreach(answer, candle, role, found) };
      }
    }
  };
}

/** Lists the candles that break a rule. A plain loop, since it runs for every rule over every candle. */
function broken<Of extends CandleAnswer>(
  answer: Of,
  evidence: Evidence,
  test: CandleTest<Of>,
): [Candle, FoundValues][] {
  const { candles } = answer;
  const found: [Candle, FoundValues][] = [];
  for (let index = 0; index < candles.length; index++) {
    const candle = candles[index] as Candle;
    const expectation = test(candle, answer, evidence);
    if (expectation !== undefined) found.push([candle, expectation]);
  }
  return found;
}
