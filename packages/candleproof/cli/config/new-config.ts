import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { PoolsBySpace } from '@candleproof/document/spec/spec';
import { usualShares } from '@candleproof/law/planning/allowance';
import { isMap, parse, parseDocument, stringify } from 'yaml';
import { configSchema } from './config.ts';

/** The findings of `init` about a target; file names are relative to the config's folder. */
export type NewTarget = {
  readonly name: string;
  readonly baseUrl: string;
  /** Another document than the package's. */
  readonly spec?: string;
  readonly overlays?: readonly string[];
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

/** Returns whether a config may give a target this name. */
export function isTargetName(text: string): boolean {
  const { $defs } = JSON.parse(readFileSync(configSchema, 'utf8'));
  return new RegExp($defs.name.pattern).test(text) && !taken.includes(text);
}

/** Returns the text of a first candleproof.yaml; `folder` is its future folder. */
export function newConfigText(target: NewTarget, folder: string): string {
  const { name, spec, overlays, key } = target;
  const content = {
    version: 1,
    spec,
    overlays,
    ...(key && { keys: { main: configuredKey(target, key) } }),
    targets: { [name]: configuredTarget(target, key && 'main') },
  };
  const schema = relative(folder, configSchema).replaceAll('\\', '/');
  return `# yaml-language-server: $schema=${schema}\n${stringify(content, { collectionStyle: 'any' })}`;
}

/** Returns the text of a config with one more target, and all else as it was; a key of the same place is shared. */
export function addTarget(text: string, target: NewTarget): string {
  const { name, key } = target;
  const keys: Record<string, object> = parse(text).keys ?? {};
  const same = key && Object.entries(keys).find(([, place]) => isSamePlace(place, keyPlace(key)))?.[0];
  const keyName = key && (same ?? (Object.hasOwn(keys, 'main') ? name : 'main'));
  const added = addMember(text, 'targets', name, configuredTarget(target, keyName));
  if (key === undefined || keyName === undefined || same !== undefined) return added;
  return addMember(added, 'keys', keyName, configuredKey(target, key));
}

/** Adds a member to a map of the config. The other lines stay as they are, unless the map is written within braces. */
function addMember(text: string, map: string, name: string, value: object): string {
  const document = parseDocument(text);
  const found = document.get(map, true);
  const [parent, member] = isMap(found)
    ? [found, { [name]: value }]
    : [document.contents, { [map]: { [name]: value } }];
  document.setIn([map, name], document.createNode(value));
  const [start, end] = isMap(parent) && !parent.flow ? (parent.range ?? []) : [];
  if (start !== undefined && end !== undefined) {
    const at = `${text}\n`.indexOf('\n', end - 1);
    const indent = ' '.repeat(start - text.lastIndexOf('\n', start - 1) - 1);
    const lines = stringify(member).trimEnd().replaceAll(/^/gm, indent);
    const added = `${text.slice(0, at)}\n${lines}${text.slice(at) || '\n'}`;
    if (isDeepStrictEqual(parseDocument(added).toJS(), document.toJS())) return added;
  }
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
  const agreed = { limit, ...(shared && { shared }) };
  return { ...keyPlace(key), ...agreed, shares: usualShares };
}

function configuredTarget({ baseUrl, gaps, caFile, pools }: NewTarget, key: string | undefined): object {
  return {
    baseUrl,
    ...(key === undefined ? { keyless: true } : { key }),
    gaps,
    ...(caFile && { caFile }),
    pools,
  };
}
