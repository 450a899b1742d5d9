import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KEY } from '../http/testing/targets.ts';
import { candleproof } from './command.ts';

/** The end of a check and its cost: seconds of processor time, and MiB of memory at its peak. */
export type HostileCheck = {
  readonly code: number | null;
  readonly headline: string;
  readonly seconds: number;
  readonly mib: number;
};

const peakMemory = pathToFileURL(join('testing', 'peak-memory.ts')).href;

/** Checks a target with the command that users run; its artefacts lie in the folder. */
export async function checkHostile(baseUrl: string, ca: string, folder: string): Promise<HostileCheck> {
  mkdirSync(folder, { recursive: true });
  const [caFile, keyFile, peakFile] = ['ca.pem', 'key', 'peak'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(caFile, ca);
  writeFileSync(keyFile, KEY);
  const flags = ['--base-url', baseUrl, '--api-key-file', keyFile, '--ca-file', caFile];
  const plan = ['--pools-v1', '1', '--pools-v2', '1', '--budget', '16', '--out', folder];
  const { code, stdout } = await candleproof(['check', ...flags, ...plan], {
    NODE_OPTIONS: `--import=${peakMemory}`,
    PEAK_MEMORY_FILE: peakFile,
  });
  const { seconds, mib } = JSON.parse(readFileSync(peakFile, 'utf8'));
  return { code, headline: stdout.split('\n')[0] ?? '', seconds, mib };
}
