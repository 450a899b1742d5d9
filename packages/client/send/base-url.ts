import { isLoopback } from '@candleproof/law/reading/exchange';
import { ClientError } from './failure.ts';

export { isLoopback };

/** The base URL of a target, without anything that could be a secret. */
export type BaseUrl = {
  /** Host name or address for a socket, IPv6 without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** True for plain HTTP, which is allowed only on loopback. */
  readonly isPlain: boolean;
  /** The Host header: IPv6 with brackets, and with the port unless it is the protocol's default. */
  readonly host: string;
  readonly origin: string;
  /** Path without a trailing slash, '' for the root. */
  readonly pathPrefix: string;
};

/**
 * Parses a target's base URL. §5 allows HTTPS only; HTTP is accepted on loopback, where nothing leaves the machine.
 * @throws ClientError that names the disallowed part, and never quotes credentials
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null) throw new ClientError('The base URL is not a URL: give one such as https://host/path.');
  const refuse = (what: string, mend: string): never => {
    throw new ClientError(`The base URL for ${url.host || 'no host'} ${what}: ${mend}.`);
  };
  const isPlain = url.protocol === 'http:' && isLoopback(text);
  if (url.protocol !== 'https:' && !isPlain)
    refuse(`begins with ${url.protocol}`, 'only https: is spoken (§5), and http: on loopback');
  if (url.username || url.password) refuse('holds credentials', 'give the key by file or environment');
  if (text.includes('?')) refuse('holds a query', 'take off everything from the ?');
  if (text.includes('#')) refuse('holds a fragment', 'take off everything from the #');
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isPlain ? 80 : 443) : Number(url.port),
    isPlain,
    host: url.host,
    origin: url.origin,
    pathPrefix: url.pathname.replace(/\/+$/, ''),
  };
}

/** Returns the port that plain HTTP would be served on: 80, or the one that the base URL names. */
export function plainPort({ port }: BaseUrl): number {
  return port === 443 ? 80 : port;
}

/** Returns the origin under which a plain HTTP request is recorded. */
export function plainOrigin({ origin }: BaseUrl): string {
  return origin.replace('https:', 'http:');
}
