import { join } from 'node:path';
import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { version } from '@candleproof/files/package-files';
import { readCount, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder } from '@candleproof/files/write-files';
import type { Verdict } from '@candleproof/law/judge/verdict';
import { readExpectations } from '@candleproof/rehearse/judging/expectation';
import { renderRehearsalTerminal } from '@candleproof/rehearse/page/rehearsal-text';
import { writeRehearsal } from '@candleproof/rehearse/page/write-rehearsal';
import { rehearseClient } from '@candleproof/rehearse/rehearse';
import { chooseScenarios } from '@candleproof/rehearse/scenarios/scenario-catalogue';
import type { Command } from 'commander';
import { headings, option, outFlag, repeatable } from '../running/options.ts';
import { runStoppable } from '../running/stopping.ts';
import {
  jsonFlag,
  type PrintFlags,
  printJson,
  printLines,
  terminalStyle,
  wordStream,
} from '../words/output.ts';

type RehearseFlags = PrintFlags & {
  readonly scenario?: readonly string[];
  readonly expect?: readonly string[];
  /** False with `--no-overage`. */
  readonly overage: boolean;
  readonly for: number;
  readonly jobs?: number;
  readonly http?: boolean;
  readonly out: string;
  readonly seed: number;
};

/** Adds the command `rehearse` to the program. */
export function registerRehearse(program: Command, exit: (code: number) => void): void {
  program
    .command('rehearse <command...>')
    .description('play a difficult service to a client and judge the client; see docs/rehearse.md')
    .optionsGroup(headings.sent)
    .addOption(repeatable('--scenario <id>', 'play this one; repeatable (all of them)'))
    .option('--for <seconds>', 'how long the client runs in each scenario', seconds, 15)
    .addOption(option('--jobs <n>', 'scenarios to play at a time (all of them)', readWholeNumber))
    .option('--http', 'serve plain HTTP on loopback, for a client that cannot be given an authority')
    .addOption(option('--seed <n>', 'seed of the simulated market', readCount, 1))
    .optionsGroup(headings.judged)
    .addOption(
      repeatable(
        '--expect <what>',
        'exit=N, stdout=TEXT or requests=none|some, for one scenario as gap:exit=1; repeatable',
      ),
    )
    .option('--no-overage', 'the client has to stay within its month')
    .optionsGroup(headings.written)
    .option(...outFlag, join('reports', 'out', 'rehearsal'))
    .option(...jsonFlag)
    .action(async (command: string[], flags: RehearseFlags) => exit(await rehearse(command, flags)));
}

const exits: Readonly<Record<Verdict, number>> = { conformant: 0, nonconformant: 1, inconclusive: 3 };

/** A day is longer than any useful rehearsal. */
const longestSeconds = 86_400;

async function rehearse(command: readonly string[], flags: RehearseFlags): Promise<number> {
  const { scenario: named = [], expect = [] } = flags;
  const scenarios = chooseScenarios(named);
  const expectations = readExpectations(expect, scenarios);
  makeOutputFolder(flags.out);
  const outcome = await runStoppable(longestSeconds, async (signal, show) =>
    rehearseClient({
      ...{ command, scenarios, expectations, version, signal, seed: flags.seed },
      areChosen: named.length > 0,
      spec: await acceptSpec(),
      forMs: flags.for * 1000,
      noOverage: !flags.overage,
      http: flags.http === true,
      jobs: flags.jobs,
      onScenario: (id, at) => show(`${id}, ${at + 1} of ${scenarios.length}`),
    }),
  );
  writeRehearsal(outcome, flags.out);
  const words = wordStream(flags);
  printLines(renderRehearsalTerminal(outcome.rehearsal, terminalStyle(flags)), flags);
  words.write(`report: ${join(flags.out, 'index.html')}\n`);
  printJson(flags, outcome.rehearsal);
  return exits[outcome.rehearsal.verdict];
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= longestSeconds / 24) return value;
  throw new UsageError(`--for: "${text}" is no time: give seconds above 0, at most ${longestSeconds / 24}`);
}
