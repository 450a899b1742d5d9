import { isRecordLike } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import { type Answer, headersNamed } from '../../reading/reading.ts';
import { parseStrictly } from '../../reading/strict-json.ts';
import { describe } from '../../reading/words.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { type AnswerVerdict, answerCheck } from '../checks.ts';
import { detours, strayPaths } from '../error-cases.ts';
import { faultyAnswers } from '../errors/errors.ts';
import { faultyNeed, withoutKey, withWrongKeys } from '../refusal-needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { findTrigger } from '../trigger.ts';
import { checkRefused } from './refused.ts';

const detourNames: readonly string[] = [...detours, ...strayPaths];

/** Lists complete answers to proper requests without a key, unless the target needs none. */
function unkeyedAnswers(evidence: Evidence): Answer[] {
  return unkeyedTries(evidence).filter(({ complete }) => complete);
}

/** Lists proper requests without a key, unless the target needs none; a page may answer a detour. */
function unkeyedTries({ answers, spec, target }: Evidence): Answer[] {
  if (target.keyless) return [];
  return answers.filter(
    (answer) =>
      answer.exchange.request.credential === 'none' &&
      answer.requested?.proper === true &&
      !detourNames.includes(findTrigger(spec, target, answer) ?? ''),
  );
}

/** Lists those that do not request anything unknown. */
export function keylessAnswers(evidence: Evidence): Answer[] {
  const { spec, target } = evidence;
  return unkeyedAnswers(evidence).filter(
    (unkeyedAnswer) => findTrigger(spec, target, unkeyedAnswer) === undefined,
  );
}

/** Checks each operation, since one of them may forget to check its key. */
function* checkRequired(evidence: Evidence): Generator<CheckOutcome> {
  const operations = Map.groupBy(unkeyedTries(evidence), ({ requested }) => requested?.operation);
  for (const tried of operations.values()) {
    yield* checkRefused(tried, (answer) => ({
      request: 'the request without a key',
      expected: 'a refusal',
      actual: `status ${answer.status}${nameConnection(answer)}`,
    }));
  }
}

/** Describes the connection: one that carried the key before may be accepted in its place. */
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

const checkWithholds = answerCheck(refusals, '', ({ body }, { spec }) => {
  if (!body) return undefined;
  const parsed = parseStrictly(body.text);
  const value = 'value' in parsed ? parsed.value : undefined;
  if (Array.isArray(value)) return { expected: 'a refusal that is no list', actual: describe(value) };
  return isData(spec, value)
    ? { expected: 'a refusal without data', actual: 'an object that holds records' }
    : 'holds';
});

function* checkDetours({ answers, spec, target }: Evidence): Generator<CheckOutcome> {
  const tried = answers.flatMap((answer) => {
    const name = target.keyless ? '' : (findTrigger(spec, target, answer) ?? '');
    return detourNames.includes(name)
      ? [{ answer, found: verdictOn(answer, spec, name.replace('unkeyed-', '')) }]
      : [];
  });
  const isShown = tried.some(({ found }) => !found || found === 'holds' || 'expected' in found);
  for (const { answer, found } of tried) {
    if (found === 'holds') yield { judged: answer };
    else if (found && 'undecided' in found) yield { ...found, ...(!isShown && { silent: true }) };
    else if (found) yield { breach: { answer, pointer: '', ...found } };
  }
}

/** A browser's preflight is answered without a key, and unknown paths by a page: neither is data. */
function verdictOn(answer: Answer, spec: Spec, name: string): AnswerVerdict {
  const { status = 0, complete, exchange } = answer;
  if (!complete || status >= 500 || status === 429) {
    const end = complete ? status : exchange.failure?.kind;
    return { undecided: `the request without a key (${name}) ended in ${end}` };
  }
  if (status < 200 || status > 299) return 'holds';
  if (name === 'method-head') {
    const [label = ''] = headersNamed(answer, 'content-type') ?? [];
    const actual = `status ${status}, as for ${label}`;
    return /^application\/json\b/i.test(label.trim()) ? { expected: `a refusal (${name})`, actual } : 'holds';
  }
  if (!answer.body) return undefined;
  const parsed = parseStrictly(answer.body.text);
  const value = 'value' in parsed ? parsed.value : undefined;
  const isListed = /^(slash-|path-in-capitals)/.test(name) && Array.isArray(value);
  return isListed || isData(spec, value)
    ? { expected: `a refusal (${name})`, actual: `status ${status} and ${describe(value)}` }
    : 'holds';
}

/** Returns whether a value is a token or candle, or has some in it, alone or in lists, as some services wrap them. */
function isData(spec: Spec, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const inner = Array.isArray(value) ? value : [value, ...Object.values(value).flat()];
  return inner.some((row) => isRecordLike(spec, row));
}

export const authenticationRules: readonly Rule[] = [
  {
    id: 'authentication/key-is-required',
    shows: 'let in',
    section: '5',
    level: 'must',
    statement: 'Without a key no operation succeeds, over a new connection and over a used one.',
    broken: 'Data is served without a key',
    why: 'An operation that does not check the key gives data away and charges it to nobody.',
    exactly:
      'no 2xx for a request without a key, of each operation in each interval. An operation that answers all of them with 429, 5xx, a broken connection or a page of HTML with 200, such as a check for robots, shows no refusal, and leaves the run inconclusive; so do wrong keys that end alike.',
    restsOn: ['key'],
    needs: withoutKey,
    check: checkRequired,
  },
  {
    id: 'authentication/refusals-hold-no-data',
    shows: 'disclosed',
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

export const detourRules: readonly Rule[] = [
  {
    id: 'authentication/no-way-around-the-key',
    shows: 'let in',
    section: '5',
    level: 'must',
    statement:
      'Without a key, neither another spelling of the path, an unknown path, HEAD nor OPTIONS leads to data.',
    broken: 'A detour leads to data without a key',
    why: 'A gateway that compares paths literally or checks only GET can be bypassed.',
    exactly:
      'without a key, no 2xx with records for `//tokens`, `/tokens/`, `/TOKENS`, an unknown path or OPTIONS, nor with an empty list for the first three, and none labeled application/json for HEAD. A preflight without data is allowed, and so is a page. A run draws these requests along with the wrong keys.',
    restsOn: ['key'],
    needs: [...detours, ...strayPaths].map(faultyNeed),
    check: checkDetours,
  },
];
