import type { ProbeSeries, Source } from '../../results/probe-record.ts';

/** One target as one location sees it, by probes of ours or by traffic of others: figures never reach beyond one. */
export type WatchId = { readonly target: string; readonly location: string; readonly source: Source };

/** The watches that records belong to, by name; probes before the traffic of others. */
export function listWatches(records: Iterable<{ readonly series: ProbeSeries }>): WatchId[] {
  const found = new Map<string, WatchId>();
  for (const { series } of records) {
    const { target, location, source } = series;
    const id = watchId(series);
    if (!found.has(id)) found.set(id, { target, location, source });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, watch]) => watch);
}

/** Returns the id of a watch; ids sort as names do. */
export function watchId({ target, location, source }: WatchId): string {
  return JSON.stringify([target, location, source]);
}

/** The records of each watch, under its id. */
export function byWatch<Item extends { readonly series: ProbeSeries }>(
  records: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  return Map.groupBy(records, (each) => watchId(each.series));
}

/** `mainnet from fra1`, and what was seen where it was not our own probes. */
export function watchName({ target, location, source }: WatchId): string {
  return `${target} from ${location}${source === 'passive' ? ', traffic of others' : ''}`;
}
