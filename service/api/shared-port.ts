import { createServer, type Server, type Socket } from 'node:net';
import type { TrustedProxies } from './admission/client-address.ts';
import { Turnstile } from './admission/turnstile.ts';

/** First byte of every TLS handshake record. */
const TLS_HANDSHAKE = 0x16;
const FIRST_BYTE_WITHIN = 10_000;

/** A TCP server that hands each connection to `secure` or `plain`, by its first byte; what is too many is dropped. */
export function sharedPort(
  secure: Server,
  plain: Server,
  limits: { readonly maxConnections: number; readonly maxConnectionsOfOne: number },
  trusted: TrustedProxies,
): Server {
  const turnstile = new Turnstile(limits.maxConnectionsOfOne, trusted);
  const shared = createServer((socket) => {
    if (!turnstile.admits(socket)) {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    socket.setTimeout(FIRST_BYTE_WITHIN, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes: Buffer) =>
      handOver(socket, bytes, bytes[0] === TLS_HANDSHAKE ? secure : plain),
    );
  });
  shared.maxConnections = limits.maxConnections;
  // The two never listen themselves, yet they look out for slow requests only between these two events.
  for (const server of [secure, plain]) {
    shared.on('listening', () => server.emit('listening'));
    shared.on('close', () => server.close());
  }
  return shared;
}

function handOver(socket: Socket, bytes: Buffer, server: Server): void {
  socket.setTimeout(0);
  socket.removeAllListeners('timeout');
  socket.pause();
  socket.unshift(bytes);
  server.emit('connection', socket);
  process.nextTick(() => socket.resume());
}
