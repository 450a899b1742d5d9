import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import {
  addMilliseconds,
  type Content,
  exchangesOf,
  type HarObject,
  har,
  lines,
  requestOf,
  responseOf,
  waitingTimings,
  wholeBody,
} from './har-parts.ts';

/** Writes a HAR as Chrome does: HTTP/2, separate waits for a connection, Base64 bodies, and other traffic of a page. */
export function chrome(recording: Recording, content: Content): HarObject {
  const version = 'http/2.0';
  const exchanges = exchangesOf(recording);
  const entries = exchanges.map(
    (exchange): HarObject => ({
      ...{
        _initiator: { type: 'script' },
        _priority: 'High',
        _resourceType: 'fetch',
        cache: {},
        pageref: 'page_1',
      },
      startedDateTime: exchange.startedAt,
      time: exchange.timings.total,
      request: requestOf(exchange, version, [
        [':authority', 'host'],
        [':method', 'GET'],
      ]),
      response: {
        ...responseOf(exchange, version, content, [[':status', '200']]),
        _error: null,
        _transferSize: 300,
      },
      timings: waitingTimings(exchange),
    }),
  );
  // Chrome lists requests in the order in which they ended.
  return har('WebInspector', [...pageAround(recording, exchanges), ...entries.toReversed()]);
}

/** Returns a front end whose path ends like an operation's, preflights, and answers that the target never gave. */
function pageAround({ target }: Recording, exchanges: readonly Exchange[]): HarObject[] {
  const [first] = exchanges;
  const last = exchanges.at(-1);
  if (!first || !last) return [];
  const page = (path: string): HarObject => ({
    startedDateTime: first.startedAt,
    time: 5,
    request: { method: 'GET', url: `https://www.front.example${path}`, headers: [] },
    response: {
      status: 200,
      headers: lines([['content-type', 'text/html']]),
      content: { size: 15, mimeType: 'text/html', text: '<!doctype html>' },
    },
    timings: { blocked: 1, send: 0, wait: 3, receive: 1 },
  });
  const tokens = { method: 'GET', url: `${target.baseUrl}/tokens`, headers: [] };
  const lostResponse = (error: string): HarObject => ({
    startedDateTime: first.startedAt,
    time: 1,
    request: tokens,
    response: { status: 0, headers: [], content: { size: 0, mimeType: 'x-unknown' }, _error: error },
    timings: { blocked: 1, send: 0, wait: 0, receive: 0 },
  });
  return [
    ...exchanges.map(() => page('/tokens')),
    page('/app.js'),
    {
      ...page('/'),
      request: { ...tokens, method: 'OPTIONS' },
      response: {
        status: 204,
        headers: lines([['access-control-allow-origin', '*']]),
        content: { size: 0, mimeType: 'x-unknown' },
      },
    },
    ...['net::ERR_BLOCKED_BY_CLIENT', 'net::ERR_ABORTED', 'net::ERR_FAILED', ''].map(lostResponse),
    ...exchanges.slice(0, 3).map((exchange) => fromMemory(exchange, addMilliseconds(last, 600_000))),
    {
      ...fromMemory(first, addMilliseconds(last, 900_000)),
      _fromCache: undefined,
      response: { status: 304, headers: [], content: { size: 0, mimeType: 'x-unknown' } },
    },
  ];
}

/** Returns an answer from the cache, with the headers and counters of the first time. */
function fromMemory(exchange: Exchange, startedDateTime: string): HarObject {
  return {
    _fromCache: 'memory',
    startedDateTime,
    time: 0.2,
    request: requestOf(exchange, 'http/2.0'),
    response: responseOf(exchange, 'http/2.0', wholeBody),
    timings: { blocked: 0.1, send: 0, wait: 0, receive: 0.1 },
  };
}
