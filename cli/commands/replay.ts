import type { Command } from 'commander';
import { defaultBudget } from '../../conformance/plan/plan.ts';
import { type Replayed, replay } from '../../conformance/run/replay.ts';
import { choose } from '../../contract/law/catalogue.ts';
import { readWholeNumber } from '../../files/read-numbers.ts';
import { UsageError } from '../../files/usage-error.ts';
import { makeVisible } from '../../reports/words/escape.ts';
import { type RecordedFinding, readRecordedFinding } from '../running/recorded-run.ts';
import { deadlineOption, maxBodyOption, timeoutOption } from '../running/run-flags.ts';
import { stopping, usualDeadline } from '../running/stopping.ts';
import { loadAcceptedSpec } from '../target/accepted-spec.ts';
import { bookedClient } from '../target/booked-client.ts';
import { clientFor, mostBodiesOfRun } from '../target/client-for.ts';
import { openLocal } from '../target/local-service.ts';
import {
  addTargetFlags,
  type RemoteTarget,
  readTarget,
  specOf,
  type Target,
} from '../target/target-flags.ts';
import { poolsInWords, type TargetFlags } from '../target/target-words.ts';
import { say } from '../words/say.ts';

type ReplayFlags = TargetFlags & {
  readonly budget: number;
  readonly timeout: number;
  readonly maxBody?: number;
  readonly deadline?: number;
};

const exitCodes = { fixed: 0, 'still there': 1, 'cannot tell': 3 } as const;

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
      const replayed = await replayOn(recorded, targetOf(recorded, name, flags), flags);
      say(inWords(recorded, replayed));
      exit(exitCodes[replayed.outcome]);
    });
}

async function replayOn(recorded: RecordedFinding, target: Target, flags: ReplayFlags): Promise<Replayed> {
  if (target.kind === 'remote') return ask(recorded, target, flags);
  const local = await openLocal({ seed: recorded.recording.seed, faults: [] });
  try {
    return await ask(recorded, local.target, flags);
  } finally {
    await local.close();
  }
}

async function ask(
  { finding, recording }: RecordedFinding,
  target: RemoteTarget,
  flags: ReplayFlags,
): Promise<Replayed> {
  const { chosen, unknown } = choose([finding.rule]);
  if (unknown.length > 0) throw new UsageError(`replay: there is no rule "${finding.rule}" any more`);
  const client = clientFor(target, { ...flags, mostBodies: mostBodiesOfRun });
  const booked = await bookedClient(target, flags.budget, client);
  const stop = stopping(flags.deadline ?? usualDeadline(flags.budget));
  try {
    return await replay({
      spec: await loadAcceptedSpec(specOf(target)),
      recording,
      target: target.facts,
      fingerprint: finding.fingerprint,
      law: { rules: chosen.rules, questions: [] },
      client: booked,
      hasKey: target.apiKey !== undefined,
      budget: flags.budget,
      stop: stop.signal,
      onPlan: (requests) =>
        say(`sends at most ${requests} requests to ${makeVisible(target.facts.baseUrl)}\n`),
    });
  } finally {
    stop.dispose();
    await client.close();
    await booked.close();
  }
}

/**
 * The host is the caller's word: a folder may come from anybody, and must not choose where a key goes. The pools,
 * whether others use the key, and what was declared of gaps, are as they were recorded where the caller does not say.
 */
function targetOf(
  { recording: { target } }: RecordedFinding,
  name: string | undefined,
  flags: ReplayFlags,
): Target {
  if (name === undefined && flags.baseUrl === undefined) {
    if (target.name === 'local') return readTarget('local', flags, process.env);
    throw new UsageError(
      `replay: the folder was recorded at ${makeVisible(target.baseUrl)}, and a folder's word sends no key anywhere: name the target, or give --base-url`,
    );
  }
  if (flags.baseUrl === undefined) return readTarget(name, flags, process.env);
  const { pools, soleUser, gaps } = target;
  const isNamed = flags.pools ?? flags.poolsV1 ?? flags.poolsV2;
  const own = isNamed ? {} : { pools: poolsInWords(pools) };
  return readTarget(name, { ...own, ...(gaps && { gaps }), sharedKey: !soleUser, ...flags }, process.env);
}

function inWords({ finding }: RecordedFinding, { outcome, reason, sent }: Replayed): string {
  return `${outcome}  ${makeVisible(finding.fingerprint)}\n  ${makeVisible(reason)}\n  ${sent} requests\n`;
}
