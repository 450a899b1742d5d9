import { existsSync } from 'node:fs';
import { type OpenBaseline, openBaseline } from '@candleproof/check/baseline/open-baseline';
import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { checkTarget } from '@candleproof/check/target/check-target';
import { UsageError } from '@candleproof/files/usage-error';
import { chooseLaw } from '../../library/choose-law.ts';
import { addConfiguredBaseline } from '../baseline/baseline-flags.ts';
import { openLocal } from '../target/local-service.ts';
import type { NamedTarget, RemoteTarget } from '../target/read-target.ts';
import { chooseNight, type RunFlags } from './run-flags.ts';

/** Requests of the tier smoke: its fixed part of the plan, and those that are kept for asking again. */
const smokeBudget = 20;

/** The flags with what their tier sends. */
export function withTier<Flags extends RunFlags>(flags: Flags): Flags & { readonly smoke?: true } {
  if (flags.tier === undefined) return flags;
  if (flags.budget !== undefined)
    throw new UsageError('--tier: it brings its own budget: leave out --budget');
  return flags.tier === 'smoke' ? { ...flags, budget: smokeBudget, smoke: true } : flags;
}

/**
 * Returns the target whose recording is judged in place of requests; undefined if the tier sends some.
 * @throws UsageError for the embedded service, which has no recording
 */
export function findRecorded(target: NamedTarget, { tier }: RunFlags): RemoteTarget | undefined {
  if (tier !== 'pr') return undefined;
  if (target.kind === 'remote') return target;
  throw new UsageError(
    '--tier pr: it sends nothing and needs a recording, and local has none: leave out --tier, or name a target that has one',
  );
}

/** A run without any live request, and the baseline that it was measured by. */
export type Offline = { readonly outcome: RunOutcome; readonly baseline?: OpenBaseline };

/**
 * Judges a target without sending it anything: its recorded traffic by today's rules and baseline, together with the
 * embedded service, which must be conformant if these rules are sound. Throws a UsageError if there is no
 * recording of the target: the embedded service is never judged in its place.
 */
export async function checkOffline(
  target: RemoteTarget,
  flags: RunFlags,
): Promise<{ readonly embedded: RunOutcome; readonly recorded: Offline }> {
  const { configured, facts } = target;
  const law = chooseLaw(flags.only);
  const files = [findRecording(target)];
  const spec = await acceptSpec(target.spec);
  const given = { files };
  const { judgeRecording, readRecordings } = await import('@candleproof/check/judging/judge-recording');
  const read = readRecordings(spec, given);
  const { target: recorded } = read.recording;
  if (recorded.baseUrl !== facts.baseUrl) {
    throw missingKeyError(target, `${files[0]} is a recording of ${recorded.baseUrl}`);
  }
  const baseline = openBaseline(addConfiguredBaseline(configured, flags), recorded);
  const outcome = judgeRecording(spec, read, { law, given, baseline });
  const night = chooseNight(flags, { usual: configured?.seed });
  const local = await openLocal(night);
  const { baseline: _file, ...chosen } = flags;
  const embedded = await checkTarget(local.target, { ...chosen, ...night, law }).finally(() => local.close());
  return { embedded, recorded: { outcome, baseline } };
}

function findRecording(target: RemoteTarget): string {
  const { recording } = target.configured ?? {};
  if (recording === undefined) throw missingKeyError(target, 'there is none');
  if (!existsSync(recording)) throw missingKeyError(target, `there is no file ${recording}`);
  return recording;
}

function missingKeyError({ facts, configured }: RemoteTarget, why: string): UsageError {
  const needs = `--tier pr: it sends nothing and needs a recording of ${facts.name} (${facts.baseUrl}); ${why}`;
  const mend = configured
    ? `name the exchanges.har of one of its full runs under recording, at ${configured.place.file}:${configured.place.line}`
    : 'give the target a name and a recording in candleproof.yaml, or use candleproof judge FILE';
  return new UsageError(`${needs}: ${mend}`);
}
