import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { requirePools } from '../../conformance/check/target.ts';
import type { TargetDescription } from '../../conformance/check/target-words.ts';
import type { Covered } from '../../conformance/explore/draw.ts';
import type { Explored } from '../../conformance/explore/explore.ts';
import type { Counterexample } from '../../conformance/explore/smallest.ts';
import { readForm } from '../../conformance/forms/form-file.ts';
import { chooseEdition } from '../../conformance/judging/choose-law.ts';
import { makeOutputFolder, writeNamed } from '../../files/named-output.ts';
import { readNamedFile } from '../../files/read-file.ts';
import { readWholeNumber } from '../../files/read-numbers.ts';
import { UsageError } from '../../files/usage-error.ts';
import { writeFiles } from '../../files/write-files.ts';
import { makeVisible } from '../../reports/words/escape.ts';
import { findLedger } from '../database/read-ledger.ts';
import { addGithubFlags, type GithubFlags } from '../running/github.ts';
import { exitCode, publishRun } from '../running/publish-run.ts';
import { deadlineOption, maxBodyOption, strictMeans, timeoutOption } from '../running/run-flags.ts';
import { stopping, usualDeadline } from '../running/stopping.ts';
import { withTarget } from '../target/local-service.ts';
import { addTargetFlags, type NamedTarget, readTarget } from '../target/target-flags.ts';
import { jsonFlag, type PrintFlags, progressLine, quietFlag, say, warnUnbooked } from '../words/output.ts';

type ExploreFlags = TargetDescription &
  PrintFlags &
  GithubFlags & {
    readonly budget: number;
    readonly seed?: number;
    readonly path?: string;
    readonly counterexamples?: string;
    readonly out?: string;
    readonly rate?: number;
    readonly timeout: number;
    readonly maxBody?: number;
    readonly deadline?: number;
    readonly strict?: boolean;
  };

const usualBudget = 60;

/** A file that people keep; a larger one is a mistake. */
const mostBytes = 1 << 20;

const schemaFile = fileURLToPath(
  new URL('../../conformance/explore/counterexamples.schema.json', import.meta.url),
);

/** Adds the command `explore` to the program. */
export function registerExplore(program: Command, exit: (code: number) => void): void {
  addGithubFlags(
    addTargetFlags(
      program
        .command('explore [target]')
        .description(
          'draw requests that no plan holds, until a response breaks a rule or the budget is spent',
        ),
    ),
  )
    .option(
      '--budget <n>',
      'most requests to send',
      (text) => readWholeNumber(0, text, '--budget'),
      usualBudget,
    )
    .option('--seed <n>', 'draw the same requests again', (text) => readWholeNumber(-1, text, '--seed'))
    .option('--path <path>', 'path of a counterexample, sent alone; give its --seed too', readPath)
    .option('--counterexamples <file>', 'counterexamples to try first; what is found is added')
    .option('--out <dir>', 'folder for the reports')
    .option('--rate <n>', 'requests per second (5 away from loopback)', (text) =>
      readWholeNumber(0, text, '--rate'),
    )
    .addOption(timeoutOption(10_000))
    .addOption(maxBodyOption())
    .addOption(deadlineOption())
    .option('--strict', strictMeans)
    .option(...jsonFlag)
    .option(...quietFlag)
    .action(async (name, flags: ExploreFlags) => exit(await run(name, flags)));
}

async function run(name: string | undefined, flags: ExploreFlags): Promise<number> {
  const target = readTarget(name, flags, process.env);
  if (flags.path !== undefined && flags.seed === undefined) {
    throw new UsageError('--path: give the --seed that it belongs to');
  }
  if (target.kind === 'remote') requirePools(target, 'explore');
  const known = flags.counterexamples === undefined ? [] : readKnown(flags.counterexamples);
  if (flags.out !== undefined) makeOutputFolder(flags.out);
  const stop = stopping(
    flags.deadline ?? usualDeadline(flags.budget, target.kind === 'remote' ? target.spec : {}),
  );
  const found = await exploreOn(target, flags, known, stop.signal);
  stop.dispose();
  publishRun(found, flags, target.kind === 'remote' ? target.configured?.place : undefined);
  say(inWords(found), flags);
  const { counterexample } = found;
  if (counterexample && flags.counterexamples !== undefined)
    keep(flags.counterexamples, known, counterexample);
  return exitCode(found.run, flags.strict === true);
}

async function exploreOn(
  target: NamedTarget,
  flags: ExploreFlags,
  known: readonly Counterexample[],
  stop: AbortSignal,
): Promise<Explored> {
  // Loaded here, since no other command needs what draws the requests.
  const { exploreTarget } = await import('../../conformance/explore/explore-target.ts');
  const progress = progressLine(flags);
  return withTarget(target, { seed: 1, handlesSignals: true }, (found, remote) =>
    exploreTarget(found, {
      ...flags,
      ...(!remote && { seed: flags.seed ?? 1 }),
      ...{ known, stop, ledger: findLedger(remote, process.env), onUnbooked: warnUnbooked },
      law: chooseEdition(remote?.configured?.edition),
      onProgress: (sent) => progress.show(`${sent} of at most ${flags.budget} requests`),
    }),
  ).finally(() => progress.clear());
}

function readPath(text: string): string {
  if (/^\d+(:\d+)*(\/\d+(:\d+)*)*$/.test(text)) return text;
  throw new UsageError(`--path: "${text}" is none: give the one that a counterexample was reported with`);
}

function inWords({ counterexample, cases, covered, run }: Explored): string {
  if (!counterexample) {
    const reach = covered ? `; ${coverage(covered)}` : '';
    return `no counterexample in ${cases} batches, seed ${run.seed}${reach}\n`;
  }
  const { requests, rules, seed, path } = counterexample;
  const origin = path === undefined ? '' : `\nseed ${seed}, path ${path}`;
  const lines = requests.map((request) => `  ${makeVisible(request)}`);
  return `counterexample: ${rules.join(', ')}${origin}\n${lines.join('\n')}\n`;
}

function coverage({ kinds, of }: Covered): string {
  if (kinds === of) return `all ${of} kinds of request were sent`;
  return `${kinds} of ${of} kinds of request were sent, a larger --budget sends more`;
}

/** A file that is not there yet is made once there is something to keep. */
function readKnown(file: string): readonly Counterexample[] {
  if (!existsSync(file)) return [];
  const text = readNamedFile(file, '--counterexamples', mostBytes);
  const { content } = readForm(text, file, '--counterexamples', schemaFile);
  return (content as { counterexamples: Counterexample[] }).counterexamples;
}

function keep(file: string, known: readonly Counterexample[], found: Counterexample): void {
  const others = known.filter(
    (counterexample) => counterexample.requests.join(' ') !== found.requests.join(' '),
  );
  const text = `${JSON.stringify({ counterexamples: [found, ...others] }, null, 2)}\n`;
  writeNamed('--counterexamples', () => writeFiles(dirname(resolve(file)), { [basename(file)]: text }));
}
