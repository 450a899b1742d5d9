import { createServer, type Server, type Socket } from 'node:net';
import { clientNetwork, normalizeAddress, type TrustedProxies } from './admission/pacing.ts';

/** First byte of every TLS handshake record. */
const TLS_HANDSHAKE = 0x16;
const FIRST_BYTE_WITHIN = 10_000;

/** Creates a TCP server that passes connections to `secure` or `plain` by their first byte, and drops those beyond a limit. */
export function createSharedPort(
  secure: Server,
  plain: Server,
  maxConnections: number,
  turnstile: ConnectionLimiter,
): Server {
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
  shared.maxConnections = maxConnections;
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

type ConnectionLimits = {
  readonly maxConnectionsOfOne: number;
  readonly maxConnectionsWithoutKey: number;
};

/**
 * Limits the open connections per client, so that none can use up all of them, and those without an accepted key, so
 * that many clients together cannot either. Trusted proxies have no limit.
 */
export class ConnectionLimiter {
  readonly #limits: ConnectionLimits;
  readonly #trusted: TrustedProxies;
  readonly #open = new Map<string, number>();
  /** Connections without an accepted key, by their peer; the one longest idle first. */
  readonly #keyless = new Map<string, Socket>();

  constructor(limits: ConnectionLimits, trusted: TrustedProxies) {
    this.#limits = limits;
    this.#trusted = trusted;
  }

  /** Counts a connection and returns true, or returns false when its client has too many. */
  admit(socket: Socket): boolean {
    const address = normalizeAddress(socket.remoteAddress ?? '');
    if (address === undefined) return false;
    if (this.#trusted.has(address)) return true;
    const client = clientNetwork(address);
    const open = this.#open.get(client) ?? 0;
    if (open >= this.#limits.maxConnectionsOfOne) return false;
    this.#open.set(client, open + 1);
    const peer = namePeer(socket);
    this.#addKeyless(peer, socket);
    socket.once('close', () => {
      this.#leave(client);
      if (this.#keyless.get(peer) === socket) this.#keyless.delete(peer);
    });
    return true;
  }

  /** Notes a request of a connection, or of the TLS connection over it. */
  noteRequest(socket: Socket, hasKey: boolean): void {
    const peer = namePeer(socket);
    const keyless = this.#keyless.get(peer);
    if (keyless === undefined) return;
    this.#keyless.delete(peer);
    if (!hasKey) this.#keyless.set(peer, keyless);
  }

  #addKeyless(peer: string, socket: Socket): void {
    if (this.#keyless.size >= this.#limits.maxConnectionsWithoutKey) {
      const [idle] = this.#keyless;
      if (idle) this.#keyless.delete(idle[0]);
      idle?.[1].destroy();
    }
    this.#keyless.set(peer, socket);
  }

  #leave(client: string): void {
    const open = (this.#open.get(client) ?? 0) - 1;
    if (open > 0) this.#open.set(client, open);
    else this.#open.delete(client);
  }
}

/** Names the peer of an open connection; a TLS connection has the name of the one below it. */
function namePeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
