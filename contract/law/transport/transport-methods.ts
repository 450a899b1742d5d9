import type { Evidence } from '../../relations/evidence.ts';
import { changing } from '../refusal-needs.ts';
import type { Rule, Sight } from '../rule.ts';

/** Methods that change something; the document has GET alone. */
const changingMethods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

function* checkMethods({ answers }: Evidence): Generator<Sight> {
  for (const answer of answers) {
    const { method } = answer.exchange.request;
    const { status = 0, requested, complete } = answer;
    if (!complete || !requested || !changingMethods.includes(method)) continue;
    if (status >= 200 && status <= 299) {
      const expected = `a refusal of ${method}`;
      yield { breach: { answer, pointer: 'status', expected, actual: `status ${status}` } };
    } else if (status < 500 || status === 501) yield { judged: answer };
    else yield { undecided: `${method} ended in ${status}` };
  }
}

export const methodRules: readonly Rule[] = [
  {
    id: 'transport/other-methods-are-refused',
    section: '4',
    level: 'should',
    statement: 'POST, PUT, PATCH and DELETE do not succeed.',
    why: 'The service is read-only: a client that reads of success believes it.',
    exactly: 'no 2xx; requested on loopback alone or where a thorough run is wanted.',
    restsOn: ['tokens', 'history', 'latest'],
    needs: [changing],
    check: checkMethods,
  },
];
