import {
  numberFaults,
  type ProxiedCall,
  type ProxiedReply,
  type UnseenFault,
  withContent,
  withHeaders,
  withoutHeaders,
} from './fault.ts';
import { askingInstead, showTokens } from './part-faults.ts';
import { admitting, keepAnswers } from './remembering.ts';

/** Changes answers of any kind. */
const editing =
  (edit: (reply: ProxiedReply, call: ProxiedCall) => ProxiedReply): UnseenFault['make'] =>
  () =>
  async (call, ask) =>
    edit(await ask(), call);

const isHistory = ({ operation }: ProxiedCall) => operation === 'history';

export const fourthOdd = numberFaults('C', 31, [
  [
    'Keys are compared without regard to case (§5.1 “keys are provisioned by the operator”)',
    admitting(({ issued }, key) => key.toLowerCase() === issued.toLowerCase()),
    ({ issued }) => [{ path: '/tokens', key: issued.toUpperCase() }],
  ],
  [
    'Only the first 32 characters of a key are compared (§5.3 “a 32-character string”)',
    admitting(({ issued }, key) => key.startsWith(issued)),
    ({ issued }) => [{ path: '/tokens', key: `${issued}0` }],
  ],
  [
    'A key in the query does as well (§5.2 “in the request header”)',
    admitting(
      ({ issued, query }, key) => key === '' && new URLSearchParams(query).get('x-api-key') === issued,
    ),
    ({ issued }) => [{ path: `/tokens?x-api-key=${issued}`, key: '' }],
  ],
  [
    'The answer to HEAD shows an unused month (§8 x-ratelimit-remaining)',
    editing((reply, { method }) =>
      method === 'HEAD'
        ? withHeaders(reply, { 'x-ratelimit-remaining': reply.headers['x-ratelimit-limit'] ?? '' })
        : reply,
    ),
    () => [{ path: '/tokens', method: 'HEAD' }],
  ],
  [
    'A refused method is answered without counters (§8 “every response”)',
    editing((reply) => (reply.status === 405 ? withoutHeaders(reply, 'x-ratelimit') : reply)),
    () => [{ path: '/tokens', method: 'POST' }],
  ],
  [
    'A refusal is kept for ten seconds for all requests of its path (§4 “answer 200”)',
    keepAnswers(
      10,
      ({ method, url }) => (method === 'GET' ? url.split('?')[0] : undefined),
      ({ status }) => status >= 400,
    ),
    (market) => [{ path: '/tokens', key: '0'.repeat(32) }, ...showTokens()(market)],
  ],
  [
    'A from of 0 counts as missing and means a day ago (§4.2 from)',
    askingInstead(
      (call) => isHistory(call) && call.from === 0,
      ({ now }) => ({ from: now - 86_400 }),
    ),
    ({ now, history }) => [{ path: history('WEEK', 0, now) }],
  ],
  [
    'A range in the future is answered with the newest row (§4.2 “in the range”)',
    askingInstead(
      (call) => isHistory(call) && call.from > call.now + 86_400 && call.to >= call.from,
      ({ now }) => ({ from: now, to: now }),
    ),
    ({ now, history }) => [{ path: history('HOUR', now + 7 * 86_400, now + 8 * 86_400) }],
  ],
  [
    'A range to beyond 2038 is empty (§4.2 to)',
    editing((reply, call) =>
      isHistory(call) && reply.status === 200 && call.method === 'GET' && call.to >= 2 ** 31
        ? withContent(reply, [])
        : reply,
    ),
    ({ now, history }) => [{ path: history('HOUR', now - 7200, 2 ** 31) }],
  ],
  [
    'inverted=false inverts, as any text does (§4.2 inverted)',
    askingInstead(
      ({ query }) => /(^|&)inverted=false(&|$)/.test(query),
      () => ({ inverted: true }),
    ),
    ({ now, history }) => [{ path: history('HOUR', now - 7200, now, '&inverted=false') }],
  ],
]);
