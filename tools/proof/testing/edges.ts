import type { Exchange, HeaderLine } from '@candleproof/law/reading/exchange';
import {
  changeHeaders,
  dropHeaders,
  type Edge,
  isPlainHttp,
  isWithKey,
  makeMessage,
  makePage,
  readPath,
  stopRequests,
} from './edge-replies.ts';

const lacksHeaders = ['quota/gateways-carry-the-headers'];

/** Paths and queries that a firewall takes for an attack or a mistake. */
const isSuspicious = (exchange: Exchange): boolean =>
  /yesterday|=-1|conversionRates\/(-|one|00)|\.[05]\b|MONTH|from=\d{13}/.test(readPath(exchange));

const isWrongKey = ({ request: { credential } }: Exchange): boolean =>
  credential.startsWith('trial:') &&
  credential !== 'trial:other-key' &&
  credential !== 'trial:header-in-capitals';

const isUnkeyed = (exchange: Exchange): boolean =>
  exchange.request.credential === 'none' && !isPlainHttp(exchange);

const isRefused = ({ response }: Exchange): boolean => (response?.status ?? 0) >= 400;

/** Stops whoever was refused more than a few times, as guards against guessing do. */
function stopAfter(most: number, reply: Parameters<typeof stopRequests>[1]): Edge['make'] {
  return () => {
    let refused = 0;
    return (exchange) => {
      const isGuess = (isWrongKey(exchange) || isUnkeyed(exchange)) && isRefused(exchange);
      refused += isGuess ? 1 : 0;
      return stopRequests(() => isGuess && refused > most, reply)()(exchange);
    };
  };
}

const isOtherMethod = ({ request: { method } }: Exchange): boolean => method !== 'GET';

const redirect = (status: number, rewrite: (path: string) => string) => (exchange: Exchange) => ({
  status,
  ...makePage(`${status} Moved`),
  headers: [['Location', rewrite(exchange.request.url)] as const],
});

