import { operationById } from '@candleproof/document/spec/operation';
import type { CandleRole, OperationRole } from '@candleproof/document/spec/roles';
import type { Operation } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import type { Misshapen } from '../reading/read-body.ts';
import { type Answer, type CandleAnswer, holdsSuccess } from '../reading/reading.ts';
import { answersWithRows, type Evidence } from '../relations/evidence.ts';
import { type Breach, candleBreach, type FoundValues } from './breach.ts';
import type { Rule } from './rule.ts';
import { findTrigger } from './trigger.ts';

/** A test's verdict on an answer: the rule holds, is broken or stays open for a reason; undefined if inapplicable. */
export type AnswerVerdict =
  | 'holds'
  | Pick<Breach, 'expected' | 'actual' | 'picture' | 'sentence'>
  | { readonly undecided: string; readonly dead?: true }
  | undefined;

/** Makes a check that judges answers one by one, at one pointer. */
export function answerCheck<Of extends Answer>(
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

/** Returns the expectation that a candle breaks; undefined if the rule holds. */
export type CandleTest<Of extends CandleAnswer = CandleAnswer> = (
  candle: Candle,
  answer: Of,
  evidence: Evidence,
) => FoundValues | undefined;

/** Makes a check that tests every candle of every answer. */
export function candleCheck(role: CandleRole, test: CandleTest): Rule['check'] {
  return selectedCandleCheck(answersWithRows, role, test);
}

/** Makes a check that tests every candle of some answers. */
export function selectedCandleCheck<Of extends CandleAnswer>(
  pick: (evidence: Evidence) => readonly Of[],
  role: CandleRole,
  test: CandleTest<Of>,
): Rule['check'] {
  return function* check(evidence) {
    for (const answer of pick(evidence)) {
      yield { judged: answer };
      for (const [candle, found] of brokenCandles(answer, evidence, test)) {
        yield { breach: candleBreach(answer, candle, role, found) };
      }
    }
  };
}

/** Lists the candles that break a rule. A plain loop, since it runs for every rule over every candle. */
function brokenCandles<Of extends CandleAnswer>(
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

/**
 * Makes a check that reports the departures from the document's schema that `claims` picks, in the answers of some
 * operations. The schema defines the shape; a rule only picks its departures.
 */
export function checkDepartures(
  roles: readonly OperationRole[],
  claims: (departure: Misshapen, operation: Operation) => boolean,
): Rule['check'] {
  return function* check(evidence) {
    for (const answer of [...evidence.answers.filter(isReadable), ...evidence.oddHistories]) {
      if (!roles.includes(answer.requested.role) || isNoneOfUnknown(answer, evidence)) continue;
      yield { judged: answer };
      const operation = operationById(evidence.spec, answer.requested.operation);
      for (const departure of answer.misshapen) {
        if (claims(departure, operation)) yield { breach: { answer, ...departure } };
      }
    }
  };
}

/**
 * Returns whether an answer says in its own way that a pool is unknown, such as by `null`: the document leaves that open,
 * and unlike a history, which may be empty, one candle has no form for it.
 */
function isNoneOfUnknown(answer: Readable, { spec, target }: Evidence): boolean {
  if (answer.requested.role !== 'latest' || answer.records.length > 0) return false;
  return findTrigger(spec, target, answer) === 'pool-unknown';
}

type Readable = Answer & { readonly requested: NonNullable<Answer['requested']> };
function isReadable(answer: Answer): answer is Readable {
  return answer.requested?.proper === true && holdsSuccess(answer) && answer.broken === undefined;
}

/** Returns whether the answer as a whole has the wrong form, so that nothing in it could be read. */
export function concernsWhole({ row, field }: Misshapen): boolean {
  return row === undefined && field === '';
}
