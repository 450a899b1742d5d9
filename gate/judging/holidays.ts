import { day } from '../../contract/document/interval.ts';

/** Christmas and New Year, when most markets rest: month and day. */
const everywhere = ['12-24', '12-25', '12-26', '12-31', '1-1', '1-2'];

/**
 * Returns the names of the days that were missing in several years: by date, by weekday in the month, by distance from
 * Easter. Days count from 1970-01-01.
 */
export function recurringDays(days: readonly number[]): Set<string> {
  const years = new Map<string, Set<number>>();
  for (const date of new Set(days)) {
    const { year, names } = nameDay(date);
    for (const name of names) years.set(name, (years.get(name) ?? new Set()).add(year));
  }
  return new Set([...years].flatMap(([name, seen]) => (seen.size > 1 ? [name] : [])));
}

/** Tells whether a day is a holiday: one of those that most markets keep, or one of `known`. */
export function isHoliday(date: number, known: ReadonlySet<string>): boolean {
  return nameDay(date).names.some((name) => known.has(name) || everywhere.includes(name));
}

function nameDay(days: number): { year: number; names: string[] } {
  const dateAfter = (more: number): Date => new Date((days + more) * day * 1000);
  const at = dateAfter(0);
  const [year, month, date, weekday] = [
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCDay(),
  ];
  const isLast = dateAfter(7).getUTCMonth() !== month;
  // A holiday on a Sunday is kept on Monday, one on a Saturday on Friday.
  const kept = weekday === 1 ? -1 : weekday === 5 ? 1 : 0;
  const names = [0, kept].map((shift) => {
    const shifted = dateAfter(shift);
    return `${shifted.getUTCMonth() + 1}-${shifted.getUTCDate()}`;
  });
  return {
    year,
    names: [
      ...names,
      `${month} ${weekday} ${Math.ceil(date / 7)}`,
      ...(isLast ? [`${month} ${weekday} last`] : []),
      `Easter ${days - easter(year)}`,
    ],
  };
}

/** Returns the day of Easter, in days since 1970-01-01 (Gauss, as Meeus gives it for the Gregorian calendar). */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1) / (day * 1000);
}
