import type { Keys } from '../../conformance/plan/trial-keys.ts';
import { type RunOptions, type RunOutcome, runConformance } from '../../conformance/run/run.ts';
import type { FreeOf } from '../../conformance/run/settled-budget.ts';
import type { Spec } from '../../contract/document/spec.ts';
import { type Catalogue, edition } from '../../contract/law/catalogue.ts';
import { version } from '../../files/package-files.ts';
import { quoteForShell } from '../../files/shell-word.ts';
import { UsageError } from '../../files/usage-error.ts';
import { free, type Shares, usualShares } from '../../planning/allowance.ts';
import { loadAcceptedSpec } from '../target/accepted-spec.ts';
import { bookedClient } from '../target/booked-client.ts';
import { clientFor, mostBodiesOfRun, pauseFor } from '../target/client-for.ts';
import { openLocal } from '../target/local-service.ts';
import { readKeyFile } from '../target/read-key.ts';
import { type RemoteTarget, specOf, type Target } from '../target/target-flags.ts';
import { progressLine } from '../words/progress.ts';
import { type RunFlags, seedOf } from './run-flags.ts';
import type { StageTimes } from './stage-times.ts';

type CheckOptions = {
  readonly target: Target;
  readonly flags: RunFlags;
  readonly law: Catalogue;
  readonly baseline?: RunOptions['baseline'];
  /** Faults to switch on in the embedded service. */
  readonly faults?: readonly string[];
  /** Ends the run where it stands. */
  readonly stop?: AbortSignal;
  /** Judges by another document than the package's own. */
  readonly spec?: Spec;
  readonly times?: StageTimes | undefined;
  /** No line of progress on a terminal, which is somebody else's. */
  readonly isSilent?: true;
};

/** Of the embedded service every run has a key of its own. */
type RemoteOptions = Omit<CheckOptions, 'target'> & { readonly isEmbedded?: true };

/** Runs one conformance check; the embedded service is started for it and stopped after it. */
export async function checkTarget(options: CheckOptions): Promise<RunOutcome> {
  const { target, flags, faults = [], stop, times } = options;
  const spec = options.spec ?? (await loadAcceptedSpec(specOf(target)));
  times?.end('document');
  if (target.kind === 'remote') return checkRemote(target, spec, options);
  const local = await openLocal({ seed: flags.seed, faults, ...(stop && { drains: true }) });
  times?.end('service');
  try {
    const seeded = { ...flags, seed: flags.seed ?? 1 };
    return await checkRemote(local.target, spec, { ...options, flags: seeded, isEmbedded: true });
  } finally {
    await local.close();
  }
}

async function checkRemote(target: RemoteTarget, spec: Spec, options: RemoteOptions): Promise<RunOutcome> {
  const { flags, law, baseline, isEmbedded, stop } = options;
  const { facts, apiKey, ca, configured } = target;
  const seed = seedOf(flags);
  const client = clientFor(target, { ...flags, mostBodies: mostBodiesOfRun });
  const booked = await bookedClient(isEmbedded ? undefined : target, flags.budget, client);
  const progress = options.isSilent ? undefined : progressLine(process.stderr);
  try {
    const { run, recording } = await runConformance({
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
      replay: replayFor(target, seed, options),
      version,
      ownAuthority: ca !== undefined,
      pauseMs: pauseFor(target),
      patienceMs: flags.timeout,
      stop,
      onJudged: (milliseconds) => options.times?.addJudging(milliseconds),
      onProgress: (sent, planned) => progress?.show(`${sent} of ${planned} requests`),
    });
    options.times?.end('requests');
    return { run, recording };
  } finally {
    progress?.clear();
    await client.close();
    await booked.close();
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

/** `auto` takes what the key's month has free for checks, once the first answer has reported it. */
function budgetOf(given: number | 'auto', shares: Shares = usualShares): number | FreeOf {
  return given === 'auto' ? (account, now) => free(account, shares, 'check', now) : given;
}

/** The command that judges by the one rule again, with whatever the answers depended on. */
function replayFor(
  { words, facts }: RemoteTarget,
  seed: number,
  { flags, law, faults }: RemoteOptions,
): (rule: string) => string {
  // The embedded service is made anew for each run, without a fault but in the kill matrix.
  if (facts.name === 'local' && faults && faults.length > 0) {
    return () => `npx candleproof faults --only ${faults.join(' ')}`;
  }
  return (rule) =>
    [
      `npx candleproof check ${words} --only ${rule} --seed ${seed}`,
      ...(flags.otherKeyFile === undefined ? [] : [`--other-key-file ${quoteForShell(flags.otherKeyFile)}`]),
      ...(law.edition === undefined || law.edition === edition ? [] : [`--edition ${law.edition}`]),
      ...(flags.thorough ? ['--thorough'] : []),
      ...(flags.exposeKey ? ['--expose-key'] : []),
    ].join(' ');
}
