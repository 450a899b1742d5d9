import type { PoolsBySpace } from '@candleproof/document/spec/spec';
import { quoteForShell } from '@candleproof/files/shell-word';
import { shownPath } from '@candleproof/files/shown-path';

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
