import type { ApiRequest, Reply } from '../api/message.ts';
import { withDelivery, withHeader, withoutHeaders, withText } from './bending/bent-reply.ts';
import { declareFaults } from './fault.ts';

const SLOW = 5000;
const ANSWERED = 'transport/proper-requests-are-answered';

export const transportFaults = declareFaults('transport', [
  {
    id: 'data-over-plain-http',
    number: 'F101',
    title: 'plain HTTP serves data to anybody',
    breaks: ['transport/no-data-over-plain-http'],
    make: () => ({
      plainHttp: () => true,
      admitted: (admitted, { request }) => admitted || request.plain === true,
    }),
  },
  {
    id: 'slow-tail',
    number: 'F123',
    class: 'latency',
    title: 'one answer in a hundred comes five seconds late',
    shows: 'many samples',
    reason: 'A check has too few answers for a share of them; a monitor over days has enough.',
    sizes: { unit: 'percent of the answers', usual: 1, scale: [0.1, 1, 10] },
    make: (percent) => {
      const isTurn = makeTurnTest(100 / percent);
      return { reply: (reply) => (isTurn() ? withDelivery(reply, { wait: SLOW }) : reply) };
    },
  },
  {
    id: 'hang-after-headers',
    number: 'F124',
    class: 'latency',
    title: 'the latest DAY candle hangs for half a minute between its headers and its body',
    breaks: [ANSWERED],
    sizes: { unit: 'seconds', usual: 30, scale: [1, 5, 15, 30] },
    make: (seconds) => ({
      reply: (reply, { operation, request }) =>
        operation === 'getLatestV1PoolCandle' && reply.status === 200 && isDay(request)
          ? withDelivery(reply, { bodyWait: seconds * 1000 })
          : reply,
    }),
  },
  {
    id: 'post-is-answered',
    number: 'F125',
    class: 'method',
    title: 'POST returns data',
    breaks: ['transport/other-methods-are-refused'],
    make: () => ({
      request: (request) => (request.method === 'POST' ? { ...request, method: 'GET' } : request),
    }),
  },
  {
    id: 'history-breaks-off',
    number: 'F128',
    title: 'the connection breaks off after 100 kB of a body',
    breaks: [ANSWERED],
    sizes: { unit: 'bytes', usual: 100_000, scale: [1_000_000, 300_000, 100_000, 1000] },
    make: (size) => ({
      reply: (reply) =>
        reply.body.length > size ? withDelivery(reply, { cutAfter: Math.round(size) }) : reply,
    }),
  },
  {
    id: 'overloaded-now-and-then',
    number: 'F131',
    title: 'every seventh request is answered 503',
    breaks: [ANSWERED],
    sizes: { unit: 'requests for one that fails', usual: 7, scale: [100, 30, 7, 2, 1] },
    make: (size) => {
      const isTurn = makeTurnTest(size);
      return { reply: (reply) => (isTurn() ? overloadReply(reply) : reply) };
    },
  },
  {
    id: 'histories-fail-now-and-then',
    number: 'F131b',
    title: 'every tenth history is answered 503',
    breaks: ['transport/answered-at-first'],
    make: () => {
      const isTurn = makeTurnTest(10);
      return {
        reply: (reply, { operation }) =>
          operation === 'listV2PoolCandles' && reply.status === 200 && isTurn()
            ? overloadReply(reply)
            : reply,
      };
    },
  },
  {
    id: 'clock-is-ahead',
    number: 'F132',
    title: 'the Date header is an hour ahead of the data',
    breaks: ['history/complete'],
    alters: ['latest/lag'],
    sizes: { unit: 'seconds', usual: 3600, scale: [10, 60, 300, 900, 3600] },
    make: (seconds) => ({
      reply: (reply, { now }) => withHeader(reply, 'Date', new Date(now + seconds * 1000).toUTCString()),
    }),
  },
  {
    id: 'compression-is-pretended',
    number: 'F133',
    title: 'answers are labelled as gzip, but are not compressed',
    breaks: [ANSWERED],
    make: () => ({
      reply: (reply) => (reply.status === 200 ? withHeader(reply, 'Content-Encoding', 'gzip') : reply),
    }),
  },
  {
    id: 'redirected-to-a-slash',
    number: 'F136',
    title: 'a path is redirected to the same path with a slash at its end',
    breaks: [ANSWERED],
    make: () => ({
      reply: (reply, { request }) => (reply.status === 200 ? redirect(reply, request) : reply),
    }),
  },
  {
    id: 'answers-are-public',
    number: 'F158',
    title: 'answers to a key may be kept by shared caches, for everybody',
    breaks: ['transport/keyed-answers-are-private'],
    alters: ['transport/caching'],
    make: () => ({
      reply: (reply) =>
        reply.status === 200
          ? withHeader(withoutHeaders(reply, 'Vary'), 'Cache-Control', 'public, max-age=60')
          : reply,
    }),
  },
  {
    id: 'answers-may-be-kept',
    number: 'F173',
    title: 'any cache may keep answers to a key for a minute, and knows nothing of the key',
    breaks: ['transport/keyed-answers-are-private'],
    alters: ['transport/caching'],
    make: () => ({
      reply: (reply) =>
        reply.status === 200
          ? withHeader(withoutHeaders(reply, 'Vary'), 'Cache-Control', 'max-age=60')
          : reply,
    }),
  },
  {
    id: 'plain-http-leads-elsewhere',
    number: 'F159',
    title: 'plain HTTP is redirected to another host, over plain HTTP',
    breaks: ['transport/plain-http-leads-to-https'],
    make: () => ({
      plainHttp: () => true,
      reply: (reply, { request }) =>
        request.plain
          ? withHeader({ ...reply, status: 301 }, 'Location', `http://elsewhere.example${request.target}`)
          : reply,
    }),
  },
]);

/** Makes a test that returns true at every `turns`-th call. */
function makeTurnTest(turns: number): () => boolean {
  let turn = 0;
  return () => {
    turn += 1;
    return Math.floor(turn / turns) > Math.floor((turn - 1) / turns);
  };
}

function isDay({ target }: ApiRequest): boolean {
  return /[?&]interval=DAY(&|$)/.test(target);
}

function overloadReply(reply: Reply): Reply {
  return withText(reply, 503, 'text/html', '<h1>503 Service Unavailable</h1>');
}

function redirect(reply: Reply, { target }: ApiRequest): Reply {
  const [path = '', ...query] = target.split('?');
  if (path.endsWith('/')) return reply;
  const location = [`${path}/`, ...query].join('?');
  return withHeader(withText(reply, 301, 'text/html', ''), 'Location', location);
}
