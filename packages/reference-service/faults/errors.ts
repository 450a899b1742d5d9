import type { Distortion } from '../api/distortion.ts';
import type { Reply } from '../api/message.ts';
import { JSON_TYPE, withText } from './bending/bent-reply.ts';
import { changeQuery } from './bending/bent-request.ts';
import { bendReplies, isError, isHistory } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const TRACE = `TypeError: Cannot read properties of undefined (reading 'interval')
    at history (/srv/api/routes/pools.js:118:27)
    at handle (/srv/api/node_modules/router/index.js:284:15)`;

const ROWS = JSON.stringify([{ poolId: null, open: 0, high: 0, low: 0, close: 0, avg: 0, volume: '0' }]);

export const errorFaults = declareFaults('errors', {
  'F120 unknown-pool-is-empty': {
    title: 'an unknown pool is answered 200 with an empty list, or null for its latest candle',
    alters: ['errors/catalogue'],
    make: () =>
      bendReplies(
        ({ status }, { operation }) => status === 404 && operation !== undefined,
        (reply, requested) => withText(reply, 200, JSON_TYPE, isHistory(requested) ? '[]' : 'null'),
      ),
  },
  'F121 faulty-parameter-is-a-crash': {
    title: 'a faulty parameter is answered 500 with a stack trace',
    breaks: ['errors/no-server-error'],
    alters: ['errors/catalogue'],
    make: () => bendReplies(({ status }) => status === 400, crashReply),
  },
  'F176 missing-key-is-a-crash': {
    title: 'a request without a key is answered 500',
    breaks: ['errors/no-server-error'],
    alters: ['authentication/refusal'],
    make: () =>
      bendReplies(({ status }, { request }) => status === 401 && request.apiKey === undefined, crashReply),
  },
  'F122 error-page': {
    title: 'errors are pages of HTML',
    alters: ['authentication/refusal', 'errors/catalogue'],
    make: () =>
      bendErrors(
        'text/html',
        (status) => `<!doctype html><title>${status}</title><h1>Something went wrong</h1>`,
      ),
  },
  'F122b refusal-holds-rows': {
    title: 'the body of an error is a list of hollow candles',
    breaks: ['authentication/refusals-hold-no-data'],
    alters: ['authentication/refusal', 'errors/catalogue'],
    make: () => bendErrors(JSON_TYPE, () => ROWS),
  },
  'F152 error-text-is-called-json': {
    title: 'errors are a sentence that is labelled JSON',
    breaks: ['transport/error-body-is-as-labelled'],
    alters: ['authentication/refusal', 'errors/catalogue'],
    make: () => bendErrors(JSON_TYPE, () => 'Something went wrong.'),
  },
  'F153 unknown-pool-is-the-first': {
    title: 'an unknown V2 pool is answered with the candles of pool 1',
    breaks: ['errors/unknown-pool-has-no-candles'],
    alters: ['errors/catalogue'],
    make: () => ({
      request: (request) => ({
        ...request,
        target: request.target.replace(/^(\/v2\/pools\/conversionRates\/)\d{2,9}(?=\?)/, '$11'),
      }),
    }),
  },
  'F197 reversed-range-is-turned': {
    title: 'a range that ends before it begins is answered as the other way around',
    breaks: ['errors/reversed-range-has-no-candles'],
    alters: ['errors/catalogue'],
    drawn: 'from-after-to',
    make: () => ({ request: (request) => changeQuery(request, turnRange) }),
  },
});

/** Exchanges the ends of a range in a query, unless they are in order. */
function turnRange(query: URLSearchParams): void {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  if (!/^\d+ \d+$/.test(`${from} ${to}`) || Number(from) <= Number(to)) return;
  query.set('from', to);
  query.set('to', from);
}

function crashReply(reply: Reply): Reply {
  return withText(reply, 500, 'text/plain; charset=utf-8', TRACE);
}

/** Gives errors another body under the same status. */
function bendErrors(type: string, body: (status: number) => string): Distortion {
  return bendReplies(isError, (reply) => withText(reply, reply.status, type, body(reply.status)));
}
