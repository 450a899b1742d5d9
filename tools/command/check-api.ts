import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Ended } from '@candleproof/testing/environment';
import { candleproof } from './command.ts';

/** A target described by a separate document. */
export type DescribedTarget = {
  readonly baseUrl: string;
  readonly ca: string;
  readonly pools: readonly string[];
  readonly document: string;
  /** Its key, if it needs one. */
  readonly key?: string;
  /** Further flags of the command. */
  readonly flags?: readonly string[];
};

/** The result of a check, with its run if it wrote one. */
export type CheckedApi = Ended & { readonly run?: Run };

/** Checks a target with the command that users run; its files lie in the folder. */
export async function checkApi(target: DescribedTarget, folder: string): Promise<CheckedApi> {
  const { baseUrl, ca, pools, document, key, flags: further = [] } = target;
  mkdirSync(folder, { recursive: true });
  const [caFile, keyFile, out] = ['ca.pem', 'key', 'run'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(caFile, ca);
  if (key) writeFileSync(keyFile, key);
  const flags = [
    '--spec',
    document,
    '--pools',
    pools.join(','),
    '--ca-file',
    caFile,
    '--out',
    out,
    ...further,
  ];
  const ended = await candleproof(['check', baseUrl, ...flags, ...(key ? ['--api-key-file', keyFile] : [])]);
  const file = join(out, 'run.json');
  return { ...ended, ...(existsSync(file) && { run: JSON.parse(readFileSync(file, 'utf8')) as Run }) };
}
