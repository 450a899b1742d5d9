/** Words of a file's name that say how long its intervals are. */
const intervalWords =
  /(^|[^a-z0-9])(\d{1,3} ?(s|sec|m|min|mins|minutes?|h|hr|hours?|d|days?|w|weeks?|mo|months?)|[mhdw]\d{1,3}|(minute|hour|dai|week|month)ly?|minute|hour|day|week|month)(?=$|[^a-z0-9])/gi;

/** A file as pairs are made of it. */
export type PairedTable = { readonly file: string; readonly length: number; readonly direction: 1 | -1 };

/** Two tables by their positions: the candles of the longer interval are made of the shorter one's. */
export type TablePair = {
  readonly longer: number;
  readonly shorter: number;
  /** Their names differ in nothing but the interval. */
  readonly isNamedAlike: boolean;
};

/**
 * Which tables are of one market: all of them where each has another interval; else those whose names are alike but for
 * their intervals, where these are as many as there are intervals.
 */
export function pairsOf(tables: readonly PairedTable[]): TablePair[] {
  const all = tables.map((table, at) => ({ ...table, at })).filter(({ length }) => length > 0);
  if (isOneEach(all)) return neighbours(all);
  const groups = [...Map.groupBy(all, ({ file }) => stemOf(file)).values()];
  return groups.filter(isOneEach).flatMap(neighbours);
}

type Placed = PairedTable & { readonly at: number };

function isOneEach(tables: readonly Placed[]): boolean {
  return new Set(tables.map(({ length }) => length)).size === tables.length;
}

/** Each interval with the longest shorter one that divides it. */
function neighbours(tables: readonly Placed[]): TablePair[] {
  const sorted = tables.toSorted((a, b) => a.length - b.length);
  return sorted.flatMap((longer, at) => {
    const shorter = sorted
      .slice(0, at)
      .findLast((each) => longer.length % each.length === 0 && each.direction === longer.direction);
    if (shorter === undefined) return [];
    const isNamedAlike = stemOf(longer.file) === stemOf(shorter.file);
    return [{ longer: longer.at, shorter: shorter.at, isNamedAlike }];
  });
}

function stemOf(file: string): string {
  const name = file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
  return name
    .toLowerCase()
    .replace(intervalWords, ' ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}
