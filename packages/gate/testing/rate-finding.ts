import type { GateRange } from '../gated.ts';
import type { PlantedDamage } from './damages.ts';
import type { MarketRow } from './markets.ts';

/** Cut-offs of what is reported, from all of it to what only damage can be: a lower one includes those after it. */
export const cutoffs = ['slight', 'likely', 'grave', 'beyond chance', 'breach'] as const;

/** A finding of planted damage; `factor` is undefined if the damage has none. */
export type FindingRating = {
  readonly isLineRight: boolean;
  readonly isSpanRight: boolean;
  readonly isFactorRight?: boolean | undefined;
  /** The last cut-off at which it is still reported, as its place in `cutoffs`. */
  readonly cutoff: number;
};

/** Line of the first row below a header. */
const firstLine = 2;

/** The lines of the rows that differ from the sound ones; none, with `last` before `first`, if rows were taken out. */
type PlantedLines = {
  readonly first: number;
  readonly last: number;
  readonly missing: readonly MarketRow[];
};

/** Returns the last cut-off at which a range is reported. */
export function findCutoff({ certainty, severity = 'slight', isBeyondChance }: GateRange): number {
  return cutoffs.indexOf(certainty === 'breach' ? 'breach' : isBeyondChance ? 'beyond chance' : severity);
}

/**
 * Rates the ranges that name a planted damage and that the sound table does not have: whether one of them begins at the
 * first planted row, and all of them cover what was planted, and no more.
 */
export function rateFinding(
  damage: PlantedDamage,
  ranges: readonly GateRange[],
  { sound, planted }: { readonly sound: readonly MarketRow[]; readonly planted: readonly MarketRow[] },
): FindingRating {
  const place = findPlantedLines(sound, planted);
  const cutoff = Math.max(...ranges.map(findCutoff));
  const isFactorRight = damage.factor && ranges.some(({ detail }) => damage.factor?.test(detail));
  return { ...ratePlace(damage, ranges, { ...place, rows: planted.length }), isFactorRight, cutoff };
}

/** Compares two tables from both ends. */
function findPlantedLines(sound: readonly MarketRow[], planted: readonly MarketRow[]): PlantedLines {
  const isSame = (one: MarketRow | undefined, other: MarketRow | undefined): boolean =>
    JSON.stringify(one) === JSON.stringify(other);
  let before = 0;
  while (before < planted.length && isSame(sound[before], planted[before])) before++;
  let after = 0;
  const least = Math.min(sound.length, planted.length) - before;
  while (after < least && isSame(sound.at(-1 - after), planted.at(-1 - after))) after++;
  const missing = sound.slice(before, Math.max(before, sound.length - after));
  return { first: before + firstLine, last: planted.length - after - 1 + firstLine, missing };
}

type Place = PlantedLines & { readonly rows: number };

/** Lines by which an edge may lie beside that of the damage: a row that fits by chance, or that others repeat. */
const slack = 1;

/** Share of the planted rows by which a range of them may be longer or shorter, with two rows. */
const spanSlack = 0.1;

function ratePlace(
  { shape = 'rows' }: PlantedDamage,
  ranges: readonly GateRange[],
  { first, last, missing, rows }: Place,
): Pick<FindingRating, 'isLineRight' | 'isSpanRight'> {
  const spans = ranges.map(findSpan);
  const startsOn = (line: number): boolean => spans.some(([from]) => Math.abs(from - line) <= slack);
  // Either half of a table may be the one that is named.
  const hasEdge = (line: number): boolean =>
    startsOn(line) || spans.some(([, end]) => Math.abs(end + 1 - line) <= slack);
  const [from, to] = [Math.min(...spans.map(([line]) => line)), Math.max(...spans.map(([, line]) => line))];
  const reaches = (line: number, most: number): boolean =>
    Math.abs(from - first) <= most && Math.abs(to - line) <= most;
  if (shape === 'table') return both(from <= first + slack, reaches(rows + firstLine - 1, spanSlack * rows));
  if (shape === 'edge') return both(hasEdge(first), hasEdge(first));
  if (shape === 'edges') return both(startsOn(first), startsOn(first) && startsOn(last + 1));
  if (shape === 'hole') {
    const [begin = Number.NaN, end = Number.NaN] = [missing[0]?.time, missing.at(-1)?.time];
    const inside = ranges.filter((range) => range.from >= begin && range.from <= end && range.to > begin);
    const sum = inside.reduce((all, each) => all + each.rows, 0);
    return both(
      inside.some(({ line }) => Math.abs(line - first) <= slack),
      sum === missing.length,
    );
  }
  const most = 2 + spanSlack * (last - first + 1);
  const isHit = spans.some(
    ([begin, end]) => first >= begin - slack && first <= end + slack && end - begin <= last - first + most,
  );
  return both(isHit, reaches(last, most));
}

const both = (isLineRight: boolean, isSpanRight: boolean) => ({ isLineRight, isSpanRight });

function findSpan({ line, lines = [] }: GateRange): readonly [number, number] {
  return [lines[0]?.[0] ?? line, lines.at(-1)?.[1] ?? line];
}

/** Rates the words of a refusal, which name a line. */
export function rateRefusal(
  words: string,
  { sound, planted }: { readonly sound: readonly MarketRow[]; readonly planted: readonly MarketRow[] },
): FindingRating {
  const { first } = findPlantedLines(sound, planted);
  const isRight = words.includes(`line ${first}`);
  return { isLineRight: isRight, isSpanRight: isRight, cutoff: cutoffs.indexOf('breach') };
}
