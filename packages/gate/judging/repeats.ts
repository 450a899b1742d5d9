import { day } from '@candleproof/document/spec/interval';
import { isTellingVolume } from '@candleproof/law/reading/tolerances';
import { thousands } from '@candleproof/law/reading/words';
import { CopiedRows } from './copied-rows.ts';
import { graveOdds, oddsOfRun } from './detector.ts';
import { countInLots } from './lots.ts';
import type { RowWindow } from './row-window.ts';
import { maxCounted, type RunCounts, type RunKind } from './runs.ts';

/** Minimum number of consecutive rows of one price for a standstill. */
const fewestFlat = 12;

/** Least number of times that a table has the rows of a copy: fewer do not show what is usual. */
const fewestTimes = 4;

/** Different prices of a copy: two are those of one tick, or of two trades, which bots repeat with their volume. */
const fewestPrices = 3;

/** Share of the other rows from which it is the market's way to repeat a price, as of a contract before its delivery. */
const habit = 0.05;

/** Times as many rows that a standstill needs if most of its rows have a volume of their own: trades at one price. */
const tradedTimes = 3;

/** Rows in a row that a bot does not repeat: its trades fill five minutes, not three days. */
const [fewestRepeats, fewestRepeatedDays] = [6, 3];

/** Returns how many rows of an interval, in seconds, repeat a volume that is no bot's. */
export function countRepeats(length: number): number {
  return length < day ? fewestRepeats : fewestRepeatedDays;
}

type Columns = RowWindow['columns'];

/** Equal rows with a range. Reports those whose volume has enough digits to tell at once. */
export const copies: RunKind = {
  doubt: {
    ...{ id: 'row/repeated', kind: 'copy' },
    statement:
      'No six rows in a row, nor three days, have the same prices, with a range, and the same volume.',
  },
  ...{ lead: 1, fewest: 3 },
  open(window, found) {
    const copied = new CopiedRows(window, found);
    return {
      flag(from, to, flags) {
        for (let at = from; at < to; at++) {
          if (!isRepeat(window.columns, at)) continue;
          if (isTelling(window, at)) copied.add(at);
          else flags[at] = 1;
        }
      },
      judge: (run, { rows, runs }) => ({
        detail: `${thousands(run.rows)} rows in a row have the same prices, range and volume`,
        odds:
          run.rows < countRepeats(window.length) || run.rows * fewestTimes > rows
            ? 0
            : oddsOfRun(rows, runs, run.rows - 1),
      }),
      end: () => copied.end(),
    };
  },
};

/** Rows of the same prices, other than copies. */
export const standstills: RunKind = {
  doubt: {
    ...{ id: 'price/flat', kind: 'flat' },
    statement: 'No twelve rows, and twelve times as many as usual, repeat one row\u2019s prices.',
  },
  ...{ lead: 1, fewest: fewestFlat },
  open: (window) => ({
    flag(from, to, flags) {
      const { columns } = window;
      for (let at = from; at < to; at++)
        if (isSame(columns, at) && !(isRepeat(columns, at) && isTelling(window, at))) flags[at] = 1;
    },
    marks(at) {
      const { volume } = window.columns;
      return (volume[at] as number) > 0 && volume[at] !== volume[at - 1];
    },
    judge(run, counts) {
      const usual = Math.max(1, findMedian(counts));
      const unusual = Math.round(run.rows / usual);
      const times = 2 * run.marked > run.rows ? tradedTimes : 1;
      if (run.rows < times * fewestFlat * usual) return undefined;
      if (counts.alike - run.rows > habit * counts.rows) return undefined;
      const detail = `the price of ${run.value} does not move in ${thousands(run.rows)} rows: ${thousands(unusual)} times the usual number`;
      const continued = findContinuation(counts, run.rows) * counts.rows;
      // Trade may be suspended for any time.
      const odds = Math.min(graveOdds, oddsOfRun(counts.rows, continued, run.rows - 1));
      return { detail, odds, unusual };
    },
  }),
};

function isSame({ open, high, low, close }: Columns, at: number): boolean {
  return (
    close[at] === close[at - 1] &&
    open[at] === open[at - 1] &&
    high[at] === high[at - 1] &&
    low[at] === low[at - 1]
  );
}

/** Returns whether a row with a range has the prices of the one before, and its volume; those without one are manifold. */
function isRepeat(columns: Columns, at: number): boolean {
  const { high, low, volume } = columns;
  if (!isSame(columns, at) || high[at] === low[at]) return false;
  const [value, before] = [volume[at] as number, volume[at - 1] as number];
  if (value !== before && (value >= 0 || before >= 0)) return false;
  return value > 0 || countPrices(columns, at) >= fewestPrices;
}

function countPrices({ open, high, low, close }: Columns, at: number): number {
  return new Set([open[at], high[at], low[at], close[at]]).size;
}

/** Returns whether a repeated row is a copy by itself. */
function isTelling(window: RowWindow, at: number): boolean {
  const amount = window.columns.volume[at] as number;
  if (!(amount > 0 && isTellingVolume(String(amount)))) return false;
  return countPrices(window.columns, at) >= fewestPrices && isTellingVolume(countInLots(window, at));
}

/**
 * Returns the share of rows that continue a standstill: of all rows, or of rows in standstills of four to eight if more
 * do so there, as in quiet hours. Those of so many rows and more do not count.
 */
export function findContinuation({ lengths, alike, rows }: RunCounts, than: number): number {
  const count = (from: number): number =>
    lengths.subarray(from, Math.min(than, maxCounted)).reduce((sum, runs) => sum + runs, 0);
  const lasting = count(4) > 0 ? (count(8) / count(4)) ** (1 / 4) : 0;
  return Math.max(lasting, alike / rows);
}

/** Returns the median number of rows that repeat one price. */
function findMedian({ lengths }: RunCounts): number {
  let rest = lengths.reduce((sum, count) => sum + count, 0) / 2;
  return lengths.findIndex((count) => {
    rest -= count;
    return rest <= 0;
  });
}
