import type { PoolsBySpace } from '../../contract/document/spec.ts';
import { quoteForShell } from '../../files/shell-word.ts';

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

/** Formats a target as the command-line words that name it again; its key is not among them. */
export function formatTarget(name: string | undefined, flags: TargetDescription): string {
  const given: [flag: string, value: string | undefined][] = [
    ['--config', flags.config],
    ['--base-url', flags.baseUrl],
    ['--network', flags.network],
    ['--api-key-file', flags.apiKeyFile],
    ['--ca-file', flags.caFile],
    ['--spec', flags.spec],
    ...(flags.overlay ?? []).map((file): [string, string] => ['--overlay', file]),
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
