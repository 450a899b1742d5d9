import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stringify } from 'yaml';
import type { PoolsBySpace } from '../../contract/document/spec.ts';
import { usualShares } from '../../planning/allowance.ts';
import { configSchema } from './config.ts';

/** What a first look found out of a target; file names are seen from the config's folder. */
export type NewTarget = {
  readonly name: string;
  readonly baseUrl: string;
  /** Another document than the package's own. */
  readonly spec?: string;
  readonly pools: PoolsBySpace;
  readonly gaps?: 'idle';
  readonly caFile?: string;
  /** Where its key is, a variable of the environment or a file; a target that needs none has none. */
  readonly key?: { readonly env: string } | { readonly file: string };
  readonly shared: boolean;
  readonly limit?: number;
};

/** What commands call a target of their own. */
const taken = ['local', 'previewnet'];

/** Whether a config may name a target so. */
export function isTargetName(text: string): boolean {
  const { $defs } = JSON.parse(readFileSync(configSchema, 'utf8'));
  return new RegExp($defs.name.pattern).test(text) && !taken.includes(text);
}

/** The text of a first candleproof.yaml; `folder` is where it will stand. */
export function newConfigText(target: NewTarget, folder: string): string {
  const { name, baseUrl, spec, pools, gaps, caFile, key, shared, limit } = target;
  const place = key && ('env' in key ? { env: `\${${key.env}}` } : key);
  const agreed = { ...(limit !== undefined && { limit }), ...(shared && { shared }) };
  const keys = place && { main: { ...place, ...agreed, shares: usualShares } };
  const content = {
    version: 1,
    ...(spec !== undefined && { spec }),
    ...(keys && { keys }),
    targets: {
      [name]: {
        baseUrl,
        ...(key ? { key: 'main' } : { keyless: true }),
        ...(gaps && { gaps }),
        ...(caFile && { caFile }),
        pools,
      },
    },
  };
  const schema = relative(folder, configSchema).replaceAll('\\', '/');
  return `# yaml-language-server: $schema=${schema}\n${stringify(content, { collectionStyle: 'any' })}`;
}
