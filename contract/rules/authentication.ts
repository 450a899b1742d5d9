import type { Evidence } from '../evidence.ts';
import { withoutKey } from '../needs.ts';
import type { Answer } from '../reading.ts';
import type { Rule, Sight } from '../rule.ts';
import { parseStrictly } from '../strict-json.ts';

/** Complete answers to proper requests without a key, where the target's operator did not declare that none is needed. */
function unkeyed({ answers, target }: Evidence): Answer[] {
  if (target.keyless) return [];
  return answers.filter(
    (each) => each.exchange.request.credential === 'none' && each.asked?.proper === true && each.complete,
  );
}

function* checkRequired(evidence: Evidence): Generator<Sight> {
  for (const answer of unkeyed(evidence)) {
    const status = answer.status ?? 0;
    if (status >= 500) {
      yield { undecided: `the request without a key ended in ${status}` };
    } else if (status < 200 || status > 299) yield { judged: answer };
    else yield { breach: { answer, pointer: 'status', expected: 'a refusal', actual: `status ${status}` } };
  }
}

function* checkWithholds(evidence: Evidence): Generator<Sight> {
  for (const answer of unkeyed(evidence)) {
    if (answer.status === 200 || (answer.status ?? 0) >= 500) continue;
    const parsed = parseStrictly(answer.exchange.response?.body.text ?? '');
    if (!('value' in parsed) || !Array.isArray(parsed.value)) yield { judged: answer };
    else {
      const actual = `a list of ${parsed.value.length}`;
      yield { breach: { answer, pointer: '', expected: 'a refusal that is no list', actual } };
    }
  }
}

export const authenticationRules: readonly Rule[] = [
  {
    id: 'authentication/key-is-required',
    section: '5',
    level: 'must',
    statement: 'Without a key no operation succeeds.',
    why: 'An operation that forgot to ask gives the data away and counts against nobody.',
    needs: withoutKey,
    check: checkRequired,
  },
  {
    id: 'authentication/refusals-hold-no-data',
    section: '5',
    level: 'should',
    statement: 'The body of a refusal is not a list.',
    why: 'Clients that look only at the body take an empty list for an empty market.',
    needs: withoutKey,
    check: checkWithholds,
  },
];
