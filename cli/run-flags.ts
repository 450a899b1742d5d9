import { randomInt } from 'node:crypto';
import { type Command, Option } from 'commander';
import { type Catalogue, catalogue, choose } from '../contract/catalogue.ts';
import { addBaselineFlags, type BaselineFlags } from './baseline/flags.ts';
import { UsageError } from './usage-error.ts';

export type RunFlags = BaselineFlags & {
  readonly budget?: number;
  readonly tier?: 'pr' | 'smoke' | 'full';
  readonly rate?: number;
  readonly timeout: number;
  readonly seed?: number;
  readonly only?: readonly string[];
  readonly out?: string;
  readonly strict?: boolean;
};

/** What --strict adds to what a run is red about. */
export const strictMeans =
  'exit 1 for a failed "should", a known failing that is gone or expired and a changed answer too';

export function addRunFlags(command: Command): Command {
  return addBaselineFlags(command)
    .option('--budget <n>', 'most requests to send, asking again included', (text) =>
      wholeAbove(0, text, '--budget'),
    )
    .addOption(
      new Option('--tier <name>', 'pr: no live request; smoke: at most 12; full: as without a tier').choices([
        'pr',
        'smoke',
        'full',
      ]),
    )
    .option('--rate <n>', 'requests per second (5 away from loopback)', (text) => positive(text, '--rate'))
    .option(
      '--timeout <ms>',
      'longest wait for an answer',
      (text) => wholeAbove(0, text, '--timeout'),
      10_000,
    )
    .option('--seed <n>', 'repeats a run with the same choices', (text) => wholeAbove(-1, text, '--seed'))
    .option('--only <names...>', 'rules or groups of rules to judge by')
    .option('--out <dir>', 'folder for the reports')
    .option('--strict', strictMeans);
}

/** The part of the catalogue that --only names. */
export function chosenCatalogue(only: readonly string[] | undefined): Catalogue {
  if (!only) return catalogue;
  const { chosen, unknown } = choose(only.flatMap((each) => each.split(',')));
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
