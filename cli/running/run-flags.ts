import { randomInt } from 'node:crypto';
import { type Command, Option } from 'commander';
import {
  type Catalogue,
  catalogueOf,
  choose,
  edition,
  UnknownEdition,
} from '../../contract/law/catalogue.ts';
import { addBaselineFlags, type BaselineFlags } from '../baseline/flags.ts';
import { UsageError } from '../usage-error.ts';

export type RunFlags = BaselineFlags & {
  readonly budget?: number | 'auto';
  readonly tier?: 'pr' | 'smoke' | 'full';
  readonly otherKeyFile?: string;
  readonly rate?: number;
  readonly timeout: number;
  readonly maxBody?: number;
  readonly deadline?: number;
  readonly seed?: number;
  readonly only?: readonly string[];
  readonly edition?: number;
  readonly out?: string;
  readonly thorough?: boolean;
  readonly exposeKey?: boolean;
  readonly strict?: boolean;
  readonly timings?: boolean;
};

/** What --strict adds to what a run is red about. */
export const strictMeans =
  'exit 1 for a failed "should", a known failing that is gone or expired and a changed answer too';

export function addRunFlags(command: Command): Command {
  return addBaselineFlags(command)
    .option(
      '--budget <n>',
      'most requests to send, asking again included; auto: what the month leaves',
      (text) => (text === 'auto' ? text : wholeAbove(0, text, '--budget')),
    )
    .addOption(
      new Option(
        '--tier <name>',
        'pr: sends nothing; smoke: at most 12 requests; full: as without a tier',
      ).choices(['pr', 'smoke', 'full']),
    )
    .option('--other-key-file <file>', 'a second key, to show that keys are counted separately')
    .option('--rate <n>', 'requests per second (5 away from loopback)', (text) => positive(text, '--rate'))
    .addOption(timeoutOption(10_000))
    .addOption(maxBodyOption())
    .addOption(deadlineOption())
    .option('--seed <n>', 'repeat a run with the same choices', (text) => wholeAbove(-1, text, '--seed'))
    .option('--only <names...>', 'rules or groups of rules to judge by')
    .option('--edition <n>', editionMeans, readEdition)
    .option('--thorough', 'all near-miss keys and requests at once, away from loopback too')
    .option('--expose-key', 'try the real key in a URL, a cookie and a Bearer header away from loopback too')
    .option('--out <dir>', 'folder for the reports')
    .option('--strict', strictMeans)
    .option('--timings', 'print where the time of the run went, on stderr');
}

/** The longest wait, in milliseconds; where it is not given, what usually does for the command. */
export function timeoutOption(usual: number): Option {
  return new Option('--timeout <ms>', 'longest wait for an answer')
    .argParser((text) => readTimeout(text, '--timeout'))
    .default(usual);
}

/** A timer takes no more. */
const longestTimerMs = 2 ** 31 - 1;

export function readTimeout(text: string, flag: string): number {
  const wait = wholeAbove(0, text, flag);
  if (wait > longestTimerMs)
    throw new UsageError(`${flag}: "${text}" is more than ${longestTimerMs} ms, the longest that is waited`);
  return wait;
}

export function deadlineOption(): Option {
  return new Option(
    '--deadline <seconds>',
    'longest time for the whole run (30, and one for each request that it may send)',
  ).argParser((text) => wholeAbove(0, text, '--deadline'));
}

export function maxBodyOption(): Option {
  return new Option(
    '--max-body <mb>',
    'longest answer to read, in MB (8); a run keeps four times as much',
  ).argParser(readMaxBody);
}

/** More would not fit into the memory that one text may take. */
const mostMegabytes = 128;

function readMaxBody(text: string): number {
  const megabytes = wholeAbove(0, text, '--max-body');
  if (megabytes > mostMegabytes)
    throw new UsageError(`--max-body: "${text}" is more than ${mostMegabytes} MB`);
  return megabytes;
}

/** What --edition chooses. */
export const editionMeans = 'judge by the rules of an earlier edition, as a config may pin it';

export function readEdition(text: string): number {
  return wholeAbove(0, text, '--edition');
}

/** The law of an edition; the present one where none is pinned. */
export function lawOfEdition(pinned: number = edition): Catalogue {
  try {
    return catalogueOf(pinned);
  } catch (error) {
    if (!(error instanceof UnknownEdition)) throw error;
    throw new UsageError(`--edition: ${error.message}: take one of them, or a newer candleproof`);
  }
}

/** The part of the catalogue that --only names, as it stood in the pinned edition. */
export function chosenCatalogue(only: readonly string[] | undefined, pinned?: number): Catalogue {
  const law = lawOfEdition(pinned);
  if (!only) return law;
  const { chosen, unknown } = choose(
    only.flatMap((each) => each.split(',')),
    law,
  );
  if (unknown.length > 0) {
    throw new UsageError(`--only: no rule or group is called "${unknown[0]}": see candleproof rules`);
  }
  return chosen;
}

export function seedOf(flags: RunFlags): number {
  return flags.seed ?? randomInt(2 ** 31);
}

export function wholeAbove(least: number, text: string, flag: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > least))
    throw new UsageError(`${flag}: "${text}" is not a whole number of at least ${least + 1}`);
  return value;
}

function positive(text: string, flag: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value)))
    throw new UsageError(`${flag}: "${text}" is not a number above 0`);
  return value;
}
