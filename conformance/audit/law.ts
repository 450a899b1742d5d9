import type { Catalogue } from '../../contract/law/catalogue.ts';
import type { DamageKind, Mark } from './damage.ts';

/** What a breach of these rules makes of a range; for the others of their groups, see below. */
const kinds: Readonly<Record<string, DamageKind>> = {
  'transport/strict-json': 'unreadable',
  'history/answer-is-a-list': 'unreadable',
  'history/one-candle-per-interval': 'duplicate',
  'history/contiguous': 'misplaced',
  'history/aligned': 'misplaced',
  'history/candles-meet-the-range': 'misplaced',
  'history/open-candle-is-newest': 'misplaced',
  'history/no-row-is-copied': 'copy',
  'history/pools-differ': 'copy',
  'history/closed-candles-stay': 'changed',
  'rollup/parents-and-parts': 'gap',
};

/**
 * Missing rows are reckoned from the rows themselves, to their exact ranges; an order of rows damages none; an open
 * candle is no past yet.
 */
const leftOut: readonly string[] = [
  'rollup/open-holds-its-parts',
  'rollup/open-average-keeps-its-past',
  'rollup/open-is-made-of-its-parts',
];

/** Breaches that stand for the whole answer, of which they show one candle. */
const ofWholeAnswers: readonly string[] = ['history/pools-differ', 'rollup/average-is-the-mean'];

/** Undefined for a rule that says nothing of single ranges. */
export function kindOf(rule: string): DamageKind | undefined {
  if (leftOut.includes(rule)) return undefined;
  if (rule.startsWith('candle/')) return kinds[rule] ?? 'impossible';
  return kinds[rule] ?? (rule.startsWith('rollup/') ? 'rollup' : undefined);
}

export function standsForAll(rule: string): boolean {
  return ofWholeAnswers.includes(rule);
}

/** A row of zeros, or of another row's values: nothing in it is its own. An impossible average leaves the rest as it is. */
export function isFilled({ kind, rule }: Mark): boolean {
  return kind === 'copy' || rule === 'candle/prices-are-positive';
}

/** It says already what is wrong with the prices or the volume of its rows. */
export function explainsValues(mark: Mark): boolean {
  const { kind, rule } = mark;
  return (
    isFilled(mark) ||
    kind === 'rollup' ||
    rule === 'candle/high-is-highest' ||
    rule === 'candle/low-is-lowest'
  );
}

/** The rules of a catalogue that an audit judges by. */
export function lawOfRanges({ rules, ...law }: Catalogue): Catalogue {
  return { ...law, rules: rules.filter(({ id }) => kindOf(id) !== undefined), questions: [] };
}
