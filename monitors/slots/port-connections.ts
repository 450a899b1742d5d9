import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export type ConnectionLimits = { readonly perAddress: number; readonly inAll: number };

/**
 * Keeps the connections of a server below its limits: beyond them the oldest one of the same address goes, or of the
 * address that has most. Nobody who holds connections open can keep a new one from being answered, such as that of a
 * probe which decides whether this process is to be started again.
 */
export function limitConnections(server: Server, { perAddress, inAll }: ConnectionLimits): void {
  /** The oldest first. */
  const byAddress = new Map<string, Set<Socket>>();
  let count = 0;
  const endOldest = (sockets: ReadonlySet<Socket>): void => {
    const [oldest] = sockets;
    oldest?.destroy();
    if (oldest) forget(oldest, sockets as Set<Socket>);
  };
  const forget = (socket: Socket, sockets: Set<Socket>): void => {
    if (sockets.delete(socket)) count -= 1;
  };
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const own = byAddress.get(address) ?? new Set();
    if (own.size >= perAddress) endOldest(own);
    else if (count >= inAll) endOldest(largest(byAddress));
    byAddress.set(address, own.add(socket));
    count += 1;
    socket.once('close', () => {
      forget(socket, own);
      if (own.size === 0 && byAddress.get(address) === own) byAddress.delete(address);
    });
  });
}

function largest(byAddress: ReadonlyMap<string, ReadonlySet<Socket>>): ReadonlySet<Socket> {
  return [...byAddress.values()].reduce((most, each) => (each.size > most.size ? each : most), new Set());
}
