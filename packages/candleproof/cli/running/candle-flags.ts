import { readTime, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { type GateVerdict, type Tolerable, tolerable } from '@candleproof/gate/gated';
import type { Command, Option } from 'commander';
import { addTargetFlags } from '../target/target-flags.ts';
import { addSendingFlags, headings, option } from './options.ts';

/** The exit code of each verdict about tables, and about a past. */
export const exits: Readonly<Record<GateVerdict, number>> = {
  ...{ sound: 0, suspected: 1, different: 1, damaged: 1, unjudged: 3 },
};

/** Adds the flags of a target's past: the target, what is requested of it, and which suspicions fail. */
export function addPastFlags(command: Command, gaps?: Option): Command {
  return addSendingFlags(
    addTargetFlags(command, gaps)
      .optionsGroup(headings.judged)
      .option('--strict', 'end with 1 on a suspicion too')
      .option(
        '--tolerate <kinds>',
        `let suspicions of these kinds pass, even beyond chance: ${tolerable.join(', ')}`,
        (text: string) => text.split(',').map((part) => readWord(tolerable, part.trim(), '--tolerate')),
      )
      .optionsGroup(headings.written)
      .option('--json', 'print the result as JSON instead of a summary')
      .optionsGroup(headings.sent)
      .addOption(option('--from <time>', 'ISO 8601 or Unix seconds (a year before --to)', readTime))
      .addOption(option('--to <time>', 'ISO 8601 or Unix seconds (now)', readTime))
      .option('--pool <ids...>', 'pools to sweep (all that have a history)')
      .addOption(
        option('--budget <n>', 'most requests to send (3 for each pool, and 18 more)', readWholeNumber),
      )
      .addOption(option('--rate <n>', 'requests per second (5 away from loopback)', readWholeNumber)),
    30_000,
  );
}

/** Returns whether there is a suspicion of a kind that is not tolerated; a past names copies of a table `repeated`. */
export function hasSuspicion(
  ranges: readonly { readonly certainty: string; readonly kind: string }[],
  tolerated: readonly Tolerable[],
): boolean {
  const isTolerated = (kind: string): boolean =>
    tolerated.some((one) => one === kind || (one === 'copy' && kind === 'repeated'));
  return ranges.some(({ certainty, kind }) => certainty === 'suspicion' && !isTolerated(kind));
}

/** Reads one of some words. */
export function readWord<Word extends string>(words: readonly Word[], text: string, flag: string): Word {
  const word = words.find((word) => word === text);
  if (word === undefined) throw new UsageError(`${flag}: "${text}": take ${words.join(', ')}`);
  return word;
}
