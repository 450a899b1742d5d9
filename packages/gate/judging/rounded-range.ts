import type { Prices } from '@candleproof/law/rules/candle/prices';
import type { TableRow } from '../reading/table.ts';
import { highRule, lowRule, type RowBreach } from './law.ts';
import type { RowMark } from './ranges.ts';

/** First rows whose decimals are counted, and of how many later ones one is: counting takes time. */
const [firstRows, sampled] = [2048, 64];

/**
 * Fewest opens or closes with a finer digit, and how many highs and lows may have it beside them, as a share: of 1,804 weeks of
 * a yield, 283 closes have four decimals, but four highs and three lows, those of the last weeks.
 */
const [fewestFine, mostFine] = [8, 0.1];

/** Most decimals that are counted, and what is left of a whole number of the last digit by the arithmetic of doubles. */
const [mostDecimals, slack] = [10, 1e-6];
const powers = Float64Array.from({ length: mostDecimals + 1 }, (_, decimals) => 10 ** decimals);

/** Most breaches that wait for the end of the table. */
const mostHeld = 4096;

/** A breach that rounding may explain, with what a report of it needs. */
export type HeldBreach = {
  readonly mark: RowMark;
  readonly breach: RowBreach;
  readonly row: Prices;
  /** The close of the row before. */
  readonly before: number;
  /** The amount by which open or close lies outside. */
  readonly apart: number;
};

/**
 * Holds breaches in which open or close lie outside high and low by less than one unit of these columns' last digit, until the
 * table shows whether high and low are rounded to fewer decimals: a high of 4.12 beside a close of 4.125.
 */
export class RoundedRange {
  /** Numbers of values by their decimals. */
  readonly #open = new Float64Array(mostDecimals + 1);
  readonly #close = new Float64Array(mostDecimals + 1);
  readonly #range = new Float64Array(mostDecimals + 1);
  #rows = 0;
  #held: HeldBreach[] = [];
  /** Decimals of high and low once it is decided; -1 if they are not rounded. */
  #decided: number | undefined;
  /** Number of rows that rounding explains. */
  explained = 0;

  /** Decimals of high and low where rounding explains rows; undefined where it explains none. */
  get decimals(): number | undefined {
    return this.explained > 0 ? this.#decided : undefined;
  }

  /** Counts the decimals of a row. */
  note({ open, high, low, close }: Prices): void {
    if (this.#rows++ >= firstRows && this.#rows % sampled !== 0) return;
    count(this.#open, open);
    count(this.#close, close);
    count(this.#range, high);
    count(this.#range, low);
  }

  /** Returns whether it keeps a breach that rounding may explain. */
  keep(row: TableRow, before: number, breach: RowBreach, mark: RowMark): boolean {
    const { open, high, low, close } = row;
    if (!(low <= high) || !breach.rules.every((rule) => rangeRules.includes(rule))) return false;
    const above = Math.max(open, close) - high;
    const below = low - Math.min(open, close);
    const apart = Math.max(above, below);
    if (apart >= findUnit(countDecimals(above > below ? high : low))) return false;
    const held: HeldBreach = { mark, breach, row: { open, high, low, close }, before, apart };
    if (this.#decided !== undefined) return this.#explain(held);
    this.#held.push(held);
    if (this.#held.length === mostHeld) this.#decide();
    return true;
  }

  /** Decides at the end of the table. Returns the breaches that rounding does not explain. */
  end(): HeldBreach[] {
    this.#decide();
    return this.#held.filter((held) => !this.#explain(held));
  }

  #decide(): void {
    this.#decided ??= this.#findDecimals();
  }

  #explain({ apart }: HeldBreach): boolean {
    const decimals = this.#decided ?? -1;
    const isExplained = decimals >= 0 && apart < findUnit(decimals);
    if (isExplained) this.explained++;
    return isExplained;
  }

  /** Returns the decimals of which high and low have hardly more, as opens or closes have; -1 for none. */
  #findDecimals(): number {
    for (let decimals = 0; decimals < mostDecimals; decimals++) {
      const fine = Math.max(countFiner(this.#open, decimals), countFiner(this.#close, decimals));
      if (fine < fewestFine) return -1;
      if (countFiner(this.#range, decimals) / 2 <= mostFine * fine) return decimals;
    }
    return -1;
  }
}

const rangeRules: readonly string[] = [highRule, lowRule];

function count(counts: Float64Array, value: number): void {
  const decimals = countDecimals(value);
  counts[decimals] = (counts[decimals] as number) + 1;
}

/** Counts the values with more decimals. */
function countFiner(counts: Float64Array, decimals: number): number {
  return counts.subarray(decimals + 1).reduce((sum, number) => sum + number, 0);
}

/** Returns the number of decimals of a value, as far as they are counted. */
function countDecimals(value: number): number {
  for (let decimals = 0; decimals < mostDecimals; decimals++) {
    const units = value * (powers[decimals] as number);
    if (Math.abs(units - Math.round(units)) <= slack) return decimals;
  }
  return mostDecimals;
}

/** Returns one unit of the last of so many decimals, less what doubles lose of it. */
function findUnit(decimals: number): number {
  return (1 - slack) * 10 ** -decimals;
}
