import {
  type Body,
  type Exchange,
  type HeaderLine,
  headerValues,
  type Recording,
} from '../../contract/exchange.ts';

type Json = Record<string, unknown>;

/** The file of another tool, made of a recording of ours. */
export type Shape = {
  readonly name: string;
  readonly keepsBodies: boolean;
  readonly file: (recording: Recording) => Json;
};

/** What a client shows a recorder: proper requests with the one key, and one that the target refused. */
function asked({ exchanges }: Recording): Exchange[] {
  const keyed = exchanges.filter(
    ({ request, response }) => request.method === 'GET' && request.credential === 'api-key' && response,
  );
  return keyed.filter(
    ({ response, request }) => response?.status === 200 || /poolId|interval/.test(request.url),
  );
}

function har(name: string, entries: readonly Json[]): Json {
  return { log: { version: '1.2', creator: { name, version: '1' }, pages: [], entries } };
}

function lines(headers: readonly HeaderLine[]): Json[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** A key as it is sent; a marker would tell the reader whose it was. */
const key = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF';

function requestOf({ request }: Exchange, version: string, first: readonly HeaderLine[] = []): Json {
  const headers = request.headers.map(
    ([name, value]): HeaderLine => (name.toLowerCase() === 'x-api-key' ? [name, key] : [name, value]),
  );
  const { method, url } = request;
  return {
    ...{ method, url, httpVersion: version, headers: lines([...first, ...headers]) },
    ...{ queryString: [], cookies: [], headersSize: -1, bodySize: 0 },
  };
}

type Content = (body: Body, exchange: Exchange) => Json;

function responseOf(
  exchange: Exchange,
  version: string,
  content: Content,
  first: readonly HeaderLine[] = [],
): Json {
  const { status = 0, statusText = '', headers = [], body } = exchange.response ?? {};
  const mimeType = headerValues(headers, 'content-type')[0] ?? 'x-unknown';
  return {
    ...{ status, statusText, httpVersion: version, headers: lines([...first, ...headers]), cookies: [] },
    content: { mimeType, ...(body && content(body, exchange)) },
    ...{ redirectURL: '', headersSize: -1, bodySize: -1 },
  };
}

const whole: Content = ({ text, decodedBytes = 0 }) => ({ size: decodedBytes, text });

function bytesOf({ text }: Body): Buffer {
  return Buffer.from(text, 'utf8');
}

function later({ startedAt, timings }: Exchange, ms: number): string {
  return new Date(Date.parse(startedAt) + timings.total + ms).toISOString();
}

/** Chrome: HTTP/2, waiting for a connection told apart, what is not text as Base64, and whatever else the page did. */
function chrome(recording: Recording, content: Content): Json {
  const version = 'http/2.0';
  const exchanges = asked(recording);
  const entries = exchanges.map(
    (each): Json => ({
      ...{
        _initiator: { type: 'script' },
        _priority: 'High',
        _resourceType: 'fetch',
        cache: {},
        pageref: 'page_1',
      },
      startedDateTime: each.startedAt,
      time: each.timings.total,
      request: requestOf(each, version, [
        [':authority', 'host'],
        [':method', 'GET'],
      ]),
      response: {
        ...responseOf(each, version, content, [[':status', '200']]),
        _error: null,
        _transferSize: 300,
      },
      timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: each.timings.total, receive: 0 },
    }),
  );
  // Requests are listed as they ended.
  return har('WebInspector', [...pageAround(recording, exchanges), ...entries.toReversed()]);
}

