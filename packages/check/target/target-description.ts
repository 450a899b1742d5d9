import { isPool, listSpaces } from '@candleproof/document/spec/operation';
import type { PoolId, PoolsBySpace, Spec } from '@candleproof/document/spec/spec';
import { quoteForShell } from '@candleproof/files/shell-word';
import { shownPath } from '@candleproof/files/shown-path';
import { UsageError } from '@candleproof/files/usage-error';

/** The description of a target, in the terms of the command line. */
export type TargetDescription = {
  readonly config?: string;
  readonly baseUrl?: string;
  readonly network?: 'mainnet' | 'testnet';
  /** The base URL is the word of a document or an overlay: no key goes there. */
  readonly isUnnamed?: true;
  readonly apiKeyFile?: string;
  readonly caFile?: string;
  /** Another document than the package's. */
  readonly spec?: string;
  readonly overlay?: readonly string[];
  readonly poolsV1?: readonly number[];
  readonly poolsV2?: readonly number[];
  /** Ids, or a space and its ids as `v2=1,2`; one entry for each flag. */
  readonly pools?: readonly string[];
  readonly keyless?: boolean;
  /** `idle` if intervals that were not observed may be missing. */
  readonly gaps?: 'none' | 'idle';
  readonly sharedKey?: boolean;
};

type NamedPools = Pick<TargetDescription, 'spec' | 'pools' | 'poolsV1' | 'poolsV2'>;

/**
 * Returns the named pools by their spaces in the document; if none are named, the samples of a named document.
 * Throws a UsageError for a space or an id that the document does not have.
 */
export function readPoolsBySpace(given: NamedPools, spec: Spec): PoolsBySpace {
  const { poolsV1, poolsV2 } = given;
  const isSampled = given.spec !== undefined && !poolsV1 && !poolsV2;
  const { pools = isSampled ? listSamples(spec) : [] } = given;
  const found: Record<string, readonly PoolId[]> = {
    ...(poolsV1 && { v1: poolsV1 }),
    ...(poolsV2 && { v2: poolsV2 }),
  };
  const spaces = listSpaces(spec);
  const unknown = Object.keys(found).find((space) => !spaces.includes(space));
  if (unknown !== undefined) throw missingSpaceError(`--pools-${unknown}`, unknown, spaces);
  for (const given of pools) {
    const [, named, ids = given] = /^([\w-]+)=(.*)$/.exec(given) ?? [];
    const space = named ?? (spaces.length === 1 ? spaces[0] : undefined);
    if (space === undefined)
      throw new UsageError(
        `--pools: ${given}: the document has the spaces ${spaces.join(', ')}: say which, such as --pools ${spaces[0]}=${given}`,
      );
    if (!spaces.includes(space)) throw missingSpaceError('--pools', space, spaces);
    found[space] = [...(found[space] ?? []), ...readIds(ids, space, spec)];
  }
  return found;
}

/** Lists a document's `x-sample-pools`, a list or a map from spaces to lists, as `--pools` takes them. */
function listSamples({ document }: Spec): string[] {
  const samples: unknown = (document.info as Record<string, unknown>)['x-sample-pools'] ?? [];
  return Array.isArray(samples)
    ? samples.map(String)
    : Object.entries(samples as object).map(([space, ids]) => `${space}=${ids}`);
}

function missingSpaceError(flag: string, space: string, spaces: readonly string[]): UsageError {
  return new UsageError(`${flag}: the document has no pools "${space}": use ${spaces.join(' or ')}`);
}

/** Returns ids as the document's parameter takes them: whole numbers or text. */
function readIds(text: string, space: string, spec: Spec): PoolId[] {
  return text.split(',').map((part) => {
    const id = part.trim();
    const values: PoolId[] = /^\d{1,15}$/.test(id) ? [Number(id), id] : [id];
    const value = values.find((given) => isPool(spec, space, given));
    if (value === undefined || id === '')
      throw new UsageError(`--pools: "${shorten(id)}" is no pool as the document has them`);
    return value;
  });
}

function shorten(id: string): string {
  return id.length > 60 ? `${id.slice(0, 59)}…` : id;
}

/** Formats pools as `--pools` takes them, one word for each space. */
export function formatPools(pools: PoolsBySpace): string[] {
  return Object.entries(pools).flatMap(([space, ids]) =>
    ids.length > 0 ? [`${space}=${ids.join(',')}`] : [],
  );
}

/** Stands for the file of a key, whose path is nobody else's business. */
const keyFileWord = 'KEYFILE';

/**
 * Formats a target as the command-line words that name it again in reports, which may be published: neither its key nor
 * the place of a file outside of the folder that the command runs in is among them.
 */
export function formatTarget(name: string | undefined, flags: TargetDescription): string {
  const given: [flag: string, value: string | undefined][] = [
    ['--config', flags.config && shownPath(flags.config)],
    ['--base-url', flags.baseUrl],
    ['--network', flags.network],
    ['--api-key-file', flags.apiKeyFile && keyFileWord],
    ['--ca-file', flags.caFile && shownPath(flags.caFile)],
    ['--spec', flags.spec && shownPath(flags.spec)],
    ...(flags.overlay ?? []).map((file): [string, string] => ['--overlay', shownPath(file)]),
    ...(flags.pools ?? []).map((pool): [string, string] => ['--pools', pool]),
    ['--pools-v1', flags.poolsV1?.join(',') || undefined],
    ['--pools-v2', flags.poolsV2?.join(',') || undefined],
    ['--gaps', flags.gaps === 'idle' ? flags.gaps : undefined],
  ];
  return [
    ...(name === undefined ? [] : [quoteForShell(name)]),
    ...given.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${quoteForShell(value)}`])),
    ...(flags.keyless ? ['--keyless'] : []),
    ...(flags.sharedKey ? ['--shared-key'] : []),
  ].join(' ');
}
