import { keepCounterexample, readCounterexamples } from '@candleproof/check/explore/counterexamples';
import type { Explored } from '@candleproof/check/explore/explore';
import { requirePools } from '@candleproof/check/target/target';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { readCount, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder } from '@candleproof/files/write-files';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { makeVisible } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import type { Command } from 'commander';
import { resultFolder } from '../../library/write-run.ts';
import { findLedger } from '../database/read-ledger.ts';
import { FileOption } from '../running/file-option.ts';
import { addGithubFlags, type GithubFlags } from '../running/github.ts';
import {
  addSendingFlags,
  headings,
  option,
  outFlag,
  type SendingFlags,
  strictFlag,
} from '../running/options.ts';
import { exitCode, publishRun } from '../running/publish-run.ts';
import { defaultDeadline, runStoppable } from '../running/stopping.ts';
import { withTarget } from '../target/local-service.ts';
import { nameTarget, readTarget } from '../target/read-target.ts';
import { addTargetFlags } from '../target/target-flags.ts';
import { jsonFlag, type PrintFlags, printText, warnUnbooked } from '../words/output.ts';

type ExploreFlags = TargetDescription &
  PrintFlags &
  GithubFlags &
  SendingFlags & {
    readonly budget: number;
    readonly seed?: number;
    readonly path?: string;
    readonly counterexamples?: string;
    readonly out?: string;
    readonly strict?: boolean;
  };

const usualBudget = 60;

/** Adds the command `explore` to the program. */
export function registerExplore(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('explore [target]')
    .description('draw requests that no plan holds, until a response breaks a rule or the budget is spent');
  addTargetFlags(command)
    .optionsGroup(headings.sent)
    .addOption(option('--budget <n>', 'most requests to send', readWholeNumber, usualBudget))
    .addOption(option('--seed <n>', 'draw the same requests again', readCount))
    .option('--path <path>', 'path of a counterexample, sent alone; give its --seed too', readPath)
    .addOption(
      new FileOption('--counterexamples <file>', 'counterexamples to try first; what is found is added', {
        isReadFirst: true,
      }),
    )
    .addOption(option('--rate <n>', 'requests per second (5 away from loopback)', readWholeNumber));
  addSendingFlags(command, 10_000)
    .optionsGroup(headings.judged)
    .option(...strictFlag);
  addGithubFlags(command)
    .option(...outFlag)
    .option(...jsonFlag)
    .action(async (name, flags: ExploreFlags) => exit(await run(name, flags)));
}

async function run(name: string | undefined, flags: ExploreFlags): Promise<number> {
  const target = readTarget(name, flags, process.env);
  if (flags.path !== undefined && flags.seed === undefined) {
    throw new UsageError('--path: give the --seed that it belongs to');
  }
  if (target.kind === 'remote') requirePools(target, 'explore');
  const known = flags.counterexamples === undefined ? [] : readCounterexamples(flags.counterexamples);
  makeOutputFolder(resultFolder(flags.out, nameTarget(target)));
  // Loaded here, since no other command needs what draws the requests.
  const { exploreTarget } = await import('@candleproof/check/explore/explore');
  const { deadline = defaultDeadline(flags.budget, target.spec) } = flags;
  const found = await runStoppable(deadline, (stop, show) =>
    withTarget(target, { seed: 1 }, (opened, remote) =>
      exploreTarget(opened, {
        ...flags,
        ...(!remote && { seed: flags.seed ?? 1 }),
        ...{ known, stop, ledger: findLedger(remote, process.env), onUnbooked: warnUnbooked },
        law: catalogue,
        onProgress: (sent) => show(`${sent} of at most ${flags.budget} requests`),
      }),
    ),
  );
  publishRun(found, flags, target.configured?.place);
  printText(describeExplored(found), flags);
  const { counterexample } = found;
  if (counterexample && flags.counterexamples !== undefined)
    keepCounterexample(flags.counterexamples, counterexample);
  return exitCode(found.run, flags.strict === true);
}

function readPath(text: string): string {
  if (/^\d+(:\d+)*(\/\d+(:\d+)*)*$/.test(text)) return text;
  throw new UsageError(`--path: "${text}" is none: give the one that a counterexample was reported with`);
}

function describeExplored({ counterexample, covered, run }: Explored): string {
  if (!counterexample) {
    const reach = covered ? `; ${coverage(covered)}` : '';
    return `nothing broken in ${plural(run.requests.sent, 'request')}, seed ${run.seed}${reach}\n`;
  }
  const { requests, rules, seed, path } = counterexample;
  const origin = path === undefined ? '' : `\nseed ${seed}, path ${path}`;
  const lines = requests.map((request) => `  ${makeVisible(request)}`);
  return `counterexample: ${rules.join(', ')}${origin}\n${lines.join('\n')}\n`;
}

function coverage({ kinds, of }: NonNullable<Explored['covered']>): string {
  if (kinds === of) return `all ${of} kinds of request were sent`;
  return `${kinds} of ${of} kinds of request were sent, a larger --budget sends more`;
}
