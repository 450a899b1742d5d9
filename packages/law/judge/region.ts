/** An interval in a direction, as far as an operation has them. */
export type RequestCell = {
  readonly interval?: string | undefined;
  readonly direction?: Direction | undefined;
};

/** A cell with the number of rows, or of answers, that a rule judged in it, and of those that broke it. */
export type JudgedCell = RequestCell & { readonly judged: number; readonly broken: number };

type Direction = 'plain' | 'inverted';

/** The part of an operation that a failing keeps to: all of it unless a direction or intervals are named. */
export type Region = { readonly direction?: Direction; readonly intervals?: readonly string[] };

/** Chance below which it is no accident that a rule held, in a place that breaks it half as often as the others. */
const accident = 0.001;

/**
 * Returns the part of an operation that a failing keeps to. A direction or an interval is outside only if the rule held
 * there so often that chance does not explain it; what was not judged, or seldom, may be broken as well, and another
 * run may show it.
 */
export function chooseRegion(cells: readonly JudgedCell[]): Region {
  const broken = cells.filter((cell) => cell.broken > 0);
  const rate = Math.min(...broken.map((cell) => cell.broken / (cell.judged + 1)));
  const holds = (some: readonly JudgedCell[]): boolean => {
    const judged = some.reduce((total, cell) => total + cell.judged, 0);
    return some.every((cell) => cell.broken === 0) && (1 - rate / 2) ** judged < accident;
  };
  const [intervals, directions] = [
    new Set(broken.map(({ interval }) => interval)),
    new Set(broken.map(({ direction }) => direction)),
  ];
  const [direction] = directions;
  const isOneSided =
    directions.size === 1 &&
    direction !== undefined &&
    holds(cells.filter((cell) => cell.direction !== direction && intervals.has(cell.interval)));
  const alike = cells.filter((cell) => directions.has(cell.direction));
  const named = Map.groupBy(alike, ({ interval }) => interval);
  const inside = [...named].filter(([interval, some]) => intervals.has(interval) || !holds(some));
  const isPart = inside.length < named.size && !intervals.has(undefined);
  return {
    ...(isOneSided && { direction }),
    ...(isPart && { intervals: inside.flatMap(([interval]) => interval ?? []).sort() }),
  };
}

/** Words a region, such as `HOUR, DAY inverted`; empty for a whole operation. */
export function nameRegion({ direction, intervals }: Region): string {
  return [...(intervals ? [intervals.join(', ')] : []), ...(direction ? [direction] : [])].join(' ');
}

/** Reads the words of a region. */
export function readRegion(words: string): Region {
  const [, listed = '', direction] = /^(.*?)(?: ?(?<=^| )(plain|inverted))?$/s.exec(words) ?? [];
  return {
    ...(direction !== undefined && { direction: direction as Direction }),
    ...(listed !== '' && { intervals: listed.split(', ') }),
  };
}

/** Returns whether all of a region lies in another one. */
export function isWithin(inner: Region, outer: Region): boolean {
  const { direction, intervals } = outer;
  const isOfIntervals = !intervals || inner.intervals?.every((interval) => intervals.includes(interval));
  return isOfIntervals === true && (direction === undefined || direction === inner.direction);
}
