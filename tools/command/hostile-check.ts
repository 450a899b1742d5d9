import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KEY } from '@candleproof/client/testing/targets';
import type { Ended } from '@candleproof/testing/environment';
import { candleproof } from './command.ts';

/** The end of a command and its cost: seconds of processor time, and MiB of memory at its peak. */
export type Measured = Ended & { readonly seconds: number; readonly mib: number };

const peakMemory = pathToFileURL('tools/testing/peak-memory.ts').href;

/** Runs a command in a process of its own and measures it; the folder keeps the figures. */
export async function measureCommand(args: readonly string[], folder: string): Promise<Measured> {
  mkdirSync(folder, { recursive: true });
  const peakFile = join(folder, 'peak');
  const ended = await candleproof(args, {
    NODE_OPTIONS: `--import=${peakMemory}`,
    PEAK_MEMORY_FILE: peakFile,
  });
  return { ...ended, ...JSON.parse(readFileSync(peakFile, 'utf8')) };
}

/** Checks a target with the command that users run; its artefacts lie in the folder. */
export async function checkHostile(
  baseUrl: string,
  ca: string,
  folder: string,
): Promise<Measured & { readonly headline: string }> {
  mkdirSync(folder, { recursive: true });
  const [caFile, keyFile] = [join(folder, 'ca.pem'), join(folder, 'key')];
  writeFileSync(caFile, ca);
  writeFileSync(keyFile, KEY);
  const flags = ['--base-url', baseUrl, '--api-key-file', keyFile, '--ca-file', caFile];
  // Some seeds send a HEAD request, which a target may well answer whose bodies never end.
  const plan = ['--pools-v1', '1', '--pools-v2', '1', '--budget', '16', '--seed', '1', '--out', folder];
  const measured = await measureCommand(['check', ...flags, ...plan], folder);
  return { ...measured, headline: measured.stdout.split('\n')[0] ?? '' };
}
