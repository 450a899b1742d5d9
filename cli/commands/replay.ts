import type { Command } from 'commander';
import { replayFinding } from '../../conformance/check/replay-finding.ts';
import { formatPools, type TargetDescription } from '../../conformance/check/target-words.ts';
import { type RecordedFinding, readRecordedFinding } from '../../conformance/judging/recorded-finding.ts';
import { defaultBudget } from '../../conformance/plan/plan.ts';
import type { Replayed } from '../../conformance/run/replay.ts';
import { readWholeNumber } from '../../files/read-numbers.ts';
import { UsageError } from '../../files/usage-error.ts';
import { makeVisible } from '../../reports/words/escape.ts';
import { findLedger } from '../database/read-ledger.ts';
import { deadlineOption, maxBodyOption, timeoutOption } from '../running/run-flags.ts';
import { stopping, usualDeadline } from '../running/stopping.ts';
import { withTarget } from '../target/local-service.ts';
import { addTargetFlags, type NamedTarget, readTarget } from '../target/target-flags.ts';
import { say, warnUnbooked } from '../words/output.ts';

type ReplayFlags = TargetDescription & {
  readonly budget: number;
  readonly timeout: number;
  readonly maxBody?: number;
  readonly deadline?: number;
};

const exitCodes = { fixed: 0, 'still there': 1, 'cannot tell': 3 } as const;

/** Adds the command `replay` to the program. */
export function registerReplay(program: Command, exit: (code: number) => void): void {
  addTargetFlags(
    program
      .command('replay <run> <finding> [target]')
      .description("request one finding's evidence again: fixed, still there or cannot tell"),
  )
    .option(
      '--budget <n>',
      'most requests to send',
      (text) => readWholeNumber(1, text, '--budget'),
      defaultBudget.planned,
    )
    .addOption(timeoutOption(10_000))
    .addOption(maxBodyOption())
    .addOption(deadlineOption())
    .action(async (run: string, wanted: string, name: string | undefined, flags: ReplayFlags) => {
      const recorded = readRecordedFinding(run, wanted);
      const replayed = await replayOn(recorded, chooseTarget(recorded, name, flags), flags);
      say(inWords(recorded, replayed));
      exit(exitCodes[replayed.outcome]);
    });
}

function replayOn(recorded: RecordedFinding, target: NamedTarget, flags: ReplayFlags): Promise<Replayed> {
  const { seed } = recorded.recording;
  return withTarget(target, { seed, handlesSignals: true }, async (found, remote) => {
    const stop = stopping(flags.deadline ?? usualDeadline(flags.budget));
    return replayFinding(found, recorded, {
      ...flags,
      ...{ ledger: findLedger(remote, process.env), onUnbooked: warnUnbooked, stop: stop.signal },
      onPlan: (requests) =>
        say(`sends at most ${requests} requests to ${makeVisible(found.facts.baseUrl)}\n`),
    }).finally(() => stop.dispose());
  });
}

/**
 * The host is the caller's word: a folder may come from anybody, and must not choose where a key goes. The pools,
 * whether others use the key, and what was declared of gaps, are as they were recorded where the caller does not say.
 */
function chooseTarget(
  { recording: { target } }: RecordedFinding,
  name: string | undefined,
  flags: ReplayFlags,
): NamedTarget {
  if (name === undefined && flags.baseUrl === undefined) {
    if (target.name === 'local') return readTarget('local', flags, process.env);
    throw new UsageError(
      `replay: the folder was recorded at ${makeVisible(target.baseUrl)}, and a folder's word sends no key anywhere: name the target, or give --base-url`,
    );
  }
  if (flags.baseUrl === undefined) return readTarget(name, flags, process.env);
  const { pools, soleUser, gaps } = target;
  const isNamed = flags.pools ?? flags.poolsV1 ?? flags.poolsV2;
  const own = isNamed ? {} : { pools: formatPools(pools) };
  return readTarget(name, { ...own, ...(gaps && { gaps }), sharedKey: !soleUser, ...flags }, process.env);
}

function inWords({ finding }: RecordedFinding, { outcome, reason, sent }: Replayed): string {
  return `${outcome}  ${makeVisible(finding.fingerprint)}\n  ${makeVisible(reason)}\n  ${sent} requests\n`;
}
