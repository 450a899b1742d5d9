import { median } from '@candleproof/law/reading/statistics';
import { thousands } from '@candleproof/law/reading/words';
import type { TableRow } from '../reading/table.ts';
import { type Doubt, graveOdds, toMark } from './detector.ts';
import { jumpDoubt, spikeDoubt } from './moves.ts';
import type { Ranges } from './ranges.ts';

/**
 * Usual moves by which a close, and usual ranges by which a high or a low, may leave the prices beside it, and the share of a
 * spike that may stay. Where closes move by 0.02 and rows range over 0.05, a close of 1 after 0.3 is far (35 times), a spike
 * if the next one is from 0.23 to 0.37, and else a jump; and a high of 1.1 above closes of 0.3 is a spike (16 times).
 */
const far = { move: 30, wick: 15, back: 0.1 };

/** Rows on each side that show what is usual, and least share of those that exceed all of the other side in another unit. */
const [nearRows, exceedingShare] = [12, 0.75];

/** Most rows that are kept: days of four centuries. */
const mostRows = 100_000;

type KeptRow = Pick<TableRow, 'start' | 'line' | 'high' | 'low' | 'close'>;

/** Finds spikes and jumps by differences in a table of days whose prices an adjustment has put below zero: ratios mean nothing. */
export class AbsoluteMoves {
  readonly #rows: KeptRow[] = [];

  take({ start, line, high, low, close }: KeptRow): void {
    if (this.#rows.length < mostRows) this.#rows.push({ start, line, high, low, close });
  }

  /** Reports the moves. `length` is the interval in seconds. */
  report(found: Ranges, length: number): void {
    const rows = this.#rows;
    const steps = rows.map(({ close }, at) => Math.abs(close - (rows[at - 1]?.close ?? close)));
    const ranges = rows.map(({ high, low }) => high - low);
    let wasFar = false;
    for (const [at, row] of rows.entries()) {
      const before = rows[at - 1]?.close;
      if (before === undefined) continue;
      const { close, high, low } = row;
      const [step = 0, after] = [steps[at], rows[at + 1]?.close];
      const times = step / findUsual(steps, at);
      const isFar = times > far.move;
      const isBack = after !== undefined && Math.abs(after - before) <= far.back * step;
      const [up, down] = [high - Math.max(close, before), Math.min(close, before) - low];
      const wick = Math.max(up, down) / findUsual(ranges, at);
      const mark = (doubt: Doubt, words: string, unusual: number): void => {
        const detail = `${words}: ${thousands(Math.round(unusual))} times the usual difference`;
        const place = {
          from: row.start,
          to: row.start + length,
          line: row.line,
          lastLine: row.line,
          rows: 1,
        };
        found.add(
          toMark(doubt, place, { detail, odds: Math.min(graveOdds, unusual ** 3), unusual }, rows.length),
        );
      };
      if (isFar && isBack)
        mark(spikeDoubt, `close ${close} between ${before} before and ${after} after`, times);
      else if (isFar && !wasFar) mark(jumpDoubt, `close ${close} after ${before}`, times);
      else if (!isFar && wick > far.wick)
        mark(
          spikeDoubt,
          `${up > down ? `high ${high} above` : `low ${low} below`} the closes ${before} and ${close}`,
          wick,
        );
      wasFar = isFar && isBack;
    }
  }
}

/**
 * Returns the usual size near a row: that of the livelier side, or where another unit begins, in which nearly all sizes exceed
 * those before, the mean of both by ratio: 0.2 between 0.02 and 2.
 */
function findUsual(sizes: readonly number[], at: number): number {
  const before = sizes.slice(Math.max(0, at - nearRows), at).filter((size) => size > 0);
  const after = sizes.slice(at + 1, at + 1 + nearRows).filter((size) => size > 0);
  const exceeds = (one: readonly number[], other: readonly number[]): boolean =>
    other.length > 0 && one.filter((size) => size > Math.max(...other)).length >= exceedingShare * nearRows;
  const medians = [before, after].filter(({ length }) => length > 0).map(median);
  return exceeds(before, after) || exceeds(after, before)
    ? Math.sqrt(medians.reduce((product, size) => product * size, 1))
    : Math.max(...medians);
}
