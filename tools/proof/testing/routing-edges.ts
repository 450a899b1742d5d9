import type { Exchange } from '@candleproof/law/reading/exchange';
import {
  isPlainHttp,
  lacksHeaders,
  makePage,
  type NetworkEdge,
  readPath,
  stopRequests,
} from './edge-replies.ts';

const isOtherMethod = ({ request: { method } }: Exchange): boolean => method !== 'GET';

const redirect = (status: number, rewrite: (path: string) => string) => (exchange: Exchange) => ({
  status,
  ...makePage(`${status} Moved`),
  headers: [['Location', rewrite(exchange.request.url)] as const],
});

/** Balancers and routers that answer some methods, paths and headers themselves. */
export const routingEdges: readonly NetworkEdge[] = [
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
    title: 'a page, 200, for every path that is no operation',
    make: stopRequests(
      (exchange) => /^\/(\/tokens|tokens\/|TOKENS|no-such-path)/.test(readPath(exchange)),
      () => ({ status: 200, ...makePage('Welcome') }),
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
