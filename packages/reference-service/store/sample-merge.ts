import {
  bucketStart,
  CHILD,
  type FoldedCandle,
  LENGTH,
  rollUp,
  type Sample,
  singleSampleCandle,
} from '../market/candle.ts';

/** Numbers of new, unchanged and corrected items. */
export type MergeCounts = { readonly added: number; readonly unchanged: number; readonly corrected: number };

/** Counts the outcomes of several items. */
export function countOutcomes(outcomes: readonly (keyof MergeCounts)[]): MergeCounts {
  const counts = { added: 0, unchanged: 0, corrected: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  return counts;
}

/** Adds up counts. */
export function sumCounts(all: readonly MergeCounts[]): MergeCounts {
  const sum = (outcome: keyof MergeCounts): number =>
    all.reduce((total, counts) => total + counts[outcome], 0);
  return { added: sum('added'), unchanged: sum('unchanged'), corrected: sum('corrected') };
}

/** Stored and new samples as one ascending series, with the ones to write. */
export type MergedSamples = {
  readonly series: readonly Sample[];
  readonly changed: readonly Sample[];
  readonly recorded: MergeCounts;
};

/** Merges samples, in any order, into the stored ones of their buckets. The last to arrive of a minute wins. */
export function mergeSamples(stored: readonly Sample[], samples: readonly Sample[]): MergedSamples {
  const arrived = sortByTime(samples);
  const series: Sample[] = [];
  const changed: Sample[] = [];
  const recorded = { added: 0, unchanged: 0, corrected: 0 };
  let next = 0;
  for (let index = 0; index < arrived.length; ) {
    const t = arrived[index]?.t ?? 0;
    for (let old = stored[next]; old && old.t < t; old = stored[++next]) series.push(old);
    const before = stored[next]?.t === t ? stored[next++] : undefined;
    let held = before;
    for (let sample = arrived[index]; sample?.t === t; sample = arrived[++index]) {
      recorded[mergeOutcome(held, sample)]++;
      held = sample;
    }
    if (!held) continue;
    series.push(held);
    if (!before || !isSameSample(before, held)) changed.push(held);
  }
  return { series: [...series, ...stored.slice(next)], changed, recorded };
}

/** Returns the samples by ascending time. Samples of one minute stay in the order of arrival. */
function sortByTime(samples: readonly Sample[]): readonly Sample[] {
  const sorted = samples.every((sample, index) => index === 0 || (samples[index - 1]?.t ?? 0) <= sample.t);
  return sorted ? samples : samples.toSorted((a, b) => a.t - b.t);
}

function mergeOutcome(held: Sample | undefined, sample: Sample): keyof MergeCounts {
  if (!held) return 'added';
  return isSameSample(held, sample) ? 'unchanged' : 'corrected';
}

function isSameSample(a: Sample, b: Sample): boolean {
  return (
    a.price === b.price &&
    a.volume === b.volume &&
    a.volumeUsdCents === b.volumeUsdCents &&
    a.liquidity === b.liquidity &&
    a.liquidityUsdCents === b.liquidityUsdCents
  );
}

/** Consecutive buckets: their first and their last second. */
export type BucketRun = { readonly first: number; readonly last: number };

/** Returns the runs of buckets of `length` seconds, aligned to the epoch, that contain these samples. */
export function findBucketRuns(samples: readonly Sample[], length: number): BucketRun[] {
  const runs: { first: number; last: number }[] = [];
  for (const { t } of sortByTime(samples)) {
    const first = t - (t % length);
    const run = runs.at(-1);
    if (run && first <= run.last + 1) run.last = first + length - 1;
    else runs.push({ first, last: first + length - 1 });
  }
  return runs;
}

/** A candle of a pool with its length in seconds. */
export type SizedCandle = { readonly length: number; readonly candle: FoldedCandle };

/**
 * Returns the candles of all buckets with changed samples, each as if all samples had arrived once and in order.
 * `readStored` returns the stored candles of a length, ascending, from the runs of buckets of the next longer one.
 */
export function foldChanged(
  { series, changed }: Pick<MergedSamples, 'series' | 'changed'>,
  readStored: (length: number, runs: readonly BucketRun[]) => readonly FoldedCandle[],
): SizedCandle[] {
  const fives = new Set(changed.map(({ t }) => bucketStart(t, 'FIVEMIN', 0)));
  const parts = series.filter(({ t }) => fives.has(bucketStart(t, 'FIVEMIN', 0))).map(singleSampleCandle);
  let candles = rollUp(parts, (t) => bucketStart(t, 'FIVEMIN', 0));
  const all = candles.map((candle) => ({ length: LENGTH.FIVEMIN, candle }));
  for (const interval of ['HOUR', 'DAY'] as const) {
    const stored = readStored(LENGTH[CHILD[interval]], findBucketRuns(changed, LENGTH[interval]));
    candles = rollUp(replaceCandles(stored, candles), (t) => bucketStart(t, interval, 0));
    for (const candle of candles) all.push({ length: LENGTH[interval], candle });
  }
  return all;
}

/** Returns the stored candles with the changed ones in their place, ascending. */
function replaceCandles(stored: readonly FoldedCandle[], changed: readonly FoldedCandle[]): FoldedCandle[] {
  const starts = new Set(changed.map(({ start }) => start));
  return [...stored.filter(({ start }) => !starts.has(start)), ...changed].sort((a, b) => a.start - b.start);
}

/** Returns a sample's row in column order. */
export function sampleRow(pool: number, s: Sample): (number | bigint)[] {
  return [pool, s.t, s.price, s.volume, s.volumeUsdCents, s.liquidity, s.liquidityUsdCents];
}

/** Returns a candle's row in column order. */
export function candleRow(pool: number, { length, candle: c }: SizedCandle): (number | bigint)[] {
  const prices = [c.open, c.high, c.low, c.close, c.priceSum, c.inverseSum];
  const amounts = [c.volume, c.volumeUsdCents, c.liquidity, c.liquidityUsdCents];
  return [pool, length, c.start, c.lastSample, c.samples, ...prices, ...amounts];
}
