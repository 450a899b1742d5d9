import type { Exchange, HeaderLine } from '@candleproof/law/reading/exchange';

/** Something in front of a sound service; `make` returns its effect on one exchange after the other. */
export type NetworkEdge = {
  readonly title: string;
  make(): (exchange: Exchange) => Exchange;
  /** Rules of good practice that it breaks; no edge breaks a must. */
  readonly breaks?: readonly string[];
  /** The service behind it answers errors with a bare message, as many gateways do. */
  readonly isPlain?: true;
  /** It withholds what decides a must, so that a run may be inconclusive. */
  readonly withholds?: true;
};

/** An answer of something other than the API: it has none of its headers but the Date. */
export type EdgeReply = {
  readonly status: number;
  readonly type?: string;
  readonly text?: string;
  readonly headers?: readonly HeaderLine[];
};

/** Rules that an edge breaks which refuses requests without the headers of the API. */
export const lacksHeaders = ['quota/gateways-carry-the-headers'];

/** Replaces the answer. */
export function replyAtEdge(
  exchange: Exchange,
  { status, type, text = '', headers = [] }: EdgeReply,
): Exchange {
  const { response, failure: _, ...rest } = exchange;
  const kept = (response?.headers ?? []).filter(([name]) => name.toLowerCase() === 'date');
  const shown = exchange.request.method === 'HEAD' ? '' : text;
  const bytes = Buffer.byteLength(shown);
  const lines: HeaderLine[] = [
    ...kept,
    ['Server', 'edge'],
    ...(type === undefined ? [] : [['Content-Type', type] as const]),
    ...(status === 204 ? [] : [['Content-Length', String(Buffer.byteLength(text))] as const]),
    ...headers,
  ];
  const body = { text: shown, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes } as const;
  return { ...rest, response: { status, statusText: '', httpVersion: 'HTTP/1.1', headers: lines, body } };
}

/** Changes the header lines of every answer. */
export function changeHeaders(
  change: (headers: readonly HeaderLine[], exchange: Exchange) => readonly HeaderLine[],
): NetworkEdge['make'] {
  return () => (exchange) => {
    const { response } = exchange;
    if (!response) return exchange;
    return { ...exchange, response: { ...response, headers: change(response.headers, exchange) } };
  };
}

/** Answers the requests that something in front stops. */
export function stopRequests(
  stops: (exchange: Exchange) => boolean,
  reply: (exchange: Exchange) => EdgeReply,
): NetworkEdge['make'] {
  return () => (exchange) => (stops(exchange) ? replyAtEdge(exchange, reply(exchange)) : exchange);
}

/** Returns the lines of other names. */
export function dropHeaders(headers: readonly HeaderLine[], names: RegExp): HeaderLine[] {
  return headers.filter(([name]) => !names.test(name));
}

/** Returns the path and query after the base address. */
export function readPath({ request }: Exchange): string {
  return request.url.replace(/^https?:\/\/[^/]+/, '');
}

/** Returns whether a request carries the run's key, or the second one. */
export function isWithKey({ request: { credential } }: Exchange): boolean {
  return credential === 'api-key' || credential === 'trial:other-key';
}

/** Returns whether a request came over plain HTTP. */
export function isPlainHttp({ request }: Exchange): boolean {
  return request.url.startsWith('http:');
}

/** Returns a page as gateways show it. */
export function makePage(title: string): Pick<EdgeReply, 'type' | 'text'> {
  return {
    type: 'text/html',
    text: `<html>\r\n<head><title>${title}</title></head>\r\n<body><center><h1>${title}</h1></center></body>\r\n</html>\r\n`,
  };
}

/** Returns a JSON body as gateways send it. */
export function makeMessage(content: unknown, type = 'application/json'): Pick<EdgeReply, 'type' | 'text'> {
  return { type, text: JSON.stringify(content) };
}
