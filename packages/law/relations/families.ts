import type { Spec } from '@candleproof/document/spec/spec';
import {
  amountText,
  type Candle,
  hasSoundAverage,
  hasSoundExtremes,
  type PriceRow,
  spanAmong,
} from '../reading/candle.ts';
import type { HistoryAnswer } from '../reading/reading.ts';
import { largest } from '../reading/statistics.ts';
import { intervalLength, isInverted, poolKey } from './series.ts';
import { closedCandles, firstIndexFrom, type Timeline } from './timeline.ts';

/** A closed candle with the closed candles of the next shorter interval that make it up without a gap, of any source. */
export type FamilyRows<Row extends PriceRow = PriceRow> = {
  readonly parent: Row;
  readonly children: readonly Row[];
  /**
   * The parts with reported prices: all of them, but only those with trades if the document's prices are those of
   * trades. Nothing says whether the longer candle counts the others.
   */
  readonly traded: readonly Row[];
  /** Seconds that each of them is long. */
  readonly partLength: number;
  /** No candle of the family contradicts its extremes, or has an average outside of them. */
  readonly hasSoundExtremes: boolean;
  readonly hasSoundAverages: boolean;
  /**
   * Each part opens at the close of the one before: the target may count the observation between them in both, which
   * the document leaves open, and then a mean of the whole need not be a mean of the parts.
   */
  readonly sharesBoundaries: boolean;
};

/** A family of answers: `answer` holds the longer candle. */
export type Family = FamilyRows<Candle> & { readonly answer: HistoryAnswer };

/**
 * Families of every pool, plain and inverted, over each pair of neighbouring intervals that was requested. A
 * parent whose children do not tile it is omitted: completeness is another rule's matter.
 */
export function families(
  { roles }: Pick<Spec, 'roles'>,
  histories: readonly HistoryAnswer[],
  lines: readonly Timeline[],
): Family[] {
  const tradedIn = roles.includes('average') || !roles.includes('volume') ? allParts : withTrade;
  const childrenOf = roles.includes('gapless') ? findTiles : presentCandles;
  return histories.flatMap((answer) => {
    const shorter = shorterLine(answer, lines);
    return shorter ? listFamilies(answer, shorter, childrenOf, tradedIn) : [];
  });
}

/** Returns all parts: a mean of observations implies that prices are observed without trades too. */
function allParts(children: readonly Candle[]): readonly Candle[] {
  return children;
}

/** Returns the parts in which something was traded. */
export function withTrade<Row extends PriceRow>(children: readonly Row[]): readonly Row[] {
  const traded = children.filter((child) => Number(amountText(child, 'volume')) !== 0);
  return traded.length === children.length ? children : traded;
}

/** Returns the timeline of the same pool and side in the longest interval below the answer's. */
export function shorterLine(answer: HistoryAnswer, lines: readonly Timeline[]): Timeline | undefined {
  const shorter = lines.filter(
    (line) =>
      line.pool === poolKey(answer) &&
      line.inverted === isInverted(answer) &&
      line.length < intervalLength(answer) &&
      line.candles.length > 0,
  );
  const longest = largest(shorter.map((timeline) => timeline.length));
  return shorter.find((timeline) => timeline.length === longest);
}

/** Returns the parts of a parent within Unix seconds, from index `at` on; none if any may be missing. */
type ChildrenOf = (line: Timeline, at: number, span: Span) => readonly Candle[];

type Span = { readonly start: number; readonly end: number };

function listFamilies(
  answer: HistoryAnswer,
  line: Timeline,
  childrenOf: ChildrenOf,
  tradedIn: (children: readonly Candle[]) => readonly Candle[],
): Family[] {
  const { candles, length } = line;
  const found: Family[] = [];
  let at = 0;
  for (const parent of closedCandles(answer)) {
    const span = spanAmong(parent, intervalLength(answer), length);
    while (at < candles.length && (candles[at]?.start ?? 0) < span.start) at++;
    const children = childrenOf(line, at, span);
    if (children.length > 0)
      found.push({ ...makeFamily(parent, children, tradedIn(children), length), answer });
  }
  return found;
}

function findTiles({ candles, length }: Timeline, at: number, { start, end }: Span) {
  return sliceTiles(candles, at, start, length, (end - start) / length);
}

/** Returns `count` rows from an index on if they begin `length` seconds apart, the first one at `start`; else none. */
export function sliceTiles<Row extends PriceRow>(
  rows: readonly Row[],
  at: number,
  start: number,
  length: number,
  count: number,
): readonly Row[] {
  if (!Number.isInteger(count)) return [];
  for (let part = 0; part < count; part++) if (rows[at + part]?.start !== start + part * length) return [];
  return rows.slice(at, at + count);
}

/** Returns the parts within the parent, or none unless a request covers more than it on both sides: idle intervals have no rows. */
function presentCandles({ candles, answers }: Timeline, at: number, { start, end }: Span) {
  if (!answers.some(({ requested: { from, to, proper } }) => proper && from < start && to >= end)) return [];
  return candles.slice(at, firstIndexFrom(candles, end));
}

/** Makes a family in one plain walk along the children: a long history has hundreds of thousands of them. */
export function makeFamily<Row extends PriceRow>(
  parent: Row,
  children: readonly Row[],
  traded: readonly Row[],
  partLength: number,
): FamilyRows<Row> {
  let soundExtremes = hasSoundExtremes(parent);
  let soundAverages = hasSoundAverage(parent);
  let sharesBoundaries = true;
  let before = Number.NaN;
  for (let at = 0; at < children.length; at++) {
    const child = children[at] as Row;
    soundExtremes &&= hasSoundExtremes(child);
    soundAverages &&= hasSoundAverage(child);
    sharesBoundaries &&= at === 0 || child.open === before;
    before = child.close;
  }
  return {
    parent,
    children,
    traded,
    partLength,
    hasSoundExtremes: soundExtremes,
    hasSoundAverages: soundAverages,
    sharesBoundaries,
  };
}
