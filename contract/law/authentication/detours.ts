import { isRecordLike } from '../../document/operation.ts';
import type { Spec } from '../../document/spec.ts';
import { describe } from '../../reading/describe.ts';
import { type Answer, headersNamed } from '../../reading/reading.ts';
import { parseStrictly } from '../../reading/strict-json.ts';
import { type AnswerVerdict, eachAnswer } from '../checks.ts';
import { detours } from '../error-cases.ts';
import { faultyNeed } from '../refusal-needs.ts';
import type { Rule } from '../rule.ts';
import { findTrigger } from '../trigger.ts';

const names: readonly string[] = detours;

const checkDetours = eachAnswer(
  ({ answers, target }) => (target.keyless ? [] : answers.filter((answer) => answer.complete)),
  '',
  (answer, { spec, target }) => {
    const name = findTrigger(spec, target, answer) ?? '';
    return names.includes(name) ? verdictOn(answer, spec, name.replace('unkeyed-', '')) : undefined;
  },
);

/** A browser's preflight is answered without a key, and unknown paths by a page: neither is data. */
function verdictOn(answer: Answer, spec: Spec, name: string): AnswerVerdict {
  const { status = 0 } = answer;
  if (status >= 500) return { undecided: `the request without a key (${name}) ended in ${status}` };
  if (status < 200 || status > 299) return 'holds';
  if (name === 'method-head') {
    const [label = ''] = headersNamed(answer, 'content-type') ?? [];
    const actual = `status ${status}, as for ${label}`;
    return /^application\/json\b/i.test(label.trim()) ? { expected: `a refusal (${name})`, actual } : 'holds';
  }
  if (!answer.body) return undefined;
  const parsed = parseStrictly(answer.body.text);
  const value = 'value' in parsed ? parsed.value : undefined;
  return isData(spec, value)
    ? { expected: `a refusal (${name})`, actual: `status ${status} and ${describe(value)}` }
    : 'holds';
}

function isData(spec: Spec, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const inner = Array.isArray(value) ? value : [value, ...Object.values(value).flat()];
  return inner.some((row) => isRecordLike(spec, row));
}

export const detourRules: readonly Rule[] = [
  {
    id: 'authentication/no-way-around-the-key',
    section: '5',
    level: 'must',
    since: 3,
    statement: 'Without a key, neither a doubled slash in the path nor HEAD nor OPTIONS leads to data.',
    broken: 'A detour leads to data without a key',
    why: 'A gateway that compares paths literally or checks only GET can be bypassed.',
    exactly:
      'without a key, no 2xx with records for `//tokens` or OPTIONS, and none labeled application/json for HEAD. A preflight without data is allowed, and so is a page. A run draws these requests along with the wrong keys.',
    restsOn: ['key'],
    needs: detours.map(faultyNeed),
    check: checkDetours,
  },
];
