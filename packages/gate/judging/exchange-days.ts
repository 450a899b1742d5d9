import { day } from '@candleproof/document/spec/interval';
import { closureTexts } from './closures.ts';

/** The days on which an exchange is closed, or has a short session, since 1970-01-01. */
export type ExchangeDays = {
  readonly name: string;
  readonly closed: ReadonlySet<number>;
  readonly short: ReadonlySet<number>;
};

/** Least share of an exchange's closed days that a table of it lacks, and of the lacking days that they explain. */
const [keptShare, explainedShare] = [0.9, 0.5];

/**
 * Least share of the lacking days that an exchange explains whose holidays the table has in part, since some files fill
 * them with rows: 349 of 352 lacking days are Hong Kong's, though there are rows on 59 of its holidays.
 */
const explainedInPart = 0.8;

/**
 * Greatest number of exchanges that are expected to explain as many lacking days by chance: 0.004 for three of three, where
 * each of 36 exchanges, at three shifts, closes on one weekday in thirty.
 */
const expectedByChance = 0.01;

/** Days by which a table may name the day of a session earlier or later: midnight in Asia is the day before in UTC. */
const shifts = [0, -1, 1];

/**
 * An exchange beside a table: how many of its closed days lie in the table's span, how many of these the table lacks, how
 * many days the table lacks, and the share of the span's days that are closed.
 */
type Likeness = {
  readonly exchange: (typeof closureTexts)[number];
  readonly shift: number;
  readonly closed: number;
  readonly kept: number;
  readonly lacking: number;
  readonly share: number;
};

/** Days that a table shows: those that it lacks, the first and last, and on which its market would be open. */
export type TableDays = {
  readonly missing: ReadonlySet<number>;
  readonly span: readonly [from: number, to: number];
  readonly isWeekday: (date: number) => boolean;
};

/** Returns the exchange whose closures a table keeps best, by the days that it lacks; undefined if it keeps those of none. */
export function findExchange(days: TableDays): ExchangeDays | undefined {
  const kept = compareAll(days).filter(
    ({ closed, kept, lacking }) => kept >= keptShare * closed && kept >= explainedShare * lacking,
  );
  return pickBest(kept, ({ kept, closed }) => 2 * kept - closed);
}

/** Returns the exchange whose closures explain nearly all days that a table lacks, though it may have rows on others. */
export function findExchangeInPart(days: TableDays): ExchangeDays | undefined {
  const explaining = compareAll(days).filter(
    (each) => each.kept >= explainedInPart * each.lacking && isBeyondChance(each),
  );
  return pickBest(explaining, ({ kept, closed }) => kept - closed / (closed + 1));
}

function isBeyondChance({ kept, lacking, share }: Likeness): boolean {
  const ways = lacking ** (lacking - kept);
  return closureTexts.length * shifts.length * ways * share ** kept <= expectedByChance;
}

function compareAll({ missing, span: [from, to], isWeekday }: TableDays): Likeness[] {
  const lacking = [...missing].filter(isWeekday);
  return closureTexts.flatMap((exchange) => {
    const [, first, last, closedText] = exchange;
    const all = decodeDays(closedText, first);
    return shifts.map((shift) => {
      const [begin, end] = [Math.max(from, first + shift), Math.min(to, last + shift)];
      const isKnown = (date: number): boolean => date >= begin && date <= end;
      const closed = all.map((date) => date + shift).filter((date) => isKnown(date) && isWeekday(date));
      const kept = closed.filter((date) => missing.has(date)).length;
      const share = closed.length / countWeekdays(begin, end);
      return { exchange, shift, closed: closed.length, kept, lacking: lacking.filter(isKnown).length, share };
    });
  });
}

/** Returns the days of the exchange with the greatest score above zero. */
function pickBest(all: readonly Likeness[], score: (each: Likeness) => number): ExchangeDays | undefined {
  const best = all.reduce<Likeness | undefined>(
    (before, each) => (score(each) > (before ? score(before) : 0) ? each : before),
    undefined,
  );
  if (best === undefined) return undefined;
  const [name, first, , closed, short] = best.exchange;
  const move = (text: string): Set<number> =>
    new Set(decodeDays(text, first).map((date) => date + best.shift));
  return { name, closed: move(closed), short: move(short) };
}

/** Counts five days in seven. */
function countWeekdays(from: number, to: number): number {
  return ((to - from + 1) * 5) / 7;
}

/** Fewest closed days of a week without a session, and days by which a table may name a week later: by its last one. */
const [closedDays, weekShifts] = [5, [0, -6]];

/**
 * Returns the weeks without a session of exchanges of which a table of weeks lacks nearly all such weeks. `missing` are the
 * days on which its missing weeks start.
 */
export function findClosedWeeks(
  missing: ReadonlySet<number>,
  [from, to]: readonly [from: number, to: number],
): ReadonlySet<number> {
  const [some] = missing;
  if (some === undefined) return new Set();
  const begin = some - 7 * Math.floor((some - from) / 7);
  const weeks = Array.from(
    { length: Math.max(0, Math.floor((to - begin) / 7) + 1) },
    (_, at) => begin + 7 * at,
  );
  const all = closureTexts.flatMap(([, first, , closedText]) => {
    const days = new Set(decodeDays(closedText, first));
    return weekShifts.map((shift) => weeks.filter((start) => countWithin(days, start + shift) >= closedDays));
  });
  const kept = all.filter(
    (closed) => closed.filter((start) => missing.has(start)).length >= Math.max(1, keptShare * closed.length),
  );
  return new Set(kept.flat());
}

/** Counts the days of a week that are in a set. */
function countWithin(days: ReadonlySet<number>, start: number): number {
  return [0, 1, 2, 3, 4, 5, 6].filter((after) => days.has(start + after)).length;
}

/** Decodes steps between days from the first one on: a digit of base 36 each, or several between dashes. */
function decodeDays(text: string, first: number): number[] {
  let date = first;
  return (text.match(/-[^-]+-|[^-]/g) ?? []).map((step) => {
    date += Number.parseInt(step.replaceAll('-', ''), 36);
    return date;
  });
}

/**
 * First and last day of closures before the calendars begin, and of one that tells its market by itself: New York's in the bank
 * holiday and at the end of a war, Tokyo's for a funeral, an enthronement and a wedding, and Moscow's in a crash and after sanctions.
 */
const closedOnce = [
  ['1933-03-04', '1933-03-14'],
  ['1945-08-15', '1945-08-16'],
  ['1989-02-24', '1989-02-24'],
  ['1990-11-12', '1990-11-12'],
  ['1993-06-09', '1993-06-09'],
  ['2008-11-12', '2008-11-12'],
  ['2022-02-28', '2022-03-23'],
].map((dates) => dates.map((date) => Date.parse(date) / (1000 * day)));

/** Returns whether days, counted from 1970-01-01, are those of one closure that no calendar has. */
export function areOfClosure(days: readonly number[]): boolean {
  return closedOnce.some(([from = 0, to = 0]) => days.every((date) => date >= from && date <= to));
}
