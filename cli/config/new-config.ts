import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stringify } from 'yaml';
import type { PoolsBySpace } from '../../contract/document/spec.ts';
import { usualShares } from '../../planning/allowance.ts';
import { configSchema } from './config.ts';

/** The findings of a first look at a target; file names are relative to the config's folder. */
export type NewTarget = {
  readonly name: string;
  readonly baseUrl: string;
  /** Another document than the package's own. */
  readonly spec?: string;
  readonly pools: PoolsBySpace;
  readonly gaps?: 'idle';
  readonly caFile?: string;
  /** The place of its key, a variable of the environment or a file; a keyless target has none. */
  readonly key?: { readonly env: string } | { readonly file: string };
  readonly shared: boolean;
  readonly limit?: number;
};

/** Names that commands give to targets themselves. */
const taken = ['local', 'previewnet'];

/** Tells whether a config may give a target this name. */
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
