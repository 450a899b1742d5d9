import {
  changing,
  good,
  type ProxiedReply,
  type ProxyDistortion,
  withContent,
  withHeaders,
  withoutHeaders,
} from './fault.ts';
import { admitting, inTurn, readKeyHeader } from './remembering.ts';
import { changingAll, eachRow, mapPrices, newest, numberSecond, rowsOf } from './row-faults.ts';

const addRemaining = (reply: ProxiedReply, requests: number) =>
  withHeaders(reply, {
    'x-ratelimit-remaining': String(Number(reply.headers['x-ratelimit-remaining']) + requests),
  });

/** Counts long histories twice. */
const chargeLength = (): ProxyDistortion => {
  let extra = 0;
  return async (call, ask) => {
    const reply = await ask();
    if (readKeyHeader(call) !== call.issued) return reply;
    if (good(call, reply) && call.operation === 'history' && rowsOf(reply).length > 500) extra += 1;
    return extra ? addRemaining(reply, -extra) : reply;
  };
};

const everyKey = '§1: Every request must carry an API key.';

/** Wrong in keys, counters, headers and bodies. */
export const secondManners = numberSecond('G', 31, [
  {
    name: 'HEAD without key',
    title: 'A HEAD request needs no key',
    breaks: everyKey,
    make: admitting((call, key) => call.method === 'HEAD' && !key),
    shows: () => [{ path: '/tokens', method: 'HEAD', key: '' }],
  },
  {
    name: 'half a key',
    title: 'Only the first half of a key is compared',
    breaks: '§5: The key is a 32-character string.',
    make: admitting((call, key) => key.length === 32 && key.startsWith(call.issued.slice(0, 16))),
    shows: ({ issued }) => [{ path: '/tokens', key: issued.slice(0, 16).padEnd(32, '0') }],
  },
  {
    name: 'latest without key',
    title: 'The latest candle needs no key',
    breaks: everyKey,
    make: admitting((call, key) => call.operation === 'latest' && !key),
    shows: (market) => [{ path: market.latest('HOUR'), key: '' }],
  },
  {
    name: 'null for unknown pools',
    title: 'The latest candle of an unknown pool is null with status 200',
    breaks: '§4.3: Response 200: one candlestick record.',
    make: () => async (call, ask) => {
      const reply = await ask();
      const unknown = call.operation === 'latest' && reply.status === 404;
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      return unknown ? { ...withContent(withHeaders(reply, headers), null), status: 200 } : reply;
    },
    shows: (market) => [{ path: market.latest('HOUR').replace('/0?', '/99?') }],
  },
  {
    name: 'long histories cost two',
    title: 'A history of more than 500 rows costs two requests of the month',
    breaks: '§8 x-ratelimit-remaining: Requests left in the month; decreases as requests are made.',
    make: inTurn(chargeLength),
    shows: newest('FIVEMIN', 520),
  },
  {
    name: 'moving reset',
    title: 'Usage is always reset thirty days after the request',
    breaks: '§8 x-ratelimit-reset: Time in milliseconds (Unix epoch) when usage statistics reset.',
    make: changingAll((reply, call) =>
      withHeaders(reply, { 'x-ratelimit-reset': String((call.now + 30 * 86_400) * 1000) }),
    ),
    shows: () => [{ path: '/tokens' }],
  },
  {
    name: 'counter behind',
    title: 'Each eighth answer has a counter that is five requests behind',
    breaks: '§8 x-ratelimit-remaining: Requests left in the month; decreases as requests are made.',
    make: changingAll((reply, call) => (call.n % 8 ? reply : addRemaining(reply, 5))),
    shows: () => [{ path: '/tokens', times: 8 }],
  },
  {
    name: 'byte order mark',
    title: 'The token list begins with a byte order mark',
    breaks: '§1: The service is a REST API over HTTPS that returns JSON.',
    make: changing(['tokens'], (reply) => ({ ...reply, body: `\ufeff${reply.body}` })),
    shows: () => [{ path: '/tokens' }],
  },
  {
    name: 'compressed prices are floats',
    title: 'Histories for clients that accept gzip have prices with the precision of 32 bits',
    breaks: 'good practice: an encoding does not change the content',
    make: eachRow(
      (row, call) => (/gzip/.test(call.headers['accept-encoding'] ?? '') ? mapPrices(row, Math.fround) : {}),
      ['history'],
    ),
    shows: (market) =>
      newest('HOUR', 5)(market).map((one) => ({ ...one, headers: { 'accept-encoding': 'gzip' } })),
  },
  {
    name: 'empty without counters',
    title: 'An empty history has no quota headers',
    breaks: '§8: Every response carries these headers.',
    make: changing(['history'], (reply) =>
      reply.body === '[]' ? withoutHeaders(reply, 'x-ratelimit-') : reply,
    ),
    shows: ({ now, history }) => [{ path: history('HOUR', now + 40_000, now + 80_000) }],
  },
]);
