/** Words in file names that denote an interval. */
const intervalWords =
  /(^|[^a-z0-9])(\d{1,3} ?(s|sec|m|min|mins|minutes?|h|hr|hours?|d|days?|w|weeks?|mo|months?)|[mhdw]\d{1,3}|(minute|hour|dai|week|month)ly?|minute|hour|day|week|month)(?=$|[^a-z0-9])/gi;

/** A file to pair. */
export type PairedTable = { readonly file: string; readonly length: number; readonly direction: 1 | -1 };

/** The positions of two tables: candles of the longer interval consist of the shorter one's. */
export type TablePair = {
  readonly longer: number;
  readonly shorter: number;
  /** True if their names differ only in the interval. */
  readonly isNamedAlike: boolean;
};

/**
 * Pairs the tables of a market: all tables if their intervals are distinct; otherwise those whose names differ only in
 * the interval, if the intervals in such a group are distinct.
 */
export function findPairs(tables: readonly PairedTable[]): TablePair[] {
  const all = tables.map((table, at) => ({ ...table, at })).filter(({ length }) => length > 0);
  if (haveDistinctIntervals(all)) return pairNeighbors(all);
  const groups = [...Map.groupBy(all, ({ file }) => fileStem(file)).values()];
  return groups.filter(haveDistinctIntervals).flatMap(pairNeighbors);
}

type Placed = PairedTable & { readonly at: number };

function haveDistinctIntervals(tables: readonly Placed[]): boolean {
  return new Set(tables.map(({ length }) => length)).size === tables.length;
}

/** Pairs every interval with the longest shorter one that divides it. */
function pairNeighbors(tables: readonly Placed[]): TablePair[] {
  const sorted = tables.toSorted((a, b) => a.length - b.length);
  return sorted.flatMap((longer, at) => {
    const shorter = sorted
      .slice(0, at)
      .findLast((table) => longer.length % table.length === 0 && table.direction === longer.direction);
    if (shorter === undefined) return [];
    const isNamedAlike = fileStem(longer.file) === fileStem(shorter.file);
    return [{ longer: longer.at, shorter: shorter.at, isNamedAlike }];
  });
}

function fileStem(file: string): string {
  const name = file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
  return name
    .toLowerCase()
    .replace(intervalWords, ' ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}
