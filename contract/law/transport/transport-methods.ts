import { eachAnswer } from '../checks.ts';
import { changing } from '../refusal-needs.ts';
import type { Rule } from '../rule.ts';

/** Methods that change something; the document has GET alone. */
const changingMethods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

const checkMethods = eachAnswer(
  ({ answers }) => answers,
  'status',
  ({ status = 0, requested, complete, exchange: { request } }) => {
    const { method } = request;
    if (!complete || !requested || !changingMethods.includes(method)) return undefined;
    if (status >= 200 && status <= 299) {
      return { expected: `a refusal of ${method}`, actual: `status ${status}` };
    }
    return status < 500 || status === 501 ? 'holds' : { undecided: `${method} ended in ${status}` };
  },
);

export const methodRules: readonly Rule[] = [
  {
    id: 'transport/other-methods-are-refused',
    section: '4',
    level: 'should',
    statement: 'POST, PUT, PATCH and DELETE do not succeed.',
    broken: 'Methods other than GET succeed',
    why: 'The service is read-only, but clients believe a reported success.',
    exactly: 'no 2xx; requested only on loopback or in a thorough run.',
    restsOn: ['tokens', 'history', 'latest'],
    needs: [changing],
    check: checkMethods,
  },
];
