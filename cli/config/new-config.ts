import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseDocument, stringify } from 'yaml';
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

/** Returns the text of a first candleproof.yaml; `folder` is where it will stand. */
export function newConfigText(target: NewTarget, folder: string): string {
  const { name, spec, key } = target;
  const content = {
    version: 1,
    ...(spec !== undefined && { spec }),
    ...(key && { keys: { main: configuredKey(target, key) } }),
    targets: { [name]: configuredTarget(target, key && 'main') },
  };
  const schema = relative(folder, configSchema).replaceAll('\\', '/');
  return `# yaml-language-server: $schema=${schema}\n${stringify(content, { collectionStyle: 'any' })}`;
}

/** Returns the text of a config with one more target, and all else as it was; a key of the same place is shared. */
export function addTarget(text: string, target: NewTarget): string {
  const document = parseDocument(text);
  const { name, key } = target;
  const keys: Record<string, object> = document.toJS().keys ?? {};
  const same = key && Object.entries(keys).find(([, target]) => isSamePlace(target, keyPlace(key)))?.[0];
  const keyName = key && (same ?? (Object.hasOwn(keys, 'main') ? name : 'main'));
  if (key && keyName !== undefined && same === undefined)
    document.setIn(['keys', keyName], document.createNode(configuredKey(target, key)));
  document.setIn(['targets', name], document.createNode(configuredTarget(target, keyName)));
  return document.toString({ lineWidth: 0 });
}

type KeyPlace = NonNullable<NewTarget['key']>;

function keyPlace(key: KeyPlace): KeyPlace {
  return 'env' in key ? { env: `\${${key.env}}` } : key;
}

function isSamePlace(
  key: Partial<Record<'env' | 'file', unknown>>,
  place: Partial<Record<'env' | 'file', unknown>>,
): boolean {
  return key.env === place.env && key.file === place.file;
}

function configuredKey({ limit, shared }: NewTarget, key: KeyPlace): object {
  const agreed = { ...(limit !== undefined && { limit }), ...(shared && { shared }) };
  return { ...keyPlace(key), ...agreed, shares: usualShares };
}

function configuredTarget({ baseUrl, gaps, caFile, pools }: NewTarget, key: string | undefined): object {
  return {
    baseUrl,
    ...(key === undefined ? { keyless: true } : { key }),
    ...(gaps && { gaps }),
    ...(caFile && { caFile }),
    pools,
  };
}
