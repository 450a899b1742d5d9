import { thousands } from '@candleproof/law/reading/words';
import type { Prices } from '@candleproof/law/rules/candle/prices';
import type { RowBreach } from './law.ts';

/** Rows that break rules in one way, and their share of all that break any, from which the way is the cause. */
const [fewestRows, nearlyAll] = [12, 0.9];

/** Learns in which way rows contradict themselves, so that one cause is said once. */
export class RowCauses {
  #rows = 0;
  readonly #ways = { openIsBefore: 0, open: 0, close: 0, outside: 0 };
  readonly #rules = new Map<string, number>();

  /** Notes a broken row; `before` is the close of the row before it. */
  add({ open, high, low, close }: Prices, before: number, { rules }: RowBreach): void {
    this.#rows++;
    for (const rule of rules) this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
    const [isOpen, isClose] = [open > high || open < low, close > high || close < low];
    if (!(low <= high && low > 0) || !(isOpen || isClose)) return;
    this.#ways.outside++;
    if (isOpen && !isClose) this.#ways[open === before ? 'openIsBefore' : 'open']++;
    if (isClose && !isOpen) this.#ways.close++;
  }

  /** Describes the cause of nearly all broken rows of a table of so many; undefined for none. */
  describe(all: number): string | undefined {
    const least = Math.max(fewestRows, nearlyAll * this.#rows);
    if (this.#rows < fewestRows) return undefined;
    const { openIsBefore, open, close, outside } = this.#ways;
    const place = `in ${thousands(this.#rows)} of ${thousands(all)} rows`;
    if (openIsBefore >= least)
      return `the open lies outside low and high ${place}: it is the close of the row before`;
    if (openIsBefore + open >= least) return `the open alone lies outside low and high ${place}`;
    if (close >= least) return `the close alone lies outside low and high ${place}`;
    if (outside >= least)
      return `open or close lies outside low and high ${place}, as where these are percentiles or of another source`;
    const [rule] = [...this.#rules].find(([, count]) => count >= least) ?? [];
    return rule === undefined ? undefined : `${place.slice(3)} break one rule: ${rule}`;
  }
}
