import type { DraftSchema } from './draft-envelope.ts';
import { readIntervalWord } from './interval-words.ts';

/** The lengths of a parameter's values, and the evidence for them. */
export type DescribedLengths = {
  readonly seconds: Readonly<Record<string, number>>;
  readonly evidence: string;
};

/** Longer values are sentences. */
const longestWord = 12;

/** Reads the lengths of an interval's values from its enum, its example and its description; undefined for none. */
export function readDescribedLengths(
  tags: DraftSchema,
  example: string | undefined,
): DescribedLengths | undefined {
  const listed = Array.isArray(tags.enum) ? tags.enum.map(String) : [];
  const description = typeof tags.description === 'string' ? tags.description : '';
  const worded = listed.length > 0 ? [] : (description.match(/\b\w+\b/g) ?? []).filter(isPlainWord);
  const values = [...new Set([...listed, ...worded, ...(example === undefined ? [] : [example])])];
  const unit = numberUnit(values, description);
  const lengths = values.flatMap((value): [string, number][] => {
    const seconds = /^\d+$/.test(value)
      ? Number(value) * unit
      : readIntervalWord(value, monthless(values) ? monthStep(value) : Number.NaN)?.seconds;
    return seconds === undefined || seconds === 0 ? [] : [[value, seconds]];
  });
  if (lengths.length === 0) return undefined;
  const source = listed.length > 0 ? 'its enum' : worded.length > 0 ? 'its description' : 'its example alone';
  const numbers = lengths.some(([name]) => /^\d+$/.test(name))
    ? `, numbers as ${unit === 1 ? 'seconds' : 'minutes'}`
    : '';
  return { seconds: Object.fromEntries(keepLadder(lengths)), evidence: `by ${source}${numbers}` };
}

function isPlainWord(word: string): boolean {
  return (
    word.length <= longestWord &&
    /\d/.test(word) &&
    !/^\d+$/.test(word) &&
    readIntervalWord(word) !== undefined
  );
}

/** Returns the seconds of a number alone: minutes, unless the numbers or the description are about seconds. */
function numberUnit(values: readonly string[], description: string): 1 | 60 {
  const numbers = values.filter((value) => /^\d+$/.test(value)).map(Number);
  if (numbers.includes(1440) || values.some((value) => /^\d*[DW]$/i.test(value))) return 60;
  if (numbers.includes(86_400) || numbers.includes(3600)) return 1;
  return /\bseconds?\b/i.test(description) && !/\bminutes?\b/i.test(description) ? 1 : 60;
}

/** Returns whether a capital M means minutes, since no small one does and some numbers before it are none of months. */
function monthless(values: readonly string[]): boolean {
  return !values.some((value) => /^\d+m$/.test(value)) && values.some((value) => /^(5|15|30)M$/.test(value));
}

function monthStep(value: string): number {
  return Number(/^(\d+)M$/.exec(value)?.[1]) * 60;
}

const week = 604_800;

/** Keeps values of which each divides the next, as longer candles are compared with the shorter ones in them. */
function keepLadder(
  lengths: readonly (readonly [name: string, seconds: number])[],
): (readonly [string, number])[] {
  const usual = lengths.filter(([, seconds]) => seconds >= 60 && (seconds <= 86_400 || seconds === week));
  const sorted = (usual.length > 0 ? usual : lengths).toSorted(([, one], [, other]) => one - other);
  const kept: (readonly [string, number])[] = [];
  for (const wanted of [60, 300, 3600, 14_400, 86_400, week]) {
    const found = sorted.find(([, seconds]) => seconds === wanted);
    if (found) kept.push(found);
  }
  return kept.length >= 2 || sorted.length <= kept.length ? kept : [...sorted];
}
