import { mergeAll } from '../../planning/histogram.ts';
import type { HourRecord } from '../../results/hour-record.ts';
import { estimatePercentiles, largest, type Percentiles } from './estimates.ts';

/** Age of the newest candle, in ms. */
export type Freshness = { readonly percentiles: Percentiles; readonly largest: number };

/** Returns the percentiles of the ages of the newest candles. */
export function measureFreshness(records: readonly HourRecord[]): Freshness | undefined {
  const ages = mergeAll(records.map(({ age }) => age));
  const percentiles = estimatePercentiles(ages);
  return percentiles && { percentiles, largest: largest(ages) ?? Number.NaN };
}
