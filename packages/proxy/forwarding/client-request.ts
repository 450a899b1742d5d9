import type { ClientRequest, IncomingMessage } from 'node:http';
import { pairHeaderLines } from '@candleproof/law/reading/exchange';
import type { OurAnswer } from './client-answer.ts';
import { codingOf, lineOf, type RawLines, valuesOf } from './hop-by-hop.ts';

/** A host and a port (RFC 3986 §3.2); empty if the service has no name. */
const hostForm = /^(?:\[[\da-f:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?$/i;

/**
 * Returns why a request is refused instead of passed on (RFC 9112 §3.2, §6.1): others would interpret it differently.
 */
export function faultOf({ url, httpVersion, rawHeaders }: IncomingMessage): OurAnswer | undefined {
  // An absolute address or `*` is for a forward proxy, or for a whole server.
  if (!url?.startsWith('/')) return refusalAnswer('the request names no path of this service');
  const hosts = valuesOf(rawHeaders, 'host');
  if (hosts.length > 1) return refusalAnswer('the request has more than one Host');
  if (hosts.length === 0 && httpVersion !== '1.0') return refusalAnswer('the request has no Host');
  if (!hostForm.test(hosts[0] ?? '')) return refusalAnswer('the Host is none that a service can have');
  const coding = codingOf(rawHeaders);
  if (coding === 'unclear') return refusalAnswer('the transfer codings leave open where the body ends');
  if (coding !== 'none' && httpVersion === '1.0') return refusalAnswer('HTTP/1.0 knows no transfer coding');
  return undefined;
}

function refusalAnswer(detail: string): OurAnswer {
  return { status: 400, detail, isLast: true };
}

/** Returns whether a request has a body. */
export function hasBody(lines: RawLines): boolean {
  return lineOf(lines, 'transfer-encoding') !== undefined || Number(lineOf(lines, 'content-length') ?? 0) > 0;
}

/**
 * Passes the body on as it arrives, then its trailers. A client that expects 100 Continue sends the body after it, or
 * after a wait (RFC 9110 §10.1.1); we cannot know which.
 */
export function passBody(request: IncomingMessage, sent: ClientRequest): void {
  request.on('end', () => {
    try {
      if (request.rawTrailers.length > 0) sent.addTrailers(pairHeaderLines(request.rawTrailers));
    } catch {
      // Node cannot write this field; RFC 9110 §6.5.1 allows omitting it.
    }
    sent.end();
  });
  request.pipe(sent, { end: false });
}
