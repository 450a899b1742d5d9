import type { PoolsBySpace } from '../../contract/document/spec.ts';
import { quoteForShell } from '../../files/shell-word.ts';

/** The description of a target, in the terms of the command line. */
export type TargetDescription = {
  readonly config?: string;
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly caFile?: string;
  /** Another document than the package's. */
  readonly spec?: string;
  /** OpenAPI Overlays that are applied to the document. */
  readonly overlay?: readonly string[];
  readonly poolsV1?: readonly number[];
  readonly poolsV2?: readonly number[];
  /** Ids, or a space and its ids as `v2=1,2`; one entry for each flag. */
  readonly pools?: readonly string[];
  readonly keyless?: boolean;
  /** Intervals that nobody observed may be missing. */
  readonly gaps?: 'none' | 'idle';
  readonly sharedKey?: boolean;
};

/** Formats pools as `--pools` takes them, one word for each space. */
export function formatPools(pools: PoolsBySpace): string[] {
  return Object.entries(pools).flatMap(([space, ids]) =>
    ids.length > 0 ? [`${space}=${ids.join(',')}`] : [],
  );
}

/** Formats a target as the command-line words that name it again; the key stays where it was found. */
export function formatTarget(name: string | undefined, flags: TargetDescription): string {
  const {
    config,
    baseUrl,
    apiKeyFile,
    caFile,
    poolsV1 = [],
    poolsV2 = [],
    pools = [],
    spec,
    overlay = [],
    keyless,
    gaps,
    sharedKey,
  } = flags;
  const given: [flag: string, value: string | undefined][] = [
    ['--config', config],
    ['--base-url', baseUrl],
    ['--api-key-file', apiKeyFile],
    ['--ca-file', caFile],
    ['--spec', spec],
    ...overlay.map((file): [string, string] => ['--overlay', file]),
    ...pools.map((pool): [string, string] => ['--pools', pool]),
    ['--pools-v1', poolsV1.join(',') || undefined],
    ['--pools-v2', poolsV2.join(',') || undefined],
    ['--gaps', gaps === 'idle' ? gaps : undefined],
  ];
  return [
    ...(name === undefined ? [] : [quoteForShell(name)]),
    ...given.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${quoteForShell(value)}`])),
    ...(keyless ? ['--keyless'] : []),
    ...(sharedKey ? ['--shared-key'] : []),
  ].join(' ');
}
