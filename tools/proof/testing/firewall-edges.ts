import type { Exchange } from '@candleproof/law/reading/exchange';
import {
  isPlainHttp,
  isWithKey,
  lacksHeaders,
  makeMessage,
  makePage,
  type NetworkEdge,
  readPath,
  stopRequests,
} from './edge-replies.ts';

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

/** Stops clients that were refused more than a few times, as guards against guessing do. */
function stopAfter(most: number, reply: Parameters<typeof stopRequests>[1]): NetworkEdge['make'] {
  return () => {
    let refused = 0;
    return (exchange) => {
      const isGuess = (isWrongKey(exchange) || isUnkeyed(exchange)) && isRefused(exchange);
      refused += isGuess ? 1 : 0;
      return stopRequests(() => isGuess && refused > most, reply)()(exchange);
    };
  };
}

/** Firewalls and gateways that refuse keys and parameters before the service sees them. */
export const firewallEdges: readonly NetworkEdge[] = [
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
    title: 'a gateway that redirects requests without a key to a login, 302',
    make: stopRequests(isUnkeyed, () => ({ status: 302, headers: [['Location', 'https://login.invalid/']] })),
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
];
