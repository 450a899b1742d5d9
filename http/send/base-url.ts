import { ClientError } from './failure.ts';

/** The address of a target, without anything that could be a secret. */
export type BaseUrl = {
  /** Host name or address as sockets take it, IPv6 without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Plain HTTP, which only loopback may speak. */
  readonly isPlain: boolean;
  /** The Host header: with brackets, and with the port unless it is the protocol's. */
  readonly host: string;
  readonly origin: string;
  /** Path without a trailing slash, '' for the root. */
  readonly pathPrefix: string;
};

/**
 * Reads a target's base address; §5 allows HTTPS only, and nothing leaves the machine over HTTP on loopback.
 * @throws ClientError naming what a base URL may not carry. Credentials in it are never quoted.
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

/** The origin under which a plain request is recorded. */
export function plainOrigin({ origin }: BaseUrl): string {
  return origin.replace('https:', 'http:');
}

/** The target is on this machine. */
export function isLoopback(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? '';
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);
}
