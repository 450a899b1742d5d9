import type { HourRecord } from '../../results/hour-record.ts';
import type { ProbeSeries } from '../../results/probe-record.ts';
import type { SeriesExtent, Span } from '../../results/results-store.ts';
import { sum } from './totals.ts';

/** From the first slot to the end of the last within a time that figures are requested from. */
export type Watched = Span & {
  /** The watched share of the requested time, a fraction. */
  readonly share: number;
};

type Counted = Pick<HourRecord, 'series' | 'begin' | 'states'>;

/**
 * Returns the watched share of a window for series that belong together; `records` are theirs. The last slot counts
 * for the distance that its series keeps. Undefined if nothing was planned in the window.
 */
export function measureWatched(
  window: Span,
  extents: readonly SeriesExtent[],
  records: readonly Counted[],
): Watched | undefined {
  const own = extents.filter(({ from, to }) => from < window.to && to >= window.from);
  const latest = own.toSorted((a, b) => b.to - a.to)[0];
  if (!latest) return undefined;
  const from = Math.max(window.from, Math.min(...own.map((each) => each.from)));
  const to = Math.min(window.to, latest.to + slotDistance(window, latest, records));
  return { from, to, share: (to - from) / (window.to - window.from) };
}

/** Mean ms between two planned slots of a series; 0 where there was but one. */
export function slotDistance(
  window: Span,
  { series, from, to }: SeriesExtent,
  records: readonly Counted[],
): number {
  const name = seriesName(series);
  const within = records.filter(
    (each) => each.begin >= window.from && each.begin < window.to && seriesName(each.series) === name,
  );
  const slots = within.reduce((total, { states }) => total + sum(states), 0);
  const begin = Math.max(window.from, from);
  return slots > 1 ? (Math.min(window.to, to) - begin) / (slots - 1) : 0;
}

/** Returns the name of a series, unique among all. */
export function seriesName({ target, probe, operation, location, source }: ProbeSeries): string {
  return JSON.stringify([target, probe, operation, location, source]);
}
