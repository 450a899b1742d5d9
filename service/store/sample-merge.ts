import type { Sample } from '../market/candle.ts';

/** What recording samples did: minutes seen first, seen again with the same values, and with others. */
export type MergeCounts = { readonly added: number; readonly unchanged: number; readonly corrected: number };

/** Stored and arrived samples as one ascending series, and those of it that must be written. */
export type MergedSamples = {
  readonly series: readonly Sample[];
  readonly changed: readonly Sample[];
  readonly recorded: MergeCounts;
};

/** The samples by ascending time; those of one minute stay in the order of their arrival. */
export function ascending(samples: readonly Sample[]): readonly Sample[] {
  const sorted = samples.every((each, index) => index === 0 || (samples[index - 1]?.t ?? 0) <= each.t);
  return sorted ? samples : samples.toSorted((a, b) => a.t - b.t);
}

/** Merges ascending samples into those stored of the same span. Of one minute, the last to arrive holds. */
export function mergedSamples(stored: readonly Sample[], arrived: readonly Sample[]): MergedSamples {
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
      recorded[outcomeOf(held, sample)]++;
      held = sample;
    }
    if (!held) continue;
    series.push(held);
    if (!before || !equal(before, held)) changed.push(held);
  }
  return { series: [...series, ...stored.slice(next)], changed, recorded };
}

function outcomeOf(held: Sample | undefined, sample: Sample): keyof MergeCounts {
  if (!held) return 'added';
  return equal(held, sample) ? 'unchanged' : 'corrected';
}

function equal(a: Sample, b: Sample): boolean {
  return (
    a.price === b.price &&
    a.volume === b.volume &&
    a.volumeUsdCents === b.volumeUsdCents &&
    a.liquidity === b.liquidity &&
    a.liquidityUsdCents === b.liquidityUsdCents
  );
}
