import type { RunOutcome } from '../conformance/run.ts';
import { loadAcceptedSpec } from './accepted-spec.ts';
import { type OpenBaseline, openBaseline, withBaselineOf } from './baseline/flags.ts';
import { checkTarget } from './check-target.ts';
import type { Configured } from './config/described.ts';
import { judgeRecording, readRecordings } from './judge-recording.ts';
import { chosenCatalogue, type RunFlags } from './run-flags.ts';
import { UsageError } from './usage-error.ts';
import { specFile } from './version.ts';

/** Most requests of the tier smoke, asking again included. */
const smokeBudget = 12;

/** The flags with the budget of their tier. */
export function withTier<Flags extends RunFlags>(flags: Flags): Flags {
  if (flags.tier === undefined) return flags;
  if (flags.budget !== undefined)
    throw new UsageError('--tier: it brings its own budget: leave out --budget');
  return flags.tier === 'smoke' ? { ...flags, budget: smokeBudget } : flags;
}

/** A run without any live request, and the baseline that it was measured by. */
export type Offline = { readonly outcome: RunOutcome; readonly baseline?: OpenBaseline };

/**
 * What can be told of a target without asking it: its recorded traffic by the rules and the baseline of today, and
 * the embedded service, which must be conformant wherever these rules are sound.
 */
export async function checkOffline(
  configured: Configured | undefined,
  flags: RunFlags,
): Promise<{ readonly embedded: Offline; readonly recorded?: Offline }> {
  const law = chosenCatalogue(flags.only, flags.edition ?? configured?.edition);
  const embedded = { outcome: await checkTarget({ target: { kind: 'local' }, flags, law }) };
  if (configured?.recording === undefined) return { embedded };
  const spec = await loadAcceptedSpec(specFile);
  const given = { files: [configured.recording] };
  const read = readRecordings(spec, given);
  const baseline = openBaseline(withBaselineOf(configured, flags), read.recording.target);
  const outcome = judgeRecording(spec, read, { law, given, baseline });
  return { embedded, recorded: { outcome, ...(baseline && { baseline }) } };
}
