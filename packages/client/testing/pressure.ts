import type { Exchange } from '@candleproof/law/reading/exchange';

export const MIB = 1024 * 1024;

/** Writes the block repeatedly, as fast as the other side reads, and lets other sockets of this process take turns. */
export function flood(socket: NodeJS.WritableStream & { destroyed?: boolean }, block: string | Buffer): void {
  const more = (): void => {
    if (socket.destroyed) return;
    if (socket.write(block)) setImmediate(more);
    else socket.once('drain', () => setImmediate(more));
  };
  more();
}

/** Returns the exchange of a send, the processor time of this process and the peak growth of its memory meanwhile. */
export async function measureMemory(
  send: () => Promise<Exchange>,
): Promise<{ exchange: Exchange; processorMs: number; grownMib: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const begun = process.cpuUsage();
  const exchange = await send().finally(() => clearInterval(watch));
  const { user, system } = process.cpuUsage(begun);
  return { exchange, processorMs: (user + system) / 1000, grownMib: (peak - before) / MIB };
}