/** A front end whose own address ends like an operation's, preflights, and answers that the target never gave. */
function pageAround({ target }: Recording, exchanges: readonly Exchange[]): Json[] {
  const [first] = exchanges;
  const last = exchanges.at(-1);
  if (!first || !last) return [];
  const page = (path: string): Json => ({
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
  const lost = (error: string): Json => ({
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
    ...['net::ERR_BLOCKED_BY_CLIENT', 'net::ERR_ABORTED', 'net::ERR_FAILED', ''].map(lost),
    ...exchanges.slice(0, 3).map((each) => fromMemory(each, later(last, 600_000))),
    {
      ...fromMemory(first, later(last, 900_000)),
      _fromCache: undefined,
      response: { status: 304, headers: [], content: { size: 0, mimeType: 'x-unknown' } },
    },
  ];
}

/** Shown again, with the headers and counters of the first time. */
function fromMemory(exchange: Exchange, startedDateTime: string): Json {
  return {
    _fromCache: 'memory',
    startedDateTime,
    time: 0.2,
    request: requestOf(exchange, 'http/2.0'),
    response: responseOf(exchange, 'http/2.0', whole),
    timings: { blocked: 0.1, send: 0, wait: 0, receive: 0.1 },
  };
}

const inBase64: Content = (body, { request }) => ({
  size: body.decodedBytes ?? 0,
  ...(request.url.includes('/latest/')
    ? { text: bytesOf(body).toString('base64'), encoding: 'base64' }
    : { text: body.text }),
});

/** Large bodies leave the memory of the browser first. */
const evicted: Content = (body) =>
  body.text.length > 10_000 ? { size: 20 * body.text.length } : whole(body, noExchange);

const noExchange = { request: { url: '' } } as Exchange;

function firefox(recording: Recording, content: Content): Json {
  return har(
    'Firefox',
    asked(recording).map((each) => ({
      pageref: 'page_1',
      startedDateTime: each.startedAt.replace('Z', '+00:00'),
      request: requestOf(each, 'HTTP/2'),
      response: { ...responseOf(each, 'HTTP/2', content), bodySize: 4321 },
      cache: {},
      timings: { blocked: 0, dns: 0, connect: 0, ssl: 0, send: 0, wait: each.timings.total, receive: 0 },
      time: each.timings.total,
    })),
  );
}

function safari(recording: Recording): Json {
  return har(
    'WebKit Web Inspector',
    asked(recording).flatMap((each, index) => {
      const entry = {
        pageref: 'page_0',
        startedDateTime: each.startedAt,
        time: each.timings.total,
        request: requestOf(each, 'HTTP/2'),
        response: { ...responseOf(each, 'HTTP/2', whole), _transferSize: 500 },
        cache: {},
        timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: each.timings.total, receive: 0 },
        _fetchType: 'Network Load',
      };
      const again = { ...entry, startedDateTime: later(each, 3_600_000), _fetchType: 'Memory Cache' };
      return index === 0 ? [entry, again] : [entry];
    }),
  );
}

/** Fiddler: its own zone and ticks, sizes as it decoded them, times in whole milliseconds, and tunnels as entries. */
function fiddler(recording: Recording): Json {
  const ticks = (text: string): string =>
    `${new Date(Date.parse(text) + 5.75 * 3_600_000).toISOString().replace('Z', '')}1234+05:45`;
  const entries = asked(recording).map((each) => ({
    startedDateTime: ticks(each.startedAt),
    time: Math.round(each.timings.total),
    request: requestOf(each, 'HTTP/1.1'),
    response: { ...responseOf(each, 'HTTP/1.1', whole), bodySize: 7 },
    cache: {},
    timings: {
      blocked: -1,
      dns: -1,
      connect: 0,
      ssl: -1,
      send: 0,
      wait: Math.round(each.timings.total),
      receive: 0,
    },
    comment: '[#1]',
  }));
  const { host } = new URL(recording.target.baseUrl);
  const tunnel = {
    startedDateTime: entries[0]?.startedDateTime,
    time: 3,
    request: { method: 'CONNECT', url: `https://${host}`, httpVersion: 'HTTP/1.1', headers: [] },
    response: { status: 200, headers: [], content: { size: 0, mimeType: '' } },
    timings: { send: 0, wait: 3, receive: 0 },
  };
  return har('Fiddler', [tunnel, ...entries]);
}

/** What these tools write by what they have published of it; Playwright and mitmproxy are recorded as they are. */
export const shapes: readonly Shape[] = [
  { name: 'Chrome', keepsBodies: true, file: (each) => chrome(each, inBase64) },
  { name: 'Chrome that lost large bodies', keepsBodies: true, file: (each) => chrome(each, evicted) },
  { name: 'Firefox', keepsBodies: true, file: (each) => firefox(each, whole) },
  {
    name: 'Firefox without bodies',
    keepsBodies: false,
    file: (each) => firefox(each, ({ decodedBytes = 0 }) => ({ size: decodedBytes })),
  },
  {
    name: 'Firefox that cut bodies',
    keepsBodies: false,
    file: (each) =>
      firefox(each, ({ text, decodedBytes = 0 }) => ({ size: decodedBytes, text: text.slice(0, 1) })),
  },
  { name: 'Safari', keepsBodies: true, file: safari },
  { name: 'Fiddler', keepsBodies: true, file: fiddler },
];
