import { type Command, Option } from 'commander';
import type { BaselineChoice } from '../../conformance/baseline/open-baseline.ts';
import { readTimeout, readWholeNumber } from '../../files/read-numbers.ts';
import { UsageError } from '../../files/usage-error.ts';
import { addBaselineFlags } from '../baseline/flags.ts';
import { jsonFlag, type PrintFlags } from '../words/output.ts';
import type { GithubFlags } from './github.ts';

export type RunFlags = BaselineChoice &
  PrintFlags &
  GithubFlags & {
    /** Longest time (s) to wait for the target before the run. */
    readonly wait?: number;
    readonly list?: boolean;
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

/** The meaning of --strict. */
export const strictMeans =
  'exit 1 for a failed "should", a known failing that is gone or expired and a changed answer too';

/** Adds the flags of a check to a command. */
export function addRunFlags(command: Command): Command {
  return addBaselineFlags(command)
    .option(
      '--budget <n>',
      'most requests to send, asking again included; auto: what the month leaves',
      (text) => (text === 'auto' ? text : readWholeNumber(0, text, '--budget')),
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
    .option('--seed <n>', 'repeat a run with the same choices', (text) => readWholeNumber(-1, text, '--seed'))
    .option('--only <names...>', 'rules or groups of rules to judge by')
    .option('--edition <n>', editionMeans, readEdition)
    .option('--thorough', 'all near-miss keys and requests at once, away from loopback too')
    .option('--expose-key', 'try the real key in a URL, a cookie and a Bearer header away from loopback too')
    .option('--out <dir>', 'folder for the reports')
    .option('--strict', strictMeans)
    .option('--timings', 'print where the time of the run went, on stderr')
    .option(...jsonFlag);
}

/** The longest wait, in milliseconds; where it is not given, what usually does for the command. */
export function timeoutOption(usual: number): Option {
  return new Option('--timeout <ms>', 'longest wait for an answer')
    .argParser((text) => readTimeout(text, '--timeout'))
    .default(usual);
}

/** Returns the flag for the longest time of a whole run, in seconds. */
export function deadlineOption(): Option {
  return new Option(
    '--deadline <seconds>',
    'longest time for the whole run (30, and one for each request that it may send)',
  ).argParser((text) => readWholeNumber(0, text, '--deadline'));
}

/** Returns the flag for the longest answer to read, in MB. */
export function maxBodyOption(): Option {
  return new Option(
    '--max-body <mb>',
    'longest answer to read, in MB (8); a run keeps four times as much',
  ).argParser(readMaxBody);
}

/** More would not fit into the memory that one text may take. */
const mostMegabytes = 128;

function readMaxBody(text: string): number {
  const megabytes = readWholeNumber(0, text, '--max-body');
  if (megabytes > mostMegabytes)
    throw new UsageError(`--max-body: "${text}" is more than ${mostMegabytes} MB`);
  return megabytes;
}

/** The meaning of --edition. */
export const editionMeans = 'judge by the rules of an earlier edition, as a config may pin it';

/** Reads the number of an edition; throws a UsageError. */
export function readEdition(text: string): number {
  return readWholeNumber(0, text, '--edition');
}

function positive(text: string, flag: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value)))
    throw new UsageError(`${flag}: "${text}" is not a number above 0`);
  return value;
}

/** Reads a port, 0 for any that is free; throws a UsageError with the flag. */
export function readPort(text: string, flag: string): number {
  const port = readWholeNumber(-1, text, flag);
  if (port > 65535) throw new UsageError(`${flag}: ${port} is no port: give 0 to 65535`);
  return port;
}
