import type { Candle } from '../../reading/candle.ts';
import { oncePer } from '../../reading/once.ts';
import type { Answer } from '../../reading/reading.ts';
import { thousands } from '../../reading/words.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { indexByStart, isClosed, isInverted, isSameRecord } from '../../relations/series.ts';
import { answerCheck } from '../checks.ts';
import { errorCases } from '../error-cases.ts';
import { isIntermediary, isOfOperation } from '../gateway.ts';
import { closedWeekHours } from '../needs.ts';
import { faultyNeed, withoutKey, withWrongKeys } from '../refusal-needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { findTrigger } from '../trigger.ts';

/** A complete answer to a faulty request with the run's key, and the fault. */
type Faulty = { readonly answer: Answer; readonly trigger: string };

/** Lists complete answers to faulty requests with the run's key. */
export const faultyAnswers = oncePer(findFaultyAnswers);

function findFaultyAnswers({ answers, spec, target }: Evidence): readonly Faulty[] {
  return answers.flatMap((answer) => {
    const isUnkeyed = answer.exchange.request.credential === 'none' && !target.keyless;
    if (!answer.complete || isUnkeyed) return [];
    const trigger = findTrigger(spec, target, answer);
    return trigger === undefined ? [] : [{ answer, trigger }];
  });
}

/** Names the fault of a request or of its key. */
function nameFault(answer: Answer, { spec, target }: Evidence): string {
  const { credential } = answer.exchange.request;
  const key = credential === 'none' ? 'no key' : credential.replace('trial:', 'key ');
  return findTrigger(spec, target, answer) ?? key;
}

const checkNoServerError = answerCheck(answersToFaults, 'status', (answer, evidence) => {
  const { status = 0 } = answer;
  const fault = nameFault(answer, evidence);
  if (!isOfOperation(answer) || fault === 'not-modified') return undefined;
  if (isIntermediary(status)) return { undecided: `a request with ${fault} ended in ${status}` };
  return status < 500
    ? 'holds'
    : { expected: `a refusal or an answer (${fault})`, actual: `status ${status}` };
});

/** Lists answers to faulty requests with the run's key, and to requests without a valid key if one is needed. */
function answersToFaults(evidence: Evidence): readonly Answer[] {
  const { answers, target } = evidence;
  const faulty = new Set(faultyAnswers(evidence).map(({ answer }) => answer));
  return answers.filter((answer) => faulty.has(answer) || (!target.keyless && isKeyless(answer)));
}

function isKeyless({ complete, exchange: { request } }: Answer): boolean {
  const isTrial = request.credential.startsWith('trial:') && request.credential !== 'trial:other-key';
  return complete && (request.credential === 'none' || isTrial);
}

/** Returns whether a body that the recording lacks may hold candles. */
function hidesRows({ success, body }: Answer): boolean {
  return success && !body;
}

/** Faults other than repetition, since both values of a repeated parameter may be valid. */
const withoutInterval = /^interval-(?!twice$)/;

function* checkNoRows(evidence: Evidence): Generator<CheckOutcome> {
  for (const { answer, trigger } of faultyAnswers(evidence)) {
    if (!withoutInterval.test(trigger) || hidesRows(answer)) continue;
    if (!answer.success || answer.candles.length === 0) yield { judged: answer };
    else if (trigger === 'interval-lower-case') yield judgeLowerCase(answer, evidence);
    else yield judgeRows(answer, `no candles (${trigger})`);
  }
}

/** Judges an interval in lower case: a service that ignores case is fine, as long as it returns hours. */
function judgeLowerCase(answer: Answer, { histories, spec }: Evidence): CheckOutcome {
  const hours = histories.filter(
    (history) =>
      history.requested.rung === 'hour' &&
      history.requested.pool === answer.requested?.pool &&
      !isInverted(history),
  );
  const known = indexByStart(
    hours.flatMap((hour) => hour.candles.filter((candle) => isClosed(candle, hour))),
  );
  const shared = answer.candles.flatMap((candle): [Candle, Candle][] => {
    const other = known.get(candle.start);
    return other ? [[candle, other]] : [];
  });
  if (shared.length === 0)
    return { undecided: 'the interval in lower case gave candles that nothing compares with' };
  if (shared.every(([one, other]) => isSameRecord(one.record, other.record))) return { judged: answer };
  return judgeRows(answer, `no candles, or those of ${spec.rungs.hour?.name} (interval-lower-case)`);
}

