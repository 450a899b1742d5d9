import type { InformationEvent, ServerResponse } from 'node:http';
import { linesOf } from '../../contract/reading/raw-lines.ts';
import { passedOn } from './hop-by-hop.ts';

/**
 * Passes an interim answer (1xx) on as it stood. Where the connection still carries an earlier answer it is left out,
 * as RFC 9110 §15.2 allows.
 */
export function interim(
  response: ServerResponse,
  { statusCode, statusMessage, rawHeaders }: InformationEvent,
): void {
  const { socket } = response;
  if (socket === null || response.headersSent || statusCode === 101) return;
  if (response.req.httpVersion === '1.0') return;
  const lines = linesOf(passedOn(rawHeaders)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
}
