import { appendFileSync } from 'node:fs';
import { middle } from './spread.ts';

/** A ratio beside a peer or a floor of the same run: the median of its rounds, with the least and the greatest. */
export type Ratio = {
  readonly name: string;
  readonly better: 'lower' | 'higher';
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly rounds: number;
};

/** True within `npm run bench`, which takes fewer rounds and smaller inputs. */
export const isBrief = process.env.BENCH_RATIOS !== undefined;

/** Hands a ratio to `npm run bench`, if that started this process. */
export function keepRatio(name: string, better: Ratio['better'], values: readonly number[]): void {
  const file = process.env.BENCH_RATIOS;
  if (file === undefined) return;
  const [median, least, most] = [middle(values), Math.min(...values), Math.max(...values)];
  const ratio: Ratio = { name, better, median, least, most, rounds: values.length };
  appendFileSync(file, `${JSON.stringify(ratio)}\n`);
}
