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
import { type RemoteTarget, readTarget, type TargetFlags } from '../target-flags.ts';
import { UsageError } from '../usage-error.ts';
import { specFile } from '../version.ts';

type ReplayFlags = Pick<TargetFlags, 'config' | 'apiKeyFile' | 'caFile'> & {
  readonly budget: number;
  readonly timeout: number;
};

const exitCodes = { fixed: 0, 'still there': 1, 'cannot tell': 3 } as const;

export function registerReplay(program: Command, exit: (code: number) => void): void {
  program
    .command('replay <run> <finding>')
    .description("ask again for one finding's evidence: fixed (0), still there (1) or cannot tell (3)")
    .option('--config <file>', 'targets and keys under their names (candleproof.yaml)')
    .option('--api-key-file <file>', 'file that holds the API key (or CANDLEPROOF_API_KEY)')
    .option('--ca-file <file>', 'PEM of an authority to trust besides the public ones')
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
    .action(async (run: string, wanted: string, flags: ReplayFlags) => {
      const recorded = readRecordedFinding(run, wanted);
      const replayed = await replayOn(recorded, flags);
      process.stdout.write(inWords(recorded, replayed));
      exit(exitCodes[replayed.outcome]);
    });
}

async function replayOn(recorded: RecordedFinding, flags: ReplayFlags): Promise<Replayed> {
  const { target, seed } = recorded.recording;
  if (target.name !== 'local') return ask(recorded, targetOf(target, flags), flags);
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

/** The target as the config has it under the same name and address; else as the recording describes it. */
function targetOf(facts: TargetFacts, flags: ReplayFlags): RemoteTarget {
  const { name, baseUrl, poolsV1, poolsV2, keyless, soleUser } = facts;
  const isConfigured = openConfig(flags.config)?.targets[name]?.baseUrl === baseUrl;
  const { config, ...own } = flags;
  const target = isConfigured
    ? readTarget(name, { ...(config !== undefined && { config }) }, process.env)
    : readTarget(name, { ...own, baseUrl, poolsV1, poolsV2, keyless, sharedKey: !soleUser }, process.env);
  if (target.kind === 'local') throw new UsageError('replay: the target is not to be asked');
  return target;
}

function inWords({ finding }: RecordedFinding, { outcome, reason, sent }: Replayed): string {
  return `${outcome}  ${visible(finding.fingerprint)}\n  ${visible(reason)}\n  ${sent} requests\n`;
}
