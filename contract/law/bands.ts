/** How a baseline reads an answer that leaves several possibilities open: one of them in common is no change. */
export const alternative = '; or ';

/** A class of sizes by its upper bound; the last one has none. */
export type Band = { readonly upTo: number; readonly name: string };

/** Share of a bound on either side of which a size counts for both classes: what wavers there is no change. */
const blur = 0.25;

/** The class of a size, never the size itself, which would be another with every run; both classes close to a bound. */
export function bandOf(size: number, bands: readonly Band[]): string {
  const fitting = bands.filter(
    ({ upTo }, at) =>
      size <= upTo * (1 + blur) && size > (bands[at - 1]?.upTo ?? Number.NEGATIVE_INFINITY) * (1 - blur),
  );
  return fitting.map(({ name }) => name).join(alternative);
}

/** What a ratio of two rates says: equal within a twentieth, or about which power of ten apart. */
export function rateName(ratio: number): string | undefined {
  if (!(ratio > 0 && Number.isFinite(ratio))) return undefined;
  if (Math.abs(ratio - 1) <= 0.05) return 'one rate';
  const power = Math.round(Math.log10(ratio));
  return power === 0 ? 'another rate of the same size' : `a rate about 10^${power} times as high`;
}

/** Everything that was seen, in one order whatever the order of seeing; undefined where nothing was. */
export function joinSeen(seen: Iterable<string>): string | undefined {
  const names = [...new Set(seen)].sort();
  return names.length > 0 ? names.join(' and ') : undefined;
}
