import { createServer, type Server, type Socket } from 'node:net';
import { clientNetwork, normalizeAddress, type TrustedProxies } from './admission/pacing.ts';

/** First byte of every TLS handshake record. */
const TLS_HANDSHAKE = 0x16;
const FIRST_BYTE_WITHIN = 10_000;

/** Creates a TCP server that passes connections to `secure` or `plain` by their first byte, and drops those beyond a limit. */
export function createSharedPort(
  secure: Server,
  plain: Server,
  limits: { readonly maxConnections: number; readonly maxConnectionsOfOne: number },
  trusted: TrustedProxies,
): Server {
  const turnstile = new ConnectionLimiter(limits.maxConnectionsOfOne, trusted);
  const shared = createServer((socket) => {
    if (!turnstile.admit(socket)) {
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
  // These servers never listen themselves, but they time out slow requests only between these two events.
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

/** Limits the open connections per client, so that none can use up all of them. Trusted proxies have no limit. */
class ConnectionLimiter {
  readonly #most: number;
  readonly #trusted: TrustedProxies;
  readonly #open = new Map<string, number>();

  constructor(most: number, trusted: TrustedProxies) {
    this.#most = most;
    this.#trusted = trusted;
  }

  /** Counts a connection and returns true, or returns false when its client has too many. */
  admit(socket: Socket): boolean {
    const address = normalizeAddress(socket.remoteAddress ?? '');
    if (address === undefined) return false;
    if (this.#trusted.has(address)) return true;
    const client = clientNetwork(address);
    const open = this.#open.get(client) ?? 0;
    if (open >= this.#most) return false;
    this.#open.set(client, open + 1);
    socket.once('close', () => this.#leave(client));
    return true;
  }

  #leave(client: string): void {
    const open = (this.#open.get(client) ?? 0) - 1;
    if (open > 0) this.#open.set(client, open);
    else this.#open.delete(client);
  }
}
