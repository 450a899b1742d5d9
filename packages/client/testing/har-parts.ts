import {
  type Body,
  type Exchange,
  type HeaderLine,
  headerValues,
  type Recording,
} from '@candleproof/law/reading/exchange';

/** An object of parsed JSON. */
export type HarObject = Record<string, unknown>;

/**
 * Returns the exchanges that a client would produce: valid requests with the one key, and one that the target refused.
 */
export function exchangesOf({ exchanges }: Recording): Exchange[] {
  const keyed = exchanges.filter(
    ({ request, response }) => request.method === 'GET' && request.credential === 'api-key' && response,
  );
  return keyed.filter(
    ({ response, request }) => response?.status === 200 || /poolId|interval/.test(request.url),
  );
}

/** Returns a HAR 1.2 file with a named creator. */
export function har(name: string, entries: readonly HarObject[]): HarObject {
  return { log: { version: '1.2', creator: { name, version: '1' }, pages: [], entries } };
}

/** Returns header lines in HAR's form. */
export function lines(headers: readonly HeaderLine[]): HarObject[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** A real key, because a marker would reveal its credential to the reader. */
const key = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF';

/** Returns HAR timings of a reused connection, with the total time as the wait. */
export function waitingTimings({ timings }: Exchange): HarObject {
  return { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: timings.total, receive: 0 };
}

/** Returns a request in HAR's form. */
export function requestOf(
  { request }: Exchange,
  version: string,
  first: readonly HeaderLine[] = [],
): HarObject {
  const headers = request.headers.map(
    ([name, value]): HeaderLine => (name.toLowerCase() === 'x-api-key' ? [name, key] : [name, value]),
  );
  const { method, url } = request;
  return {
    ...{ method, url, httpVersion: version, headers: lines([...first, ...headers]) },
    ...{ queryString: [], cookies: [], headersSize: -1, bodySize: 0 },
  };
}

export type Content = (body: Body, exchange: Exchange) => HarObject;

/** Returns a response in HAR's form. */
export function responseOf(
  exchange: Exchange,
  version: string,
  content: Content,
  first: readonly HeaderLine[] = [],
): HarObject {
  const { status = 0, statusText = '', headers = [], body } = exchange.response ?? {};
  const mimeType = headerValues(headers, 'content-type')[0] ?? 'x-unknown';
  return {
    ...{ status, statusText, httpVersion: version, headers: lines([...first, ...headers]), cookies: [] },
    content: { mimeType, ...(body && content(body, exchange)) },
    ...{ redirectURL: '', headersSize: -1, bodySize: -1 },
  };
}

/** Returns the whole body as HAR content. */
export const wholeBody: Content = ({ text, decodedBytes = 0 }) => ({ size: decodedBytes, text });

/** Returns the bytes of a body. */
export function bytesOf({ text }: Body): Buffer {
  return Buffer.from(text, 'utf8');
}

/** Returns the time this many ms after the end of an exchange. */
export function addMilliseconds({ startedAt, timings }: Exchange, ms: number): string {
  return new Date(Date.parse(startedAt) + timings.total + ms).toISOString();
}
