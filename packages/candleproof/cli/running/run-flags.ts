import { randomInt } from 'node:crypto';
import type { BaselineChoice } from '@candleproof/check/baseline/open-baseline';
import { usualSeed } from '@candleproof/check/plan/plan';
import { readCount, readPositive, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { type Command, Option } from 'commander';
import { addBaselineFlags } from '../baseline/baseline-flags.ts';
import { jsonFlag, type PrintFlags } from '../words/output.ts';
import type { GithubFlags } from './github.ts';
import {
  addLawFlags,
  addSendingFlags,
  headings,
  type LawFlags,
  option,
  outFlag,
  type SendingFlags,
  strictFlag,
} from './options.ts';

export type RunFlags = BaselineChoice &
  PrintFlags &
  GithubFlags &
  LawFlags &
  SendingFlags & {
    /** Longest time (s) to wait for the target before the run. */
    readonly wait?: number;
    readonly list?: boolean;
    readonly budget?: number | 'auto';
    readonly tier?: 'pr' | 'smoke' | 'full';
    readonly otherKeyFile?: string;
    /** `random` draws one. */
    readonly seed?: number | 'random';
    readonly nightly?: number;
    readonly out?: string;
    readonly thorough?: boolean;
    readonly exposeKey?: boolean;
    readonly strict?: boolean;
    readonly timings?: boolean;
  };

/** A run's choices: its seed, and the number of runs that are planned as one. */
export type ChosenNight = { readonly seed: number; readonly nights?: number };

/**
 * Returns the seed of a run. The same build gets the same requests unless the flags want others: `random`, or those of a
 * night, which the day (UTC) decides. `usual` is the config's seed.
 */
export function chooseNight(
  { seed, nightly }: Pick<RunFlags, 'seed' | 'nightly'>,
  {
    usual = usualSeed,
    now = Date.now(),
  }: { readonly usual?: number | undefined; readonly now?: number } = {},
): ChosenNight {
  if (nightly === undefined) return { seed: seed === 'random' ? randomInt(2 ** 31) : (seed ?? usual) };
  if (nightly < 1 || nightly > mostNights) {
    throw new UsageError(`--nightly: ${nightly}: give 1 to ${mostNights} nights`);
  }
  if (seed === 'random') {
    throw new UsageError('--seed: random goes without --nightly, where the day decides: leave one out');
  }
  if (seed !== undefined && (seed < 1 || seed > nightly)) {
    throw new UsageError(`--seed: ${seed} is none of ${nightly} nights: give 1 to ${nightly}, or no --seed`);
  }
  return { seed: seed ?? 1 + (Math.floor(now / 86_400_000) % nightly), nights: nightly };
}

/** Reads a seed, or the word for one that is drawn; throws a UsageError with the flag. */
function readSeed(text: string, flag: string): number | 'random' {
  return text === 'random' ? text : readCount(text, flag);
}

/** More nights would cover nothing that these leave. */
const mostNights = 31;

/** Adds the flags of a check to a command. */
export function addRunFlags(command: Command): Command {
  addBaselineFlags(command);
  addLawFlags(command)
    .option(...strictFlag)
    .optionsGroup(headings.sent)
    .addOption(
      option(
        '--budget <n>',
        'most requests to send, asking again included; auto: what the month leaves',
        (text, flag) => (text === 'auto' ? text : readWholeNumber(text, flag)),
      ),
    )
    .addOption(
      new Option(
        '--tier <name>',
        'pr: sends nothing; smoke: 16 fixed requests; full: as without a tier',
      ).choices(['pr', 'smoke', 'full']),
    )
    .option('--other-key-file <file>', 'a second key, to show that keys are counted separately')
    .addOption(option('--rate <n>', 'requests per second (5 away from loopback)', readPositive));
  addSendingFlags(command, 10_000).addOption(
    option('--seed <n>', 'choices of another run (1, or seed of the config); random: new ones', readSeed),
  );
  return command
    .addOption(
      option(
        '--nightly <n>',
        'one of n runs that cover more together: the day decides which, or --seed',
        readCount,
      ),
    )
    .option('--thorough', 'all near-miss keys and requests at once, away from loopback too')
    .option(
      '--expose-key',
      'try the real key in a URL, a cookie and an Authorization header away from loopback too',
    )
    .optionsGroup(headings.written)
    .option(...outFlag)
    .option('--timings', 'print where the time of the run went, on stderr')
    .option(...jsonFlag);
}
