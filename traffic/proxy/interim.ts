import type { InformationEvent, ServerResponse } from 'node:http';
import { pairHeaderLines } from '../../contract/reading/exchange.ts';
import { passedOn } from './hop-by-hop.ts';

/** Interim answers (1xx) to one request that are passed on; more of them are dropped. */
export const mostInterim = 16;

/** With so many an upstream is not going to answer. */
export const endlessInterim = 1000;

/** Passes an interim answer on as it stood. False where it is dropped: the client has not read what came before. */
export function passInterim(
  response: ServerResponse,
  { statusCode, statusMessage, rawHeaders }: InformationEvent,
): boolean {
  const { socket } = response;
  if (socket === null || response.headersSent || statusCode === 101) return true;
  if (response.req.httpVersion === '1.0') return true;
  if (socket.writableNeedDrain) return false;
  const lines = pairHeaderLines(passedOn(rawHeaders)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
  return true;
}
