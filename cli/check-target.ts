import { type RunOptions, type RunOutcome, runConformance } from '../conformance/run.ts';
import type { FreeOf } from '../conformance/settled-budget.ts';
import type { Keys } from '../conformance/trial-keys.ts';
import type { Catalogue } from '../contract/catalogue.ts';
import type { TargetFacts } from '../contract/exchange.ts';
import type { Spec } from '../contract/spec.ts';
import { free, type Shares, usualShares } from '../planning/allowance.ts';
import { loadAcceptedSpec } from './accepted-spec.ts';
import { bookedClient } from './booked-client.ts';
import { clientFor, pauseFor } from './client-for.ts';
import { openLocal } from './local-service.ts';
import { progressLine } from './progress.ts';
import { type RunFlags, seedOf } from './run-flags.ts';
import { type RemoteTarget, readKeyFile, type Target } from './target-flags.ts';
import { UsageError } from './usage-error.ts';
import { specFile, version } from './version.ts';

type CheckOptions = {
  readonly target: Target;
  readonly flags: RunFlags;
  readonly law: Catalogue;
  readonly baseline?: RunOptions['baseline'];
  /** Faults to switch on in the embedded service. */
  readonly faults?: readonly string[];
};

/** Of the embedded service every run has a key of its own. */
type RemoteOptions = Omit<CheckOptions, 'target'> & { readonly isEmbedded?: true };

/** Runs one conformance check; the embedded service is started for it and stopped after it. */
export async function checkTarget(options: CheckOptions): Promise<RunOutcome> {
  const { target, flags, faults = [] } = options;
  const spec = await loadAcceptedSpec(specFile);
  if (target.kind === 'remote') return checkRemote(target, spec, options);
  const local = await openLocal({ seed: flags.seed, faults });
  try {
    const seeded = { ...flags, seed: flags.seed ?? 1 };
    return await checkRemote(local.target, spec, { ...options, flags: seeded, isEmbedded: true });
  } finally {
    await local.close();
  }
}

async function checkRemote(
  target: RemoteTarget,
  spec: Spec,
  { flags, law, baseline, isEmbedded }: RemoteOptions,
): Promise<RunOutcome> {
  const { facts, apiKey, configured } = target;
  const seed = seedOf(flags);
  const client = clientFor(target, flags);
  const booked = bookedClient(isEmbedded ? undefined : target, flags.budget, client);
  const progress = progressLine(process.stderr);
  try {
    return await runConformance({
      spec,
      target: facts,
      client: booked,
      keys: keysOf(apiKey, flags),
      seed,
      thorough: flags.thorough === true,
      exposeKey: flags.exposeKey === true,
      ...(flags.budget !== undefined && { budget: budgetOf(flags.budget, configured?.key?.shares) }),
      catalogue: law,
      ...(baseline && { baseline }),
      replay: (rule) => replayCommand(facts, rule, seed, configured !== undefined) + scopeInFlags(flags),
      version,
      pauseMs: pauseFor(target),
      patienceMs: flags.timeout,
      onProgress: (sent, planned) => progress.show(`${sent} of ${planned} requests`),
    });
  } finally {
    progress.clear();
    await client.close();
    booked.close();
  }
}

/** The key of the run, and the second one that a file holds. */
function keysOf(apiKey: string | undefined, { otherKeyFile }: RunFlags): Keys {
  if (otherKeyFile === undefined) return { ...(apiKey !== undefined && { apiKey }) };
  const otherKey = readKeyFile(otherKeyFile, '--other-key-file');
  if (apiKey === undefined) throw new UsageError('--other-key-file: only beside a key of the run');
  if (otherKey === apiKey) {
    throw new UsageError(`--other-key-file: ${otherKeyFile}: it holds the run's own key: give another one`);
  }
  return { apiKey, otherKey };
}

/** `auto` takes what the key's month has free for checks, once the first answer has told it. */
function budgetOf(given: number | 'auto', shares: Shares = usualShares): number | FreeOf {
  return given === 'auto' ? (account, now) => free(account, shares, 'check', now) : given;
}

/** The same request again, judged by the one rule. */
export function replayCommand(facts: TargetFacts, rule: string, seed: number, isConfigured = false): string {
  return `npx candleproof check ${targetInFlags(facts, isConfigured)} --only ${rule} --seed ${seed}`;
}

/** What a run may ask for beyond what any run does, so that its replay asks for the same. */
function scopeInFlags({ thorough, exposeKey }: RunFlags): string {
  return (thorough ? ' --thorough' : '') + (exposeKey ? ' --expose-key' : '');
}

/** A target as a command line names it, by its name or by its flags; the key is named by nobody. */
export function targetInFlags(
  { name, baseUrl, poolsV1, poolsV2, keyless }: TargetFacts,
  isConfigured: boolean,
): string {
  if (isConfigured || name === 'local') return name;
  return [
    `--base-url ${baseUrl}`,
    ...(poolsV1.length > 0 ? [`--pools-v1 ${poolsV1.join(',')}`] : []),
    ...(poolsV2.length > 0 ? [`--pools-v2 ${poolsV2.join(',')}`] : []),
    ...(keyless ? ['--keyless'] : []),
  ].join(' ');
}
