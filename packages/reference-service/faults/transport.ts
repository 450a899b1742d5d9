import type { Distortion, RequestContext } from '../api/distortion.ts';
import type { Reply } from '../api/message.ts';
import { withDelivery, withHeader, withoutHeaders, withText } from './bending/bent-reply.ts';
import { bendReplies, isGranted, isHistory, isLatest } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const SLOW = 5000;
const ANSWERED = 'transport/proper-requests-are-answered';

export const transportFaults = declareFaults('transport', {
  'F101 data-over-plain-http': {
    title: 'plain HTTP serves data to anybody',
    breaks: ['transport/no-data-over-plain-http'],
    make: () => ({
      plainHttp: () => true,
      admitted: (admitted, { request }) => admitted || request.plain === true,
    }),
  },
  'F123 slow-tail': {
    class: 'latency',
    title: 'one answer in a hundred comes five seconds late',
    shows: 'many samples',
    reason: 'A check has too few answers for a share of them; a monitor over days has enough.',
    sizes: { unit: 'percent of the answers', usual: 1, scale: [0.1, 1, 10] },
    make: (percent) => {
      return bendReplies(makeTurnTest(100 / percent), (reply) => withDelivery(reply, { wait: SLOW }));
    },
  },
  'F124 hang-after-headers': {
    class: 'latency',
    title: 'the latest DAY candle hangs for half a minute between its headers and its body',
    breaks: [ANSWERED],
    sizes: { unit: 'seconds', usual: 30, scale: [1, 5, 15, 30] },
    make: (seconds) =>
      bendReplies(
        // The point of replies does not see the query as it was read.
        (reply, requested) =>
          isGranted(reply) && isLatest(requested) && /[?&]interval=DAY(&|$)/.test(requested.request.target),
        (reply) => withDelivery(reply, { bodyWait: seconds * 1000 }),
      ),
  },
  'F125 post-is-answered': {
    class: 'method',
    title: 'POST returns data',
    breaks: ['transport/other-methods-are-refused'],
    make: () => ({
      request: (request) => (request.method === 'POST' ? { ...request, method: 'GET' } : request),
    }),
  },
  'F128 history-breaks-off': {
    title: 'the connection breaks off after 100 kB of a body',
    breaks: [ANSWERED],
    sizes: { unit: 'bytes', usual: 100_000, scale: [1_000_000, 300_000, 100_000, 1000] },
    make: (size) =>
      bendReplies(
        ({ body }) => body.length > size,
        (reply) => withDelivery(reply, { cutAfter: Math.round(size) }),
      ),
  },
  'F131 overloaded-now-and-then': {
    title: 'every seventh request is answered 503',
    breaks: [ANSWERED],
    sizes: { unit: 'requests for one that fails', usual: 7, scale: [100, 30, 7, 2, 1] },
    make: (size) => bendReplies(makeTurnTest(size), overloadReply),
  },
  'F131b histories-fail-now-and-then': {
    title: 'every tenth history is answered 503',
    breaks: ['transport/answered-at-first'],
    make: () => {
      const isTurn = makeTurnTest(10);
      return bendReplies(
        (reply, requested) => isHistory(requested) && isGranted(reply) && isTurn(),
        overloadReply,
      );
    },
  },
  'F132 clock-is-ahead': {
    title: 'the Date header is an hour ahead of the data',
    breaks: ['history/complete'],
    alters: ['latest/lag'],
    sizes: { unit: 'seconds', usual: 3600, scale: [10, 60, 300, 900, 3600] },
    make: (seconds) => ({
      reply: (reply, { now }) => withHeader(reply, 'Date', new Date(now + seconds * 1000).toUTCString()),
    }),
  },
  'F133 compression-is-pretended': {
    title: 'answers are labelled as gzip, but are not compressed',
    breaks: [ANSWERED],
    make: () => bendReplies(isGranted, (reply) => withHeader(reply, 'Content-Encoding', 'gzip')),
  },
  'F136 redirected-to-a-slash': {
    title: 'a path is redirected to the same path with a slash at its end',
    breaks: [ANSWERED],
    make: () => bendReplies(isGranted, redirect),
  },
  'F158 answers-are-public': {
    title: 'answers to a key may be kept by shared caches, for everybody',
    breaks: ['transport/keyed-answers-are-private'],
    alters: ['transport/caching'],
    make: () => allowCaching('public, max-age=60'),
  },
  'F173 answers-may-be-kept': {
    title: 'any cache may keep answers to a key for a minute, and knows nothing of the key',
    breaks: ['transport/keyed-answers-are-private'],
    alters: ['transport/caching'],
    make: () => allowCaching('max-age=60'),
  },
  'F159 plain-http-leads-elsewhere': {
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
});

/** Makes a test that returns true at every `turns`-th call. */
function makeTurnTest(turns: number): () => boolean {
  let turn = 0;
  return () => {
    turn += 1;
    return Math.floor(turn / turns) > Math.floor((turn - 1) / turns);
  };
}

function allowCaching(control: string): Distortion {
  return bendReplies(isGranted, (reply) =>
    withHeader(withoutHeaders(reply, 'Vary'), 'Cache-Control', control),
  );
}

function overloadReply(reply: Reply): Reply {
  return withText(reply, 503, 'text/html', '<h1>503 Service Unavailable</h1>');
}

function redirect(reply: Reply, { request: { target } }: RequestContext): Reply {
  const [path = '', ...query] = target.split('?');
  if (path.endsWith('/')) return reply;
  const location = [`${path}/`, ...query].join('?');
  return withHeader(withText(reply, 301, 'text/html', ''), 'Location', location);
}
