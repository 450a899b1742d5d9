import type { Command } from 'commander';
import { isPool, spacesOf } from '../../contract/document/operation.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { Exchange, PoolId, PoolsBySpace, TargetFacts } from '../../contract/reading/exchange.ts';
import { quotaOf, type WholeQuota } from '../../contract/reading/quota.ts';
import { specFile } from '../../files/package-files.ts';
import { readNamedFile } from '../../files/read-file.ts';
import { UsageError } from '../../files/usage-error.ts';
import { isLoopback } from '../../http/send/base-url.ts';
import { clip } from '../../reports/words/escape.ts';
import { openConfig } from '../config/config.ts';
import { type Configured, described } from '../config/described.ts';
import { readCertificate } from '../serving/own-certificate.ts';
import { readSpec } from './accepted-spec.ts';
import { type Environment, readKey } from './read-key.ts';
import { type TargetFlags, targetInWords } from './target-words.ts';

export type RemoteTarget = {
  readonly kind: 'remote';
  readonly facts: TargetFacts;
  readonly apiKey?: string;
  readonly ca?: string;
  /** The document that it is held to. */
  readonly specFile: string;
  readonly isLoopback: boolean;
  /** As a command line names it, so that the same words reach it again. */
  readonly words: string;
  /** What candleproof.yaml says of it besides, where it stands there. */
  readonly configured?: Configured;
};

export type Target = RemoteTarget | { readonly kind: 'local' };

/** How the months of a target's key are read from its answers. */
export function quotaReader({
  specFile: file,
}: RemoteTarget): (exchange: Exchange) => WholeQuota | undefined {
  const { quota } = readSpec(file);
  return (exchange) => quotaOf(quota, exchange);
}

/** What --spec means, wherever it can be given. */
export const specMeans = 'another OpenAPI document with roles (docs/another-api.md)';

/** What --gaps means, wherever it can be given. */
export const gapsMean = 'idle where intervals that nobody observed may be missing; none when left out';

/** The document that a target is held to. */
export function specOf(target: Target): string {
  return target.kind === 'remote' ? target.specFile : specFile;
}

/** Certificates are small; a larger file is a mistake. */
const mostBytes = 1 << 20;

export function addTargetFlags(command: Command): Command {
  return addAccessFlags(
    command
      .option('--config <file>', 'targets and keys under their names (candleproof.yaml)')
      .option('--base-url <url>', 'https address that the operations stand under'),
  );
}

/** How a target is reached whose address the command line gives already. */
export function addAccessFlags(command: Command): Command {
  return addPoolFlags(
    command
      .option('--api-key-file <file>', 'file that holds the API key (or CANDLEPROOF_API_KEY)')
      .option('--ca-file <file>', 'PEM of an authority to trust besides the public ones'),
  )
    .option('--keyless', 'the target needs no key')
    .option('--gaps <how>', gapsMean, (text) => readGaps(text, '--gaps'))
    .option('--shared-key', 'others use the key too: the counters may move by more than our requests');
}

/** The document and the pools that it is about. */
export function addPoolFlags(command: Command): Command {
  return command
    .option('--pools-v1 <ids>', 'V1 pools to check, such as 1,2', (text) => readPools(text, '--pools-v1'))
    .option('--pools-v2 <ids>', 'V2 pools to check', (text) => readPools(text, '--pools-v2'))
    .option('--spec <file>', specMeans)
    .option(
      '--pools <ids>',
      'pools of that document, SPACE=ID,ID where it has several spaces',
      (text, all: string[] = []) => [...all, text],
    );
}

