import { mergeAll } from '../../planning/histogram.ts';
import type { HourRecord } from '../../results/hour-record.ts';
import { largest, type Percentiles, percentilesOf } from './estimates.ts';

/** Age of the newest candle, in ms. */
export type Freshness = { readonly percentiles: Percentiles; readonly largest: number };

export function freshnessOf(records: readonly HourRecord[]): Freshness | undefined {
  const ages = mergeAll(records.map(({ age }) => age));
  const percentiles = percentilesOf(ages);
  return percentiles && { percentiles, largest: largest(ages) ?? Number.NaN };
}
