import { usualSize } from '@candleproof/check/plan/plan';
import {
  type RecordedFinding,
  type ReplayedFinding,
  readRecordedFindings,
  replayFinding,
} from '@candleproof/check/target/replay-finding';
import { formatPools, type TargetDescription } from '@candleproof/check/target/target-description';
import { readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { makeVisible } from '@candleproof/reports/words/escape';
import type { Command } from 'commander';
import { openConfig } from '../config/config.ts';
import { findLedger } from '../database/read-ledger.ts';
import { addSendingFlags, headings, option, type SendingFlags } from '../running/options.ts';
import { defaultDeadline, runStoppable } from '../running/stopping.ts';
import { withTarget } from '../target/local-service.ts';
import { type NamedTarget, readTarget } from '../target/read-target.ts';
import { addTargetFlags } from '../target/target-flags.ts';
import { jsonFlag, type PrintFlags, printJson, printText, warnUnbooked } from '../words/output.ts';

type ReplayFlags = TargetDescription &
  PrintFlags &
  SendingFlags & { readonly all?: boolean; readonly budget?: number };

const exitCodes = { fixed: 0, 'still there': 1, 'cannot tell': 3 } as const;

const worstFirst = ['still there', 'cannot tell', 'fixed'] as const;

/** Adds the command `replay` to the program. */
export function registerReplay(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('replay <run> [finding] [target]')
    .description("request a finding's evidence again: fixed, still there or cannot tell");
  addTargetFlags(command)
    .optionsGroup(headings.sent)
    .addOption(
      option('--budget <n>', `most requests to send (${usualSize.keyed} for each finding)`, (text, flag) =>
        readWholeNumber(text, flag, 2),
      ),
    );
  addSendingFlags(command, 10_000)
    .option('--all', 'all findings of the run; the target follows the folder')
    .optionsGroup(headings.written)
    .option(...jsonFlag)
    .action(async (run: string, wanted: string | undefined, name: string | undefined, flags: ReplayFlags) => {
      if (!flags.all && wanted === undefined)
        throw new UsageError('replay: name a finding by its number, or give --all');
      const findings = readRecordedFindings(run, flags.all ? undefined : wanted);
      const target = flags.all ? (wanted ?? name) : name;
      exit(await replayEach(findings, target, flags));
    });
}

async function replayEach(
  findings: readonly RecordedFinding[],
  name: string | undefined,
  flags: ReplayFlags,
): Promise<number> {
  const [first] = findings;
  if (!first) {
    printText('the run has no finding\n', flags);
    return 0;
  }
  const { seed } = first.recording;
  const target = chooseTarget(first, name, flags);
  const { deadline = defaultDeadline(flags.budget ?? usualSize.keyed * findings.length, target.spec) } =
    flags;
  const replays = await runStoppable(deadline, (stop) =>
    withTarget(target, { seed }, async (found, remote) => {
      const ledger = findLedger(remote, process.env);
      const all: ReplayedFinding[] = [];
      for (const recorded of findings) {
        const replayed = await replayFinding(found, recorded, {
          ...flags,
          budget: flags.budget === undefined ? usualSize.keyed : flags.budget - sum(all),
          ...{ ledger, onUnbooked: warnUnbooked, stop },
          onPlan: (requests) =>
            printText(`sends at most ${requests} requests to ${makeVisible(found.facts.baseUrl)}\n`, flags),
        });
        printText(describeReplayed(replayed), flags);
        all.push(replayed);
      }
      return all;
    }),
  );
  printJson(flags, replays);
  const outcomes = new Set(replays.map(({ outcome }) => outcome));
  return exitCodes[worstFirst.find((outcome) => outcomes.has(outcome)) ?? 'fixed'];
}

/**
 * Takes the host from the caller alone, by name, flag or config: a folder may come from elsewhere, and must not choose
 * where a key goes. Takes the pools, the declared gaps, and whether others use the key, from the recording unless the
 * caller states them.
 */
function chooseTarget(
  { recording: { target } }: RecordedFinding,
  name: string | undefined,
  flags: ReplayFlags,
): NamedTarget {
  if (name === undefined && flags.baseUrl === undefined) {
    if (target.name === 'local') return readTarget('local', flags, process.env);
    const configured = openConfig(flags.config) && readTarget(name, flags, process.env);
    if (configured?.facts?.baseUrl === target.baseUrl) return configured;
    throw new UsageError(
      `replay: the folder was recorded at ${makeVisible(target.baseUrl)}, and a folder's word sends no key anywhere: name the target, or give --base-url`,
    );
  }
  if (flags.baseUrl === undefined) return readTarget(name, flags, process.env);
  const { pools, soleUser, gaps } = target;
  const isNamed = flags.pools ?? flags.poolsV1 ?? flags.poolsV2;
  const chosen = isNamed ? {} : { pools: formatPools(pools) };
  return readTarget(name, { ...chosen, gaps, sharedKey: !soleUser, ...flags }, process.env);
}

function sum(replays: readonly ReplayedFinding[]): number {
  return replays.reduce((total, { sent }) => total + sent, 0);
}

function describeReplayed({ fingerprint, outcome, reason, sent }: ReplayedFinding): string {
  return `${outcome}  ${makeVisible(fingerprint)}\n  ${makeVisible(reason)}\n  ${sent} requests\n`;
}
