import { closureTexts } from './closures.ts';

/** The days on which an exchange is closed, or has a short session, since 1970-01-01. */
export type ExchangeDays = {
  readonly name: string;
  readonly closed: ReadonlySet<number>;
  readonly short: ReadonlySet<number>;
};

/** Least share of an exchange's closed days that a table of it lacks, and of the lacking days that they explain. */
const [keptShare, explainedShare] = [0.9, 0.5];

/** Days by which a table may name the day of a session earlier or later: midnight in Asia is the day before in UTC. */
const shifts = [0, -1, 1];

/**
 * Returns the days of the exchange whose closures a table keeps best, by the days that it lacks; undefined if it keeps those
 * of none. `isWeekday` returns whether its market is open on the weekday of a day.
 */
export function findExchange(
  missing: ReadonlySet<number>,
  [from, to]: readonly [from: number, to: number],
  isWeekday: (date: number) => boolean,
): ExchangeDays | undefined {
  let [best, most] = [undefined as ExchangeDays | undefined, 0];
  const lacking = [...missing].filter(isWeekday);
  for (const [name, first, last, closedText, shortText] of closureTexts) {
    const all = decodeDays(closedText, first);
    for (const shift of shifts) {
      const [begin, end] = [Math.max(from, first + shift), Math.min(to, last + shift)];
      const isKnown = (date: number): boolean => date >= begin && date <= end;
      const days = all.map((date) => date + shift);
      const judged = days.filter((date) => isKnown(date) && isWeekday(date));
      const kept = judged.filter((date) => missing.has(date)).length;
      const explained = kept / lacking.filter(isKnown).length;
      const score = kept - (judged.length - kept);
      if (score <= most || kept < keptShare * judged.length || explained < explainedShare) continue;
      const short = decodeDays(shortText, first).map((date) => date + shift);
      [best, most] = [{ name, closed: new Set(days), short: new Set(short) }, score];
    }
  }
  return best;
}

/** Decodes steps between days from the first one on: a digit of base 36 each, or several between dashes. */
function decodeDays(text: string, first: number): number[] {
  let date = first;
  return (text.match(/-[^-]+-|[^-]/g) ?? []).map((step) => {
    date += Number.parseInt(step.replaceAll('-', ''), 36);
    return date;
  });
}