function judgeRows(answer: Answer, expected: string): CheckOutcome {
  const { length } = answer.candles;
  const actual = `${thousands(length)} candle${length === 1 ? '' : 's'}`;
  return { breach: { answer, pointer: '', expected, actual } };
}

/** Faults of a pool that nobody made: the number of the second is that of a pool in its last 32 bits. */
const unknownPools = [
  'pool-unknown',
  'pool-beyond-32-bits',
  'pool-with-fraction',
  'pool-as-text',
  'pool-negative',
] as const;

/** A number that has nothing but zeros after its point is that of a pool. */
const wholeWithPoint = /(?<![\d.])\d+\.0*(?![\d.])/;

function* checkUnknownPool(evidence: Evidence): Generator<CheckOutcome> {
  for (const { answer, trigger } of faultyAnswers(evidence)) {
    if (!unknownPools.some((one) => one === trigger) || hidesRows(answer)) continue;
    const { url } = answer.exchange.request;
    if (trigger === 'pool-with-fraction' && wholeWithPoint.test(url.slice(evidence.target.baseUrl.length)))
      continue;
    if (!answer.success || answer.candles.length === 0) yield { judged: answer };
    else yield judgeRows(answer, 'no candles of a pool that nobody made');
  }
}

function* checkReversed(evidence: Evidence): Generator<CheckOutcome> {
  for (const { answer, trigger } of faultyAnswers(evidence)) {
    if (trigger !== 'from-after-to' || hidesRows(answer)) continue;
    if (!answer.success || answer.candles.length === 0) yield { judged: answer };
    else yield judgeRows(answer, 'no candles of a range that ends before it begins');
  }
}

export const errorRules: readonly Rule[] = [
  {
    id: 'errors/no-server-error',
    shows: 'failed',
    section: '7',
    level: 'should',
    statement: 'Neither a faulty request nor one without a valid key is answered with 5xx.',
    broken: 'Faulty requests are answered with 5xx',
    why: 'Clients retry server errors, so they would repeat their mistake forever.',
    exactly: "status < 500; 502, 503 and 504 are an intermediary's and leave it undecided.",
    restsOn: ['tokens', 'history', 'latest'],
    needs: [...errorCases.map(faultyNeed), ...withoutKey, ...withWrongKeys],
    check: checkNoServerError,
  },
  {
    id: 'errors/no-rows-without-an-interval',
    shows: 'answered',
    section: '4.2',
    level: 'should',
    statement: 'A request without a valid interval returns no candles.',
    broken: 'Requests without a valid interval return candles',
    why: 'A client with a typo would chart candles of an interval that it did not request.',
    exactly:
      'no candles where `interval` is left out, empty, unknown, cut short or in lower case; in lower case, exactly the candles of HOUR are accepted. A value that is sent twice alike is judged as if it were sent once.',
    restsOn: ['interval'],
    needs: [
      closedWeekHours,
      ...errorCases.filter((errorTestCase) => withoutInterval.test(errorTestCase)).map(faultyNeed),
    ],
    check: checkNoRows,
  },
  {
    id: 'errors/unknown-pool-has-no-candles',
    shows: 'answered',
    section: '4',
    level: 'should',
    statement: 'A pool that does not exist has no candles.',
    broken: 'A pool that does not exist has candles',
    why: 'Made-up candles, or those of another pool, would be mistaken for real ones.',
    exactly:
      'no candle, in a history or as the latest, of a number that nobody gave to a pool, such as 999999937, 2³² + 1, 1.5, −1 or a word. Rows that name another pool than the requested one break a must of their own. §7 leaves the rest open: a refusal, an empty list and a latest candle of `null` are all fine, and so are the rows of pool 1 for `1.0`.',
    restsOn: ['pool'],
    needs: [...unknownPools.map(faultyNeed), { role: 'latest', errorCase: 'pool-unknown' }],
    check: checkUnknownPool,
  },
  {
    id: 'errors/reversed-range-has-no-candles',
    shows: 'answered',
    section: '4.2',
    level: 'should',
    uses: ['from'],
    statement: 'A range that ends before it begins returns no candles.',
    broken: 'Ranges that end before they begin return candles',
    why: 'A client that mixed up the ends would take these candles for those of the range that it meant.',
    exactly:
      'no candles where `from` is after `to`; §7 leaves open whether an empty list or a refusal comes.',
    restsOn: ['from', 'to'],
    needs: [faultyNeed('from-after-to')],
    check: checkReversed,
  },
];
