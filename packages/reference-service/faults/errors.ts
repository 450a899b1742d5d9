import type { RequestContext } from '../api/distortion.ts';
import type { Reply } from '../api/message.ts';
import { JSON_TYPE, withText } from './bending/bent-reply.ts';
import { declareFaults } from './fault.ts';

const TRACE = `TypeError: Cannot read properties of undefined (reading 'interval')
    at history (/srv/api/routes/pools.js:118:27)
    at handle (/srv/api/node_modules/router/index.js:284:15)`;

const ROWS = JSON.stringify([{ poolId: null, open: 0, high: 0, low: 0, close: 0, avg: 0, volume: '0' }]);

export const errorFaults = declareFaults('errors', [
  {
    id: 'unknown-pool-is-empty',
    number: 'F120',
    title: 'an unknown pool is answered 200 with an empty list, or null for its latest candle',
    alters: ['errors/catalogue'],
    make: () => ({
      reply: (reply, requested) =>
        reply.status === 404 && requested.operation
          ? withText(reply, 200, JSON_TYPE, emptyBody(requested))
          : reply,
    }),
  },
  {
    id: 'faulty-parameter-is-a-crash',
    number: 'F121',
    title: 'a faulty parameter is answered 500 with a stack trace',
    breaks: ['errors/no-server-error'],
    alters: ['errors/catalogue'],
    make: () => ({
      reply: (reply) =>
        reply.status === 400 ? withText(reply, 500, 'text/plain; charset=utf-8', TRACE) : reply,
    }),
  },
  {
    id: 'missing-key-is-a-crash',
    number: 'F176',
    title: 'a request without a key is answered 500',
    breaks: ['errors/no-server-error'],
    alters: ['authentication/refusal'],
    make: () => ({
      reply: (reply, { request }) =>
        reply.status === 401 && request.apiKey === undefined
          ? withText(reply, 500, 'text/plain; charset=utf-8', TRACE)
          : reply,
    }),
  },
  {
    id: 'error-page',
    number: 'F122',
    title: 'errors are pages of HTML',
    alters: ['authentication/refusal', 'errors/catalogue'],
    make: () => ({
      reply: (reply) =>
        reply.status >= 400 ? withText(reply, reply.status, 'text/html', errorPage(reply)) : reply,
    }),
  },
  {
    id: 'refusal-holds-rows',
    number: 'F122b',
    title: 'the body of an error is a list of hollow candles',
    breaks: ['authentication/refusals-hold-no-data'],
    alters: ['authentication/refusal', 'errors/catalogue'],
    make: () => ({
      reply: (reply) => (reply.status >= 400 ? withText(reply, reply.status, JSON_TYPE, ROWS) : reply),
    }),
  },
  {
    id: 'error-text-is-called-json',
    number: 'F152',
    title: 'errors are a sentence that is labelled JSON',
    breaks: ['transport/error-body-is-as-labelled'],
    alters: ['authentication/refusal', 'errors/catalogue'],
    make: () => ({
      reply: (reply) =>
        reply.status >= 400 ? withText(reply, reply.status, JSON_TYPE, 'Something went wrong.') : reply,
    }),
  },
  {
    id: 'unknown-pool-is-the-first',
    number: 'F153',
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
  {
    id: 'reversed-range-is-turned',
    number: 'F197',
    title: 'a range that ends before it begins is answered as the other way around',
    breaks: ['errors/reversed-range-has-no-candles'],
    alters: ['errors/catalogue'],
    drawn: 'from-after-to',
    make: () => ({ request: (request) => ({ ...request, target: turnRange(request.target) }) }),
  },
]);

/** Exchanges the ends of a range in a query, unless they are in order. */
function turnRange(target: string): string {
  const read = (name: string): string | undefined =>
    new RegExp(`[?&]${name}=(\\d+)(?=&|$)`).exec(target)?.[1];
  const [from, to] = [read('from'), read('to')];
  if (from === undefined || to === undefined || Number(from) <= Number(to)) return target;
  return target.replace(`from=${from}`, `from=${to}`).replace(`to=${to}`, `to=${from}`);
}

function emptyBody({ operation }: RequestContext): string {
  return operation === 'listV2PoolCandles' ? '[]' : 'null';
}

function errorPage({ status }: Reply): string {
  return `<!doctype html><title>${status}</title><h1>Something went wrong</h1>`;
}
