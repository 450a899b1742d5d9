import {
  changing,
  good,
  numberFaults,
  type OddRow,
  type ProxyDistortion,
  type UnseenEntry,
  withContent,
} from './fault.ts';
import { askingInstead, showTokens } from './part-faults.ts';
import { admitting, inTurn } from './remembering.ts';
import { newest, width } from './row-faults.ts';

const asJson = { 'content-type': 'application/json; charset=utf-8' };

/** Compares text with a pattern as LIKE does. */
const isLike = (text: string, pattern: string) => {
  const escaped = pattern.replace(/[^\w%]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/%+/g, '.*').replaceAll('_', '.')}$`).test(text);
};

/** Answers for a V1 pool that is unknown with the newest candle of the V2 pool of its number. */
const fallBack = inTurn(() => async (call, ask) => {
  const reply = await ask();
  const length = width(call);
  if (call.operation !== 'latest' || reply.status !== 404 || call.method !== 'GET' || !length) return reply;
  const range = `from=${call.now - length}&to=${call.now}`;
  const other = await ask({
    url: `/v2/pools/conversionRates/${call.pool}?${range}&interval=${call.interval}&inverted=${call.inverted}`,
  });
  if (other.status !== 200) return reply;
  const row = (JSON.parse(other.body) as OddRow[]).at(-1);
  if (!row) return reply;
  return withContent({ ...reply, status: 200, headers: { ...reply.headers, ...asJson } }, row);
});

/** Takes the letters of an interval as they are written. */
const takeRaw = inTurn(() => async (call, ask) => {
  const reply = await ask();
  if (!good(call, reply) || !/[?&]interval=[^&]*%/.test(call.url)) return reply;
  const { status, headers, body } = await ask({ url: call.url.replaceAll('%', '%25') });
  const { etag: _, ...kept } = reply.headers;
  return { status, body, headers: { ...kept, 'content-type': headers['content-type'] ?? '' } };
});

/** Answers a HEAD as if the request were a good one. */
const praiseHeads: ProxyDistortion = async (call, ask) => {
  const reply = await ask();
  const refused = call.method === 'HEAD' && call.operation && reply.status >= 400 && reply.status !== 401;
  return refused ? { ...reply, status: 200, headers: { ...reply.headers, ...asJson } } : reply;
};

const notModified: ProxyDistortion = async (call, ask) => {
  const reply = await ask();
  if (!good(call, reply) || !call.headers['if-modified-since']) return reply;
  const { 'content-type': _, ...headers } = reply.headers;
  return { status: 304, headers, body: '' };
};

const entries: readonly UnseenEntry[] = [
  [
    'A key is looked up as a pattern, so that a percent sign is a good key (§5.2)',
    admitting(({ issued }, key) => isLike(issued, key)),
    () => [{ path: '/tokens', key: '%' }],
  ],
  [
    'An address with a slash at its end needs no key (§5.2)',
    admitting(({ url }) => /^\/.+\/(\?|$)/.test(url)),
    () => [{ path: '/tokens/', key: '' }],
  ],
  [
    'Numbers of pools wrap at 2^32, so that pool 4294967297 is answered as pool 1 (§2.2 poolId)',
    () => (call, ask) =>
      call.pool >= 2 ** 32
        ? ask({ url: call.url.replace(String(call.pool), String(call.pool % 2 ** 32)) })
        : ask(),
    newest('HOUR', 3, '', 4_294_967_297),
  ],
  [
    'The latest candle of a V1 pool that does not exist is that of the V2 pool of its number (§4.3)',
    fallBack,
    () => [{ path: '/pools/conversionRates/latest/3?interval=HOUR' }],
  ],
  [
    'A from of 0 counts as not given, and the range is the day before its end (§4.2 from)',
    askingInstead(
      ({ operation, from, query }) =>
        operation === 'history' && from === 0 && /(^|&)from=0+(&|$)/.test(query),
      ({ to }) => ({ from: to - 86_400 }),
    ),
    ({ now, history }) => [{ path: history('DAY', 0, now) }],
  ],
  [
    'An end of a range from 2^31 on is taken as a time before 1970, and the history is empty (§4.2 to)',
    changing(['history'], (reply, { to }) => (to >= 2 ** 31 ? withContent(reply, []) : reply)),
    ({ now, history }) => [{ path: history('DAY', now - 86_400, 2 ** 31) }],
  ],
  [
    'An interval whose letters are percent-encoded is not decoded, and is refused (§4.2 interval; URI)',
    takeRaw,
    ({ now, history }) => [{ path: history('%48OUR', now - 7200, now) }],
  ],
  [
    'The values False and FALSE of inverted invert, since only "false" is false (§4.2 inverted)',
    askingInstead(
      ({ query }) => /(^|&)inverted=(False|FALSE)(&|$)/.test(query),
      () => ({ inverted: true }),
    ),
    newest('HOUR', 3, '&inverted=False'),
  ],
  [
    'A HEAD is answered 200 where the GET is refused (HTTP HEAD)',
    () => praiseHeads,
    () => [{ path: '/pools/conversionRates/latest/0?interval=MONTH', method: 'HEAD' }],
  ],
  [
    'A request with If-Modified-Since is answered 304 whatever the time, without a Last-Modified (HTTP)',
    () => notModified,
    showTokens({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  ],
];

export const fifthOdd = numberFaults('C', 31, entries);
