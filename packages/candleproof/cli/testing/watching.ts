import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ready, start } from '@candleproof/command/command';

/** A monitor that runs until it has to stop, with what it says on both streams. */
export type RunningMonitor = {
  readonly said: () => { readonly stdout: string; readonly stderr: string };
  /** Resolves to the first line of its log that has the message, or to a later one by its number. */
  line(message: string, number?: number): Promise<Record<string, unknown>>;
  hangUp(): void;
  stop(): Promise<number | null>;
};

/** Starts `candleproof monitor` in a separate folder. */
export function watching(args: readonly string[], changes: Record<string, string>): RunningMonitor {
  const child = start(['monitor', ...args], { LOG_LEVEL: 'info', ...changes });
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    said: () => said,
    async line(message, number = 1) {
      for (;;) {
        const lines = said.stderr.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
        const all = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
        const found = all[number - 1];
        if (found) return found;
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${said.stderr}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    hangUp: () => child.kill('SIGHUP'),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** A config that watches one served target from a location; returns its file. */
export function watchConfig(
  folder: string,
  { url, apiKeyFile, caFile, poolsV1, poolsV2 }: Ready,
  location: string,
): string {
  const every = { every: '10s' };
  const config = {
    version: 1,
    keys: { main: { file: apiKeyFile, limit: 10_000_000 } },
    targets: {
      shop: {
        baseUrl: url,
        key: 'main',
        caFile,
        pools: { v1: poolsV1.slice(0, 1), v2: poolsV2.slice(0, 1) },
      },
    },
    monitor: { location, listen: '127.0.0.1:0' },
    probes: {
      tokens: { operation: 'listTokens', ...every },
      history: { operation: 'listV2PoolCandles', ...every },
      latest: { operation: 'getLatestV1PoolCandle', ...every },
    },
  };
  const file = join(folder, `${location}.yaml`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}
