import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Admission } from './admission.ts';
import { answerUnread, type OurAnswer } from './client-answer.ts';
import type { OnNotPassed, ProxyLimits } from './limits.ts';
import { maxHeaderBytes } from './upstream.ts';

export type Certificate = { readonly certPem: string; readonly keyPem: string };

export type ListenerPlan = {
  readonly certificate: Certificate | undefined;
  readonly limits: ProxyLimits;
  readonly admission: Admission;
  readonly pass: RequestListener;
  readonly onNotPassed: OnNotPassed;
};

/** Longest time in ms for a whole request. */
const wholeRequestMs = 300_000;

/** Creates the server for clients: it reads requests within the time limits, and rejects unreadable ones. */
export function createListener({ certificate, limits, admission, pass, onNotPassed }: ListenerPlan): Server {
  const { headerMs, idleMs } = limits;
  const options = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headerMs,
    requestTimeout: Math.max(headerMs, wholeRequestMs),
    connectionsCheckingInterval: Math.min(headerMs, 1000),
    keepAliveTimeout: idleMs,
    // Checked with the other faults of a request.
    requireHostHeader: false,
  };
  const server = certificate
    ? createServer(
        { ...options, handshakeTimeout: headerMs, cert: certificate.certPem, key: certificate.keyPem },
        pass,
      )
    : createPlainServer(options, pass);
  server.timeout = idleMs;
  // Headers are limited by size; a limit of their number would drop lines silently.
  server.maxHeadersCount = 0;
  // Without these handlers Node would answer 100 itself, regardless of the upstream.
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
  const refused = new WeakSet<Socket>();
  const refuse = (socket: Socket, answer: OurAnswer): void => {
    // Anything after unreadable input is unreadable too.
    if (refused.has(socket)) return;
    refused.add(socket);
    const connection = admission.connectionOf(socket);
    // The rest of a body that is no longer needed.
    if (connection?.isAnswered && !connection.isWhole) {
      connection.runWhenAnswered(() => socket.destroy());
      return;
    }
    onNotPassed(answer.status === 408 ? 'header too late' : 'malformed');
    const answerIt = (): void => answerUnread(socket, answer);
    if (connection === undefined) answerIt();
    // Earlier requests are answered first.
    else if (connection.isWhole) connection.runWhenAnswered(answerIt);
    else if (connection.isUnanswered) answerIt();
    else socket.destroy();
  };
  server.on('connect', (_request, socket) =>
    refuse(socket as Socket, { status: 501, detail: 'CONNECT is not spoken here' }),
  );
  server.on('clientError', (error: ReadError, stream) => {
    const socket = stream as Socket;
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, answerTo(error));
  });
  return server;
}

type ReadError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

/** A request line that is valid except for an unknown method. */
const foreignMethod = /^[!#$%&'*+\-.^_`|~\w]+ \S+ HTTP\/1\.[01]\r?\n/;

function answerTo({ code, rawPacket, bytesParsed }: ReadError): OurAnswer {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, detail: 'the request came too slowly' };
  if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, detail: 'the headers are too long' };
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return { status: 413, detail: 'the chunk extensions are too long' };
  if (code === 'HPE_INVALID_METHOD') {
    const text = rawPacket?.toString('latin1') ?? '';
    // Earlier requests may be in the same packet.
    const from = text.lastIndexOf('\r\n\r\n', bytesParsed);
    if (foreignMethod.test(text.slice(from < 0 ? 0 : from + 4)))
      return { status: 501, detail: 'the method is unknown here' };
  }
  return { status: 400, detail: 'the request cannot be read' };
}
