import { dirname, resolve } from 'node:path';
import { keyVariable } from '@candleproof/check/target/read-key';
import type { KeyTerms } from '@candleproof/check/target/target';
import { formatPools } from '@candleproof/check/target/target-description';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import type { ConfiguredDatabase } from '../database/read-database.ts';
import { type Config, configuredTarget } from './config.ts';
import type { ConfiguredKey, ConfiguredTarget } from './config-form.ts';

/** The facts that a config adds to a target beyond the flags that could describe it. */
export type Configured = {
  /** The place of the target in the config, for reports that point there. */
  readonly place: { readonly file: string; readonly line: number };
  readonly ledger?: ConfiguredDatabase;
  readonly baseline?: string;
  readonly recording?: string;
  /** The seed of its checks. */
  readonly seed?: number | undefined;
};

/** A configured target in the words of the flags, and the key that is in force for it. */
export type Described = {
  readonly flags: {
    readonly baseUrl: string;
    readonly apiKeyFile?: string;
    readonly caFile?: string;
    readonly spec: string;
    readonly overlay?: readonly string[];
    readonly pools: readonly string[];
    readonly keyless: boolean;
    readonly gaps?: 'none' | 'idle';
    readonly sharedKey: boolean;
  };
  readonly apiKey?: string;
  /** The keys of further security schemes, as variables of the environment. */
  readonly furtherKeys: Environment;
  readonly network?: ConfiguredTarget['network'];
  readonly terms?: KeyTerms;
  readonly configured: Configured;
};

/** The target of a name. Throws a UsageError for a name or a variable of the environment that is not there. */
export function describeConfigured(
  config: Config,
  name: string,
  env: Environment,
  needsKey: boolean,
): Described {
  const target = configuredTarget(config, name);
  const fromFolder = <File extends string | undefined>(file: File): File | string =>
    file === undefined ? file : resolve(dirname(config.file), file);
  const key = target.key === undefined ? undefined : config.keys[target.key];
  const apiKey = needsKey && key?.env !== undefined ? variable(key.env, env, config, name) : undefined;
  const further = Object.entries((needsKey && key?.further) || {}).flatMap(
    ([scheme, { env: reference, file }]) => [
      [keyVariable(scheme), reference && variable(reference, env, config, name)],
      [`${keyVariable(scheme)}_FILE`, fromFolder(file)],
    ],
  );
  const { keyless = false, pools, caFile, baseline, recording, network, gaps } = target;
  return {
    flags: {
      baseUrl: readBaseUrl(target, env, config, name),
      spec: config.document.file,
      pools: formatPools(pools),
      keyless,
      sharedKey: key?.shared === true,
      overlay: config.document.overlays,
      gaps,
      apiKeyFile: fromFolder(key?.file),
      caFile: fromFolder(caFile),
    },
    furtherKeys: Object.fromEntries(further),
    configured: {
      place: { file: config.file, line: config.targetLine(name) },
      ledger: config.ledger,
      baseline: fromFolder(baseline),
      recording: fromFolder(recording),
      seed: config.seed,
    },
    apiKey,
    network,
    ...(key && target.key !== undefined && { terms: readTerms(target.key, key) }),
  };
}

function readTerms(name: string, { shares, reserve, limit, shared }: ConfiguredKey): KeyTerms {
  return { name, shares, ...(reserve !== undefined && { reserve }), limit, isShared: shared === true };
}

function readBaseUrl({ baseUrl }: ConfiguredTarget, env: Environment, config: Config, name: string): string {
  return baseUrl.startsWith('$') ? variable(baseUrl, env, config, name) : baseUrl;
}

function variable(reference: string, env: Environment, config: Config, target: string): string {
  const name = /^\$\{(\w+)\}$/.exec(reference)?.[1] ?? '';
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw new UsageError(
    `--config: ${config.file}:${config.targetLine(target)}: target "${target}" needs ${reference}: set it in the environment`,
  );
}