/** Firewalls, gateways and load balancers that refuse something before the service sees it. */
const refusingEdges: readonly Edge[] = [
  {
    title: 'a firewall that answers odd parameters with a page and 403',
    make: stopRequests(isSuspicious, () => ({ status: 403, ...makePage('403 Forbidden') })),
    breaks: lacksHeaders,
  },
  {
    title: 'a firewall that answers odd parameters with 406 and no body',
    make: stopRequests(isSuspicious, () => ({ status: 406 })),
    breaks: lacksHeaders,
  },
  {
    title: 'a firewall that shows a challenge, 403, to every wrong key',
    make: stopRequests(isWrongKey, () => ({
      status: 403,
      ...makePage('Just a moment...'),
      headers: [['cf-mitigated', 'challenge']],
    })),
    breaks: lacksHeaders,
  },
  {
    title: 'a firewall that answers keys of percent signs with 400',
    make: stopRequests(
      ({ request }) => request.credential === 'trial:wildcards' || request.credential === 'trial:quoted',
      () => ({ status: 400, ...makePage('400 Bad Request') }),
    ),
    breaks: lacksHeaders,
  },
  {
    title: 'a gateway that checks keys, 403 in JSON',
    make: stopRequests(
      (exchange) => isUnkeyed(exchange) || isWrongKey(exchange),
      () => ({ status: 403, ...makeMessage({ message: 'Forbidden' }) }),
    ),
    breaks: lacksHeaders,
  },
  {
    title: 'a gateway that checks keys, 403 in JSON, before a service whose errors have the same member',
    make: stopRequests(
      (exchange) => isUnkeyed(exchange) || isWrongKey(exchange),
      () => ({ status: 403, ...makeMessage({ message: 'Forbidden' }) }),
    ),
    breaks: lacksHeaders,
    isPlain: true,
  },
  {
    title: 'a gateway that checks keys, 401 with an id of the request',
    make: stopRequests(
      (exchange) => isUnkeyed(exchange) || isWrongKey(exchange),
      () => ({
        status: 401,
        ...makeMessage({ message: 'No API key found in request', request_id: 'b1946ac9' }),
        headers: [['WWW-Authenticate', 'Key realm="edge"']],
      }),
    ),
    breaks: lacksHeaders,
  },
  {
    title: 'a gateway that checks parameters, 400 in JSON',
    make: stopRequests(
      (exchange) => exchange.response?.status === 400 && isWithKey(exchange),
      () => ({ status: 400, ...makeMessage({ message: 'Missing required request parameters: [from]' }) }),
    ),
    breaks: lacksHeaders,
  },
  {
    title: 'a gateway that knows the paths of its service, 404 as a page',
    make: stopRequests(
      (exchange) =>
        !/^\/(tokens|(v2\/)?pools\/conversionRates\/(latest\/)?\d{1,9})(\?|$)/.test(readPath(exchange)),
      () => ({ status: 404, ...makePage('404 Not Found') }),
    ),
    breaks: lacksHeaders,
  },
  {
    title: 'a gateway that replaces all errors by its pages',
    make: stopRequests(isRefused, ({ response }) => ({
      status: response?.status ?? 500,
      ...makePage(`${response?.status} Error`),
    })),
    breaks: lacksHeaders,
  },
  {
    title: 'a gateway that replaces all errors by an empty body',
    make: stopRequests(isRefused, ({ response }) => ({ status: response?.status ?? 500 })),
    breaks: lacksHeaders,
  },
  {
    title: 'a limit of rate, 429 as a page, for every fourth request without a key',
    make: () => {
      let count = 0;
      return stopRequests(
        (exchange) => isUnkeyed(exchange) && ++count % 4 === 0,
        () => ({ status: 429, ...makePage('429 Too Many Requests'), headers: [['Retry-After', '1']] }),
      )();
    },
    breaks: lacksHeaders,
  },
  {
    title: 'a limit of rate with counters of its own, 429, after some wrong keys',
    make: stopAfter(8, () => ({
      status: 429,
      ...makeMessage({ error: 'local_rate_limited' }),
      headers: [
        ['x-ratelimit-limit', '10, 10;w=1'],
        ['x-ratelimit-remaining', '0'],
        ['x-ratelimit-reset', '1'],
      ],
    })),
    breaks: lacksHeaders,
    withholds: true,
  },
  {
    title: 'a ban, 403 as a page, after some wrong keys',
    make: stopAfter(6, () => ({ status: 403, ...makePage('Access denied | 1020') })),
    breaks: lacksHeaders,
  },
  {
    title: 'a load balancer that takes no long headers, 431',
    make: stopRequests(
      ({ request }) => request.credential === 'trial:very-long',
      () => ({ status: 431, headers: [['Connection', 'close']] }),
    ),
    breaks: lacksHeaders,
  },
  {
    title: 'a load balancer that knows GET alone, 405 as a page',
    make: stopRequests(isOtherMethod, () => ({
      status: 405,
      ...makePage('405 Not Allowed'),
      headers: [['Allow', 'GET']],
    })),
  },
  {
    title: 'a gateway that answers preflights itself, 204',
    make: stopRequests(
      ({ request }) => request.method === 'OPTIONS',
      () => ({
        status: 204,
        headers: [
          ['Access-Control-Allow-Origin', '*'],
          ['Access-Control-Allow-Headers', 'x-api-key'],
        ],
      }),
    ),
  },
  {
    title: 'a redirect of doubled slashes to the canonical path, 301',
    make: stopRequests(
      (exchange) => readPath(exchange).startsWith('//'),
      redirect(301, (url) => url.replace(/([^:])\/\//, '$1/')),
    ),
  },
  {
    title: 'a redirect of a slash at the end and of capitals, 308',
    make: stopRequests(
      (exchange) => /^\/tokens\/|^\/TOKENS/.test(readPath(exchange)),
      redirect(308, (url) => url.toLowerCase().replace(/\/$/, '')),
    ),
    breaks: lacksHeaders,
  },
  {
    title: 'a redirect of plain HTTP to the canonical host, 301',
    make: stopRequests(
      isPlainHttp,
      redirect(301, (url) => url.replace(/^http:\/\/[^/]+/, 'https://www.target.invalid')),
    ),
    breaks: ['transport/plain-http-leads-to-https'],
  },
  {
    title: 'nothing at the port of plain HTTP but a page of 400',
    make: stopRequests(isPlainHttp, () => ({
      status: 400,
      ...makePage('400 The plain HTTP request was sent to HTTPS port'),
    })),
  },
];

/** Adds lines to every answer. */
const addLines = (...lines: readonly HeaderLine[]): Edge['make'] =>
  changeHeaders((headers) => [...headers, ...lines]);

/** Changes how bytes are sent, whose number is another then. */
function encode(coding: string, share: number): Edge['make'] {
  return () => (exchange) => {
    const { response } = exchange;
    if (!response?.body || response.body.text === '') return exchange;
    const wireBytes = Math.ceil((response.body.wireBytes ?? 0) * share) + 20;
    const headers: HeaderLine[] = [
      ...dropHeaders(response.headers, /^content-(length|encoding)$/i),
      ['Content-Encoding', coding],
      ['Content-Length', String(wireBytes)],
      ['Vary', 'Accept-Encoding'],
    ];
    return { ...exchange, response: { ...response, headers, body: { ...response.body, wireBytes } } };
  };
}

function respell(spell: (name: string) => string): Edge['make'] {
  return changeHeaders((headers) => headers.map(([name, value]): HeaderLine => [spell(name), value]));
}

/** Changes the text of each success, and its length. */
function rewrite(change: (text: string) => string): Edge['make'] {
  return () => (exchange) => {
    const { response } = exchange;
    if (response?.status !== 200 || !response.body?.text) return exchange;
    const text = change(response.body.text);
    const bytes = Buffer.byteLength(text);
    const headers: HeaderLine[] = [
      ...dropHeaders(response.headers, /^(content-length|etag)$/i),
      ['Content-Length', String(bytes)],
    ];
    const body = { text, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes } as const;
    return { ...exchange, response: { ...response, headers, body } };
  };
}

/** Proxies and networks of delivery that pass everything on and change how it looks. */
const passingEdges: readonly Edge[] = [
  { title: 'gzip for every body', make: encode('gzip', 0.25) },
  { title: 'brotli for every body', make: encode('br', 0.2) },
  {
    title: 'bodies in chunks, without a length',
    make: changeHeaders((headers) => [
      ...dropHeaders(headers, /^content-length$/i),
      ['Transfer-Encoding', 'chunked'],
    ]),
  },
  {
    title: 'HTTP/1.0, which ends a body by closing the connection',
    make: () => (exchange) => {
      const { response } = exchange;
      if (!response) return exchange;
      const headers: HeaderLine[] = [
        ...dropHeaders(response.headers, /^(content-length|connection|keep-alive)$/i),
        ['Connection', 'close'],
      ];
      return { ...exchange, response: { ...response, httpVersion: 'HTTP/1.0', headers } };
    },
  },
  { title: 'names of headers in small letters', make: respell((name) => name.toLowerCase()) },
  { title: 'names of headers in capitals', make: respell((name) => name.toUpperCase()) },
  {
    title: 'two cookies on every answer',
    make: addLines(
      ['Set-Cookie', 'AWSALB=a1b2; Path=/; Expires=Wed, 18 Mar 2026 15:32:20 GMT'],
      ['Set-Cookie', '__cf_bm=c3d4; HttpOnly; Secure; SameSite=None'],
    ),
  },
  {
    title: 'lines of a proxy and of security on every answer',
    make: addLines(
      ['Via', '1.1 varnish, 1.1 edge (CloudFront)'],
      ['X-Cache', 'Miss from cloudfront'],
      ['CF-RAY', '8f0e-FRA'],
      ['Strict-Transport-Security', 'max-age=31536000'],
      ['Content-Security-Policy', "default-src 'none'"],
      ['Alt-Svc', 'h3=":443"; ma=86400'],
      ['Server-Timing', 'edge;dur=1'],
      ['Access-Control-Allow-Origin', '*'],
    ),
  },
  {
    title: 'the headers of another limit of rate beside those of the API',
    make: addLines(
      ['RateLimit-Limit', '100'],
      ['RateLimit-Remaining', '99'],
      ['RateLimit-Reset', '1'],
      ['X-RateLimit-Limit-Second', '100'],
    ),
  },
  {
    title: 'a cache that is forbidden to keep anything',
    make: changeHeaders((headers) => [
      ...dropHeaders(headers, /^cache-control$/i),
      ['Cache-Control', 'private, no-store'],
      ['Pragma', 'no-cache'],
      ['Age', '0'],
    ]),
  },
  {
    title: 'weak tags in place of strong ones',
    make: changeHeaders((headers) =>
      headers.map(
        ([name, value]): HeaderLine => [name, /^etag$/i.test(name) ? value.replace(/^"/, 'W/"') : value],
      ),
    ),
  },
  {
    title: 'no tags',
    make: changeHeaders((headers) => dropHeaders(headers, /^(etag|last-modified)$/i)),
  },
  {
    title: 'no Date',
    make: changeHeaders((headers) => dropHeaders(headers, /^date$/i)),
    breaks: ['transport/date-is-the-time'],
    withholds: true,
  },
  {
    title: 'a Date of its own, a second behind',
    make: changeHeaders((headers) =>
      headers.map(
        ([name, value]): HeaderLine => [
          name,
          /^date$/i.test(name) ? new Date(Date.parse(value) - 1000).toUTCString() : value,
        ],
      ),
    ),
  },
  {
    title: 'the media type in capitals, with its charset quoted',
    make: changeHeaders((headers) =>
      headers.map(
        ([name, value]): HeaderLine => [
          name,
          /^content-type$/i.test(name)
            ? value.replace(/^application\/json.*/, 'Application/JSON;charset="UTF-8"')
            : value,
        ],
      ),
    ),
  },
  {
    title: 'JSON with blanks and a line at its end',
    make: rewrite((text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`),
  },
];

/** Everything that may stand in front of a sound service. */
export const edges: readonly Edge[] = [...refusingEdges, ...passingEdges];