/** The target that a command line means: a name, or flags that describe one; `local` where nothing is said. */
export function readTarget(
  name: string | undefined,
  flags: TargetFlags,
  env: Environment,
  { needsKey } = { needsKey: true },
): Target {
  // An address in the place of a name says the same as --base-url.
  if (name !== undefined && /^https?:\/\//.test(name) && flags.baseUrl === undefined)
    return readTarget(undefined, { ...flags, baseUrl: name }, env, { needsKey });
  // Beside a target that needs none, a config that is named has to be one too.
  if (flags.config !== undefined) openConfig(flags.config);
  if (name === undefined && flags.baseUrl === undefined) return defaultTarget(flags, env);
  if (name === 'previewnet') {
    throw new UsageError('previewnet is not supported by the service (§1): check mainnet or testnet');
  }
  if (name === 'local') {
    refuseFlags(flags, 'not beside local, which describes itself');
    return { kind: 'local' };
  }
  if (name !== undefined && flags.baseUrl === undefined) return readConfigured(name, flags, env, needsKey);
  return readDescribed(name, flags, () => (needsKey ? readKey(flags, env) : undefined));
}

function readConfigured(name: string, flags: TargetFlags, env: Environment, needsKey: boolean): RemoteTarget {
  const config = openConfig(flags.config);
  if (!config) {
    throw new UsageError(
      `no target is called "${name}": give --base-url and its pools, write a candleproof.yaml, or use local`,
    );
  }
  refuseFlags(flags, `not beside ${name}, which ${config.file} describes`);
  const { flags: own, apiKey, configured } = described(config, name, env, needsKey);
  const key = (): string | undefined =>
    needsKey ? readKey(own, { CANDLEPROOF_API_KEY: apiKey }) : undefined;
  return { ...readDescribed(name, own, key), words: targetInWords(name, flags), configured };
}

function readDescribed(
  name: string | undefined,
  flags: TargetFlags,
  apiKey: () => string | undefined,
): RemoteTarget {
  const url = readBaseUrl(flags.baseUrl ?? '');
  const isKeyed = readSpec(flags.spec ?? specFile).roles.includes('key') || flags.apiKeyFile !== undefined;
  return readRemote(name, url, flags, isKeyed ? apiKey() : undefined);
}

/** A pipeline must not be green about the wrong service: the embedded one is never its silent default. */
function defaultTarget(flags: TargetFlags, env: Environment): Target {
  refuseFlags(flags, 'only together with --base-url');
  const isPipeline = env.CI !== undefined && !['', '0', 'false'].includes(env.CI);
  if (isPipeline || env.CANDLEPROOF_API_KEY !== undefined) {
    const why = isPipeline ? `CI=${env.CI}` : 'CANDLEPROOF_API_KEY is set';
    throw new UsageError(`no target given, and ${why}: name one with --base-url, or say local`);
  }
  return { kind: 'local' };
}

function refuseFlags(flags: TargetFlags, why: string): void {
  const { baseUrl, apiKeyFile, caFile, spec, pools, poolsV1, poolsV2, keyless, gaps, sharedKey } = flags;
  const given = {
    '--base-url': baseUrl,
    '--api-key-file': apiKeyFile,
    '--ca-file': caFile,
    '--spec': spec,
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

function readRemote(
  name: string | undefined,
  url: URL,
  flags: TargetFlags,
  apiKey: string | undefined,
): RemoteTarget {
  const isLocal = isLoopback(url.href);
  const file = flags.spec ?? specFile;
  const spec = readSpec(file);
  const facts: TargetFacts = {
    name: name ?? url.hostname,
    baseUrl: url.href.replace(/\/+$/, ''),
    pools: poolsOf(flags, spec),
    keyless: flags.keyless === true || !spec.roles.includes('key'),
    soleUser: isLocal && flags.sharedKey !== true,
    ...(flags.gaps === 'idle' && { gaps: flags.gaps }),
  };
  const ca = flags.caFile === undefined ? undefined : readCa(flags.caFile);
  return {
    kind: 'remote',
    facts,
    specFile: file,
    isLoopback: isLocal,
    words: targetInWords(name, flags),
    ...(apiKey !== undefined && { apiKey }),
    ...(ca !== undefined && { ca }),
  };
}

function readBaseUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new UsageError(`--base-url: "${text}" is no URL: give one such as https://host`);
  const url = new URL(text);
  if (url.protocol !== 'https:') {
    throw new UsageError(
      `--base-url: ${url.protocol}//${url.host} is not https: the service answers over HTTPS only (§5), and a key is never sent in the clear`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('--base-url: leave out user, password, query and fragment');
  }
  if (url.hostname.includes('previewnet')) {
    throw new UsageError(
      '--base-url: previewnet is not supported by the service (§1): check mainnet or testnet',
    );
  }
  return url;
}

function readCa(file: string): string {
  const pem = readNamedFile(file, '--ca-file', mostBytes);
  readCertificate(pem, `--ca-file: ${file}`);
  return pem;
}

/** Without a pool two of three operations are not requested at all: a green that says next to nothing. */
export function requirePools(
  target: Target,
  purpose: 'check' | 'explore' | 'watch' | 'look at' | 'load',
): void {
  if (target.kind === 'local') return;
  if (Object.values(target.facts.pools).flat().length === 0) {
    const flag = target.specFile === specFile ? '--pools-v1 and --pools-v2' : '--pools';
    throw new UsageError(
      `no pool to ${purpose}: name some with ${flag}; no operation lists them, their ids stand where you trade (docs/the-api.md)`,
    );
  }
}

/** The pools that flags name, by their spaces in the document. */
function poolsOf({ pools = [], poolsV1, poolsV2 }: TargetFlags, spec: Spec): PoolsBySpace {
  const found: Record<string, readonly PoolId[]> = {
    ...(poolsV1 && { v1: poolsV1 }),
    ...(poolsV2 && { v2: poolsV2 }),
  };
  const spaces = spacesOf(spec);
  const unknown = Object.keys(found).find((each) => !spaces.includes(each));
  if (unknown !== undefined) throw noSpace(`--pools-${unknown}`, unknown, spaces);
  for (const given of pools) {
    const [, named, ids = given] = /^([\w-]+)=(.*)$/.exec(given) ?? [];
    const space = named ?? (spaces.length === 1 ? spaces[0] : undefined);
    if (space === undefined)
      throw new UsageError(
        `--pools: ${given}: the document has the spaces ${spaces.join(', ')}: say which, such as --pools ${spaces[0]}=${given}`,
      );
    if (!spaces.includes(space)) throw noSpace('--pools', space, spaces);
    found[space] = [...(found[space] ?? []), ...readIds(ids, space, spec)];
  }
  return found;
}

function noSpace(flag: string, space: string, spaces: readonly string[]): UsageError {
  return new UsageError(`${flag}: the document has no pools "${space}": use ${spaces.join(' or ')}`);
}

/** Ids as the document's parameter takes them: whole numbers or text. */
function readIds(text: string, space: string, spec: Spec): PoolId[] {
  return text.split(',').map((part) => {
    const id = part.trim();
    const values: PoolId[] = /^\d{1,15}$/.test(id) ? [Number(id), id] : [id];
    const value = values.find((each) => isPool(spec, space, each));
    if (value === undefined || id === '')
      throw new UsageError(`--pools: "${clip(id, 60)}" is no pool as the document has them`);
    return value;
  });
}

/** Reads what is declared of gaps; `place` names the flag or variable. Throws a UsageError for another word. */
export function readGaps(text: string | undefined, place: string): TargetFlags['gaps'] {
  if (text === undefined || text === 'none' || text === 'idle') return text;
  throw new UsageError(`${place}: "${text}" is neither none nor idle`);
}

/** Pool ids from a comma-separated list; `place` names the flag or variable that holds it. */
export function readPools(text: string, place: string): number[] {
  const parts = text.split(',').map((each) => each.trim());
  const wrong = parts.find((each) => !/^\d{1,9}$/.test(each));
  if (wrong !== undefined)
    throw new UsageError(`${place}: "${wrong}" is no pool: give whole numbers, such as 1,2`);
  return [...new Set(parts.map(Number))];
}
