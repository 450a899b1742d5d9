import type { RowWindow } from './row-window.ts';

/** Usual moves that closes must make for a wick in their direction to be news, and share of a wick that another one must reach. */
const [fewestMoves, alike] = [8, 0.5];

/** A high or a low, `edge`, beyond the closes; `usual` is the usual move of closes. */
export type Wick = { readonly isUp: boolean; readonly edge: number; readonly usual: number };

/**
 * Returns whether a wick is news rather than a wrong tick. It is, if the closes went the same way, by more than the wick goes on:
 * a low of 0.74 beside closes of 1.02 and 0.86, as of the franc in January 2015. It is, too, if the row before or after it has
 * half of such a wick: wrong ticks stand alone, and a low of 0.703 beside one of 0.709 was a price for an hour.
 */
export function isWickNews(window: RowWindow, at: number, { isUp, edge, usual }: Wick): boolean {
  const { close } = window.columns;
  const closes = close.slice(Math.max(0, at - 1), Math.min(window.count, at + 2));
  const [lowest, highest] = [Math.min(...closes), Math.max(...closes)];
  const moved = Math.log(highest / lowest);
  const beyond = isUp ? Math.log(edge / highest) : Math.log(lowest / edge);
  if (moved >= fewestMoves * usual && beyond <= moved) return true;
  const own = measureWick(window, at, isUp);
  const besides = [at - 1, at + 1].map((near) => measureWick(window, near, isUp));
  return Math.max(...besides) >= alike * own;
}

/** Returns by which logarithm a high or a low lies beyond the closes of its row and the one before it; 0 outside the window. */
function measureWick({ columns, count }: RowWindow, at: number, isUp: boolean): number {
  if (at < 0 || at >= count) return 0;
  const price = columns.close[at] as number;
  const before = at === 0 ? price : (columns.close[at - 1] as number);
  const edge = columns[isUp ? 'high' : 'low'][at] as number;
  return Math.log(isUp ? edge / Math.max(price, before) : Math.min(price, before) / edge);
}
