import { isRecordLike } from '../../document/operation.ts';
import type { Spec } from '../../document/spec.ts';
import { describe } from '../../reading/describe.ts';
import type { Answer } from '../../reading/reading.ts';
import { parseStrictly } from '../../reading/strict-json.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { eachAnswer } from '../checks.ts';
import { faultyAnswers } from '../errors/errors.ts';
import { withoutKey, withWrongKeys } from '../refusal-needs.ts';
import type { Rule } from '../rule.ts';
import { findTrigger } from '../trigger.ts';

/** Lists complete answers to proper requests without a key, unless the target needs none. */
export function unkeyedAnswers({ answers, target }: Evidence): Answer[] {
  if (target.keyless) return [];
  return answers.filter(
    (answer) =>
      answer.exchange.request.credential === 'none' && answer.requested?.proper === true && answer.complete,
  );
}

/** Lists those that do not request anything unknown. */
export function plainlyUnkeyed(evidence: Evidence): Answer[] {
  const { spec, target } = evidence;
  return unkeyedAnswers(evidence).filter(
    (unkeyedAnswer) => findTrigger(spec, target, unkeyedAnswer) === undefined,
  );
}

const checkRequired = eachAnswer(unkeyedAnswers, 'status', (answer) => {
  const { status = 0 } = answer;
  if (status >= 500) return { undecided: `the request without a key ended in ${status}` };
  if (status < 200 || status > 299) return 'holds';
  return { expected: 'a refusal', actual: `status ${status}${nameConnection(answer)}` };
});

/** Names the connection: one that carried the key before may stand in for the key. */
function nameConnection({ exchange: { connection } }: Answer): string {
  if (!connection) return '';
  return connection.reused ? ', over a connection that had carried the key' : ', over a new connection';
}

/** Lists answers that rightly hold no data: to no key, to a wrong one, and to a faulty request. */
function refusals(evidence: Evidence): Answer[] {
  const { answers, target } = evidence;
  const tried = answers.filter(
    ({ exchange, complete }) =>
      complete && !target.keyless && exchange.request.credential.startsWith('trial:'),
  );
  const faulty = faultyAnswers(evidence).map((faultyAnswer) => faultyAnswer.answer);
  const known = new Set([...unkeyedAnswers(evidence), ...tried, ...faulty]);
  return [...known].filter(({ status = 0 }) => status >= 300 && status < 500 && status !== 304);
}

const checkWithholds = eachAnswer(refusals, '', ({ body }, { spec }) => {
  if (!body) return undefined;
  const parsed = parseStrictly(body.text);
  const value = 'value' in parsed ? parsed.value : undefined;
  if (Array.isArray(value)) return { expected: 'a refusal that is no list', actual: describe(value) };
  return holdsRecords(spec, value)
    ? { expected: 'a refusal without data', actual: 'an object that holds records' }
    : 'holds';
});

/** Tells whether an object has a list of tokens or candles in it, as some services wrap them. */
function holdsRecords(spec: Spec, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(
    (member) => Array.isArray(member) && member.some((one) => isRecordLike(spec, one)),
  );
}

export const authenticationRules: readonly Rule[] = [
  {
    id: 'authentication/key-is-required',
    section: '5',
    level: 'must',
    statement: 'Without a key no operation succeeds, over a new connection and over a used one.',
    broken: 'Data is served without a key',
    why: 'An operation that does not check the key gives data away and charges it to nobody.',
    exactly: 'no 2xx for a request without a key.',
    restsOn: ['key'],
    needs: withoutKey,
    check: checkRequired,
  },
  {
    id: 'authentication/refusals-hold-no-data',
    section: '5',
    level: 'should',
    statement: 'The body of a refusal is not a list and contains no list of tokens or candles.',
    broken: 'Refusals contain data',
    why: 'Clients that read only the body mistake an empty list for an empty market.',
    restsOn: ['key'],
    needs: [...withoutKey, ...withWrongKeys],
    check: checkWithholds,
  },
];
