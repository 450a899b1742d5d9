import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveLogging } from '@candleproof/command/command';
import { CountingClient, upTo } from '@candleproof/command/counted-requests';

const [requests, warmUp, connections] = [40_000, 20_000, 64];

type Figures = { readonly requests: number; readonly aSecond: number; readonly p99: number };

/**
 * Measures 40,000 requests with one key from 64 connections to `candleproof serve`, after as many as warm up its workers:
 * requests per second, and the slowest hundredth in ms. Throws if a number is missing or comes twice.
 */
export async function requestsServed(...flags: string[]): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-served-'));
  const served = await serveLogging('warn', folder, '--quota-limit', '1000000', ...flags);
  const client = new CountingClient(served.ready, connections);
  try {
    const used = await numbers(client, warmUp, []);
    const waits: number[] = [];
    const began = performance.now();
    used.push(...(await numbers(client, requests, waits)));
    const seconds = (performance.now() - began) / 1000;
    used.sort((a, b) => a - b);
    if (!upTo(requests + warmUp).every((number, index) => used[index] === number))
      throw new Error(`the numbers of ${requests + warmUp} requests are not exact`);
    waits.sort((a, b) => a - b);
    return { requests, aSecond: requests / seconds, p99: waits[Math.floor(requests * 0.99)] ?? 0 };
  } finally {
    client.close();
    await served.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The key's use as each answer reports it; as many wait for one as there are connections. */
async function numbers(client: CountingClient, count: number, waits: number[]): Promise<number[]> {
  const used: number[] = [];
  let left = count;
  const connection = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await client.request();
      if (answer.status !== 304) throw new Error(`a request was answered with ${answer.status}`);
      used.push(answer.used);
      waits.push(answer.tookMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return used;
}
