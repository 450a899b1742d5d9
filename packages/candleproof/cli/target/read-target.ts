import { readFurtherKey, readKey } from '@candleproof/check/target/read-key';
import { describeTarget, type Target } from '@candleproof/check/target/target';
import { formatTarget, type TargetDescription } from '@candleproof/check/target/target-description';
import { readCertificate } from '@candleproof/files/certificate';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import { type Config, openConfig } from '../config/config.ts';
import { type Configured, describeConfigured } from '../config/described.ts';
import { withServer } from './document-server.ts';

/** A target outside this process, with its settings from candleproof.yaml if it is described there. */
export type RemoteTarget = Target & { readonly kind: 'remote'; readonly configured?: Configured };

/** A target as a command line names it; `local` is the embedded service, which is not started yet. */
export type NamedTarget =
  | RemoteTarget
  | ({ readonly kind: 'local' } & Partial<Record<Exclude<keyof RemoteTarget, 'kind'>, undefined>>);

/** Returns the name of a target. */
export function nameTarget({ facts }: NamedTarget): string {
  return facts?.name ?? 'local';
}

/** Certificates are small; a larger file is a mistake. */
const mostBytes = 1 << 20;

/**
 * Returns the target that a command line means: a name, or flags that describe one. Without either it is the config's only
 * one, and `local` without a config.
 * @throws UsageError for a target that is not there or not clear
 */
export function readTarget(
  name: string | undefined,
  flags: TargetDescription,
  env: Environment,
  { needsKey = true, addressFlag }: { needsKey?: boolean; addressFlag?: string } = {},
): NamedTarget {
  // An address in the place of a name says the same as --base-url.
  if (name !== undefined && /^https?:\/\//.test(name) && flags.baseUrl === undefined)
    return readTarget(undefined, { ...flags, baseUrl: name }, env, {
      needsKey,
      addressFlag,
    });
  // Beside a target that needs none, a config that is named has to be one too.
  const given = flags.config === undefined ? undefined : openConfig(flags.config);
  const served = withServer(name, flags);
  if (served !== flags) return readTarget(name, served, env, { needsKey });
  if (name === undefined && flags.baseUrl === undefined) {
    const config = given ?? openConfig(undefined);
    const only = onlyTarget(config);
    return only === undefined
      ? defaultTarget(flags, env)
      : readConfigured(only, config, flags, env, needsKey);
  }
  if (name === 'previewnet') {
    throw new UsageError('previewnet is not supported by the service (§1): check mainnet or testnet');
  }
  if (name === 'local') {
    refuseFlags(flags, 'not beside local, which describes itself');
    return { kind: 'local' };
  }
  if (name !== undefined && flags.baseUrl === undefined)
    return readConfigured(name, given ?? openConfig(undefined), flags, env, needsKey);
  return readDescribed(name, flags, () => (needsKey ? readKey(flags, env) : undefined), env, addressFlag);
}

function readConfigured(
  name: string,
  config: Config | undefined,
  flags: TargetDescription,
  env: Environment,
  needsKey: boolean,
): RemoteTarget {
  if (/^[\w.-]+:\d+(\/|$)/.test(name))
    throw new UsageError(`"${name}" is no whole address: write https://${name}, or http:// on loopback`);
  if (!config) {
    throw new UsageError(
      `no target is called "${name}": give its https:// address and its pools, write a candleproof.yaml, or use local`,
    );
  }
  refuseFlags(flags, `not beside ${name}, which ${config.file} describes: write it there`);
  const {
    flags: description,
    apiKey,
    furtherKeys,
    configured,
    network,
    terms,
  } = describeConfigured(config, name, env, needsKey);
  const key = (): string | undefined =>
    needsKey ? readKey(description, { CANDLEPROOF_API_KEY: apiKey }) : undefined;
  return {
    ...readDescribed(name, description, key, { ...env, ...furtherKeys }),
    words: formatTarget(name, flags),
    ...(network !== undefined && { network }),
    ...(terms && { terms }),
    configured,
  };
}

function readDescribed(
  name: string | undefined,
  description: TargetDescription,
  apiKey: () => string | undefined,
  env: Environment,
  addressFlag?: string,
): RemoteTarget {
  const { caFile } = description;
  const ca = (): string | undefined => (caFile === undefined ? undefined : readCa(caFile));
  const furtherKey = (scheme: string): string => readFurtherKey(scheme, env);
  const access = { apiKey, furtherKey, ca, proxyEnv: env, addressFlag };
  const { network } = description;
  return { kind: 'remote', ...describeTarget(name, description, access), ...(network && { network }) };
}

/** Returns the name of the config's only target; undefined without a config. Throws a UsageError for several. */
function onlyTarget(config: Config | undefined): string | undefined {
  const [name, ...others] = Object.keys(config?.targets ?? {});
  if (!config || others.length === 0) return name;
  const names = [name, ...others].join(', ');
  throw new UsageError(`no target given, and ${config.file} names several: say one of ${names}, or local`);
}

/** A pipeline must not be green about the wrong service: the embedded one is never its silent default. */
function defaultTarget(flags: TargetDescription, env: Environment): NamedTarget {
  refuseFlags(flags, 'only together with --base-url');
  const isPipeline = env.CI !== undefined && !['', '0', 'false'].includes(env.CI);
  if (isPipeline || env.CANDLEPROOF_API_KEY !== undefined) {
    const why = isPipeline ? `CI=${env.CI}` : 'CANDLEPROOF_API_KEY is set';
    throw new UsageError(`no target given, and ${why}: name one with --base-url, or say local`);
  }
  return { kind: 'local' };
}

function refuseFlags(flags: TargetDescription, why: string): void {
  const { baseUrl, network, apiKeyFile, caFile, spec, overlay, pools, poolsV1, poolsV2 } = flags;
  const { keyless, gaps, sharedKey } = flags;
  const given = {
    '--base-url': baseUrl,
    '--network': network,
    '--api-key-file': apiKeyFile,
    '--ca-file': caFile,
    '--spec': spec,
    '--overlay': overlay,
    '--pools': pools,
    '--pools-v1': poolsV1,
    '--pools-v2': poolsV2,
    '--keyless': keyless,
    '--gaps': gaps,
    '--shared-key': sharedKey,
  };
  const named = Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (named.length > 0) throw new UsageError(`${named.join(', ')}: ${why}`);
}

function readCa(file: string): string {
  const pem = readNamedFile(file, '--ca-file', mostBytes);
  readCertificate(pem, `--ca-file: ${file}`);
  return pem;
}
