import type { Example, Finding } from '../../contract/judge/verdict.ts';
import { clip } from './escape.ts';
import { seenInWords } from './tally.ts';
import { operationWords } from './wording.ts';

/** A value in a message that CI pages show in one line. */
const longestValue = 200;

/** `expected 3; actual 4`, in one line whose length is bounded. */
export function inOneLine({ expected, actual }: Pick<Example, 'expected' | 'actual'>): string {
  return `expected ${clip(expected, longestValue)}; actual ${clip(actual, longestValue)}`;
}

/** A finding in full, each value on a line of its own. */
export function inLines(finding: Finding): string[] {
  const { expected, actual, intermittent, replay } = finding;
  return [
    `${operationWords(finding).request} at ${placeOf(finding)}`,
    `expected: ${expected}`,
    `actual:   ${actual}`,
    `seen: ${seenInWords(finding)}${intermittent ? ', intermittent' : ''}, first in ${exchangeOf(finding)}`,
    `replay:   ${replay}`,
  ];
}

/** Where an exchange stands: in the HAR of the run, and in the file that was judged where that is another one. */
export function exchangeOf({ exchange, place }: Pick<Example, 'exchange' | 'place'>): string {
  return place === undefined ? `exchange ${exchange}` : `exchange ${exchange} (${place})`;
}

/** The pointer of a finding in words: the empty one is the body as a whole. */
export function placeOf({ pointer }: Pick<Finding, 'pointer'>): string {
  return pointer || 'the whole body';
}
