import type { Command } from 'commander';
import { defaultBudget } from '../../conformance/plan.ts';
import { type Replayed, replay } from '../../conformance/replay.ts';
import { choose } from '../../contract/catalogue.ts';
import type { TargetFacts } from '../../contract/exchange.ts';
import { visible } from '../../reports/escape.ts';
import { loadAcceptedSpec } from '../accepted-spec.ts';
import { bookedClient } from '../booked-client.ts';
import { clientFor } from '../client-for.ts';
import { openConfig } from '../config/config.ts';
import { openLocal } from '../local-service.ts';
import { type RecordedFinding, readRecordedFinding } from '../recorded-run.ts';
import { wholeAbove } from '../run-flags.ts';
import { addTargetFlags, type RemoteTarget, readTarget, type Target } from '../target-flags.ts';
import type { TargetFlags } from '../target-words.ts';
import { UsageError } from '../usage-error.ts';
import { specFile } from '../version.ts';

type ReplayFlags = TargetFlags & {
  readonly budget: number;
  readonly timeout: number;
};

const exitCodes = { fixed: 0, 'still there': 1, 'cannot tell': 3 } as const;

export function registerReplay(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('replay <run> <finding> [target]')
    .description("ask again for one finding's evidence: fixed (0), still there (1) or cannot tell (3)");
  addTargetFlags(command)
    .option(
      '--budget <n>',
      'most requests to send',
      (text) => wholeAbove(1, text, '--budget'),
      defaultBudget.planned,
    )
    .option(
      '--timeout <ms>',
      'longest wait for an answer',
      (text) => wholeAbove(0, text, '--timeout'),
      10_000,
    )
    .action(async (run: string, wanted: string, name: string | undefined, flags: ReplayFlags) => {
      const recorded = readRecordedFinding(run, wanted);
      const replayed = await replayOn(recorded, name, flags);
      process.stdout.write(inWords(recorded, replayed));
      exit(exitCodes[replayed.outcome]);
    });
}

async function replayOn(
  recorded: RecordedFinding,
  name: string | undefined,
  flags: ReplayFlags,
): Promise<Replayed> {
  const { target: facts, seed } = recorded.recording;
  const target = targetOf(facts, name, flags);
  if (target.kind === 'remote') return ask(recorded, target, flags);
  const local = await openLocal({ seed, faults: [] });
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
  const client = clientFor(target, flags);
  const booked = bookedClient(target, flags.budget, client);
  try {
    return await replay({
      spec: await loadAcceptedSpec(specFile),
      recording,
      target: target.facts,
      fingerprint: finding.fingerprint,
      law: { rules: chosen.rules, questions: [] },
      client: booked,
      hasKey: target.apiKey !== undefined,
      budget: flags.budget,
    });
  } finally {
    await client.close();
    booked.close();
  }
}

/**
 * The target that the caller names, or the one of that name and address in the caller's own config. A folder may be a
 * stranger's: the key goes nowhere on its word. What it says of the target besides decides only how it is judged.
 */
function targetOf(facts: TargetFacts, name: string | undefined, flags: ReplayFlags): Target {
  const { poolsV1, poolsV2, keyless, soleUser } = facts;
  if (flags.baseUrl !== undefined) {
    return readTarget(name, { poolsV1, poolsV2, keyless, sharedKey: !soleUser, ...flags }, process.env);
  }
  const wanted = name ?? facts.name;
  if (wanted === 'local') return { kind: 'local' };
  if (name !== undefined || openConfig(flags.config)?.targets[wanted]?.baseUrl === facts.baseUrl) {
    return readTarget(wanted, flags, process.env);
  }
  throw new UsageError(
    `replay: name the target, or say --base-url ${visible(facts.baseUrl)} if that is where your key may go`,
  );
}

function inWords({ finding }: RecordedFinding, { outcome, reason, sent }: Replayed): string {
  return `${outcome}  ${visible(finding.fingerprint)}\n  ${visible(reason)}\n  ${sent} requests\n`;
}
