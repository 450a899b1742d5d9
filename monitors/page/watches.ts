import type { HourRecord } from '../results/hour-record.ts';
import type { ProbeSeries } from '../results/probe-record.ts';
import type { SeriesExtent, Span } from '../results/results-store.ts';
import { sum } from './coverage.ts';

/** One target as seen from one location: figures never combine two watches. */
export type WatchId = { readonly target: string; readonly location: string };

/** Lists the watches that records belong to, by name. */
export function listWatches(records: Iterable<{ readonly series: ProbeSeries }>): WatchId[] {
  const found = new Map<string, WatchId>();
  for (const { series } of records) {
    const { target, location } = series;
    const id = watchId(series);
    if (!found.has(id)) found.set(id, { target, location });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, watch]) => watch);
}

/** Returns the id of a watch; ids sort as names do. */
export function watchId({ target, location }: WatchId): string {
  return JSON.stringify([target, location]);
}

/** Groups the records of each watch under its id. */
export function groupByWatch<Item extends { readonly series: ProbeSeries }>(
  records: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  return Map.groupBy(records, (record) => watchId(record.series));
}

/** `mainnet from fra1`. */
export function watchName({ target, location }: WatchId): string {
  return `${target} from ${location}`;
}

/** From the first slot to the end of the last within the requested time. */
export type Watched = Span & {
  /** The watched share of the requested time, a fraction. */
  readonly share: number;
};
type Counted = Pick<HourRecord, 'series' | 'begin' | 'states'>;
/**
 * Returns the watched share of a window for series that belong together; `records` are theirs. The last slot counts for
 * the distance between slots of its series. Undefined if nothing was planned in the window.
 */
export function measureWatched(
  window: Span,
  extents: readonly SeriesExtent[],
  records: readonly Counted[],
): Watched | undefined {
  const shown = extents.filter(({ from, to }) => from < window.to && to >= window.from);
  const latest = shown.toSorted((a, b) => b.to - a.to)[0];
  if (!latest) return undefined;
  const from = Math.max(window.from, Math.min(...shown.map((seriesExtent) => seriesExtent.from)));
  const to = Math.min(window.to, latest.to + slotDistance(window, latest, records));
  return { from, to, share: (to - from) / (window.to - window.from) };
}

/** Returns the mean ms between two planned slots of a series; 0 if there was only one. */
export function slotDistance(
  window: Span,
  { series, from, to }: SeriesExtent,
  records: readonly Counted[],
): number {
  const name = seriesName(series);
  const within = records.filter(
    (record) => record.begin >= window.from && record.begin < window.to && seriesName(record.series) === name,
  );
  const slots = within.reduce((total, { states }) => total + sum(states), 0);
  const begin = Math.max(window.from, from);
  return slots > 1 ? (Math.min(window.to, to) - begin) / (slots - 1) : 0;
}

/** Returns the name of a series, unique among all. */
export function seriesName({ target, probe, operation, location }: ProbeSeries): string {
  return JSON.stringify([target, probe, operation, location]);
}
