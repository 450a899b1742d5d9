import type { Sample } from '../market/candle.ts';

/** Numbers of new, unchanged and corrected items. */
export type MergeCounts = { readonly added: number; readonly unchanged: number; readonly corrected: number };

/** Stored and new samples as one ascending series, with the ones to write. */
export type MergedSamples = {
  readonly series: readonly Sample[];
  readonly changed: readonly Sample[];
  readonly recorded: MergeCounts;
};

/** Returns the samples by ascending time. Samples of one minute stay in the order of arrival. */
export function sortByTime(samples: readonly Sample[]): readonly Sample[] {
  const sorted = samples.every((sample, index) => index === 0 || (samples[index - 1]?.t ?? 0) <= sample.t);
  return sorted ? samples : samples.toSorted((a, b) => a.t - b.t);
}

/** Merges ascending samples into the stored ones of the same span. The last to arrive of a minute wins. */
export function mergeSamples(stored: readonly Sample[], arrived: readonly Sample[]): MergedSamples {
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
