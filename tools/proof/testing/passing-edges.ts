import type { HeaderLine } from '@candleproof/law/reading/exchange';
import { changeHeaders, dropHeaders, type NetworkEdge } from './edge-replies.ts';

/** Adds lines to every answer. */
const addLines = (...lines: readonly HeaderLine[]): NetworkEdge['make'] =>
  changeHeaders((headers) => [...headers, ...lines]);

/** Changes how bytes are sent, whose number is another then. */
function encode(coding: string, share: number): NetworkEdge['make'] {
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

function respell(spell: (name: string) => string): NetworkEdge['make'] {
  return changeHeaders((headers) => headers.map(([name, value]): HeaderLine => [spell(name), value]));
}

/** Changes the text of each success, and its length. */
function rewrite(change: (text: string) => string): NetworkEdge['make'] {
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
export const passingEdges: readonly NetworkEdge[] = [
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
