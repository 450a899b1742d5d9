import type { Candle } from '../candle.ts';
import type { Evidence } from '../evidence.ts';
import { largest } from '../largest.ts';
import type { CandleAnswer, HistoryAnswer } from '../reading.ts';
import { isClosed, isInverted, lengthOf } from '../series.ts';

/** A closed candle with the closed candles of the next shorter interval that make it up without a gap. */
export type Family = {
  readonly parent: Candle;
  readonly children: readonly Candle[];
  readonly answer: CandleAnswer;
};

/**
 * Families of every pool, plain and inverted, over each pair of neighbouring intervals that was asked for. A
 * parent whose children do not tile it is left out: completeness is another rule's matter.
 */
export function* families({ histories }: Evidence): Generator<Family> {
  for (const answer of histories) {
    const shorter = childrenOf(answer, histories);
    if (shorter.size === 0) continue;
    for (const parent of answer.candles) {
      if (!isClosed(parent, answer)) continue;
      const children = tile(parent, lengthOf(answer), shorter);
      if (children) yield { parent, children, answer };
    }
  }
}

type Children = Map<number, { readonly candle: Candle; readonly length: number }>;

/** Closed candles of the longest interval below the answer's, by start. */
function childrenOf(answer: HistoryAnswer, histories: readonly HistoryAnswer[]): Children {
  const sides = histories.filter(
    (each) =>
      each.asked.poolId === answer.asked.poolId &&
      isInverted(each) === isInverted(answer) &&
      lengthOf(each) < lengthOf(answer),
  );
  const length = largest(sides.map(lengthOf));
  const children: Children = new Map();
  for (const side of sides.filter((each) => lengthOf(each) === length)) {
    for (const candle of side.inTime) {
      if (isClosed(candle, side)) children.set(candle.start, { candle, length });
    }
  }
  return children;
}

function tile(parent: Candle, length: number, shorter: Children): Candle[] | undefined {
  const children: Candle[] = [];
  for (let start = parent.start; start < parent.start + length; ) {
    const child = shorter.get(start);
    if (!child) return undefined;
    children.push(child.candle);
    start += child.length;
  }
  return children;
}

/**
 * Each part opens where the one before closed: the target may count the observation between them in both, which the
 * document leaves open, and then a mean of the whole need not be a mean of the parts.
 */
export function shareBoundaries(children: readonly Candle[]): boolean {
  return children.every((each, index) => index === 0 || each.open === children[index - 1]?.close);
}
