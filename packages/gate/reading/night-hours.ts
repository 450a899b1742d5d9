import { day, hour } from '@candleproof/document/spec/interval';

/** The times of the nights of a table, in seconds of the day. */
export type NightHours = {
  /** The earliest first row of a night. */
  readonly evening: number;
  /** The first row after the rest that ends the night, before which rows are past midnight; 0 in a market without a rest. */
  readonly morning: number;
};

/** Time of the day from which a night can begin: that of Taiwan does at 15:00, those of China at 21:00. */
const earliestEvening = 15 * hour;

/** Fewest nights that show a custom of the table rather than misplaced rows, and their share of the dates. */
const [fewestNights, leastDates] = [5, 0.5];

/** Time within which all nights begin: a contract without trades at 21:00 may begin at 21:40. */
const mostApart = hour;

/**
 * Shortest rest that ends a night, and the time of its end at the latest: Osaka closes at 6:00 and opens at 8:45. A first
 * row that late follows a rest, as the nights of many contracts end before midnight.
 */
const [shortestRest, latestEnd, noon] = [2 * hour, 6 * hour, 12 * hour];

/** Returns whether a night can begin at a time of the day. */
export function isEvening(time: number): boolean {
  return time >= earliestEvening;
}

/**
 * Learns the nights from whole dates of rows, in the order of the file: such a date begins with 21:00 and runs back once, to
 * 00:00 or to 9:00. Returns undefined for dates without that custom, and `open` if more dates can show it.
 */
export function learnNights(starts: readonly number[]): NightHours | 'open' | undefined {
  const dates = splitDates(starts);
  const nights = dates.flatMap((times) => readNight(times) ?? []);
  if (nights.length < leastDates * dates.length) return undefined;
  if (nights.length < fewestNights) return 'open';
  const evenings = nights.map(({ evening }) => evening);
  const mornings = nights.flatMap(({ morning }) => (morning > 0 ? [morning] : []));
  const evening = Math.min(...evenings);
  if (Math.max(...evenings) - evening > mostApart) return undefined;
  return { evening, morning: 2 * mornings.length > nights.length ? Math.min(...mornings) : 0 };
}

/** Returns the times of the day of the rows of each date, in the order of the file. */
function splitDates(starts: readonly number[]): number[][] {
  const dates: number[][] = [];
  let date = Number.NaN;
  for (const start of starts) {
    const own = Math.floor(start / day);
    if (own !== date) dates.push([]);
    date = own;
    dates.at(-1)?.push(start - own * day);
  }
  return dates;
}

/** Fewest rows of a date with a night: two may be those of a date in the other order. */
const fewestRows = 3;

/** Returns the times of a night at the begin of a date; undefined for a date without one. */
function readNight(times: readonly number[]): NightHours | undefined {
  const turn = times.findIndex((time, at) => time < (times[at - 1] ?? 0));
  const [evening = 0, later = evening] = times;
  const after = times.slice(turn);
  const runsOn = after.every((time, at) => time >= (after[at - 1] ?? 0));
  const isTurned = turn !== -1 && runsOn && (after.at(-1) ?? 0) < evening;
  if (!isTurned || !isEvening(evening) || times.length < fewestRows) return undefined;
  const [first = 0] = after;
  if (first >= latestEnd) return { evening, morning: first };
  const rest = Math.max(shortestRest, turn > 1 ? later - evening : 0);
  const morning = after.find((time, at) => time < noon && time - (after[at - 1] ?? time) > rest);
  return { evening, morning: morning ?? 0 };
}
