import { day } from '@candleproof/document/spec/interval';
import { type ExchangeDays, findExchange, findExchangeInPart } from './exchange-days.ts';

/** Days on which most markets rest, by their names. */
const everywhere = ['12-24', '12-25', '12-26', '12-31', '1-1', '1-2', 'Easter -2'];

/** Holidays of the United States, of England and of the euro's payment system, which most of Europe's exchanges keep. */
const calendars = [
  [
    ...['1 Monday 3', '2 Monday 3', 'Easter -2', '5 Monday last', '7-4', '9 Monday 1'],
    ...['11 Thursday 4', '12-25', '1-1'],
  ],
  ['1-1', 'Easter -2', 'Easter 1', '5 Monday 1', '5 Monday last', '8 Monday last', '12-25', '12-26'],
  ['1-1', 'Easter -2', 'Easter 1', '5-1', '12-25', '12-26'],
];

/** Days of short sessions beside those of the same calendar, and holidays that it has not had for long. */
const otherDays = [['7-3', '11 Thursday 4 + 1', '6-19'], [], []];

/** Least share of the holidays of a calendar that a market which keeps it lacks. */
const keptShare = 0.75;

/** Days since 1970-01-01: those that a table shows, those without all of their rows, and those with hardly any. */
export type ShownDays = {
  readonly dates: readonly number[];
  readonly missing: readonly number[];
  readonly lost: readonly number[];
};

/**
 * A market's holidays: their names, the days on which its exchange is closed or has a short session, and whether they
 * include those of a calendar.
 */
export type Holidays = {
  readonly names: ReadonlySet<string>;
  readonly exchange: ExchangeDays | undefined;
  readonly areKnown: boolean;
};

/**
 * Returns the holidays of a market: those of calendars that the table keeps, and the days that were missing in
 * several of its years, by date, weekday in the month, distance from Easter or day of the moon.
 */
export function findHolidays(shown: ShownDays, isOpen: (date: number) => boolean): Holidays {
  const missing = new Set(shown.missing);
  const named = new Map(shown.dates.filter(isOpen).map((date) => [date, nameDay(date)]));
  const kept = calendars.flatMap((calendar, at) => {
    // Several days may keep one holiday of a year, such as the Monday after a Sunday.
    const holidays = new Map<string, boolean>();
    for (const [date, { year, names, substitutes }] of named) {
      const isMissing = missing.has(date);
      // Some calendars keep no other day for a holiday on a weekend.
      const own = isMissing ? names : names.filter((name) => !substitutes.includes(name));
      for (const name of own.filter((each) => calendar.includes(each))) {
        const holiday = `${year} ${name}`;
        holidays.set(holiday, holidays.get(holiday) === true || isMissing);
      }
    }
    const lacking = [...holidays.values()].filter(Boolean).length;
    return lacking > 0 && lacking >= keptShare * holidays.size ? [...calendar, ...(otherDays[at] ?? [])] : [];
  });
  const recurring = listRecurring(missing, (date) => nameDay(date).names, 2);
  // Days of the moon are many, so that a few years can be chance.
  const byMoon = listRecurring(missing, nameByMoon, Math.max(2, shown.dates.length / 366 / 3));
  const span = [Math.min(...named.keys()), Math.max(...named.keys())] as const;
  const days = { missing: new Set(shown.lost), span, isWeekday: isOpen };
  // Days on which every market rests tell no exchange from another.
  const isTelling = (date: number): boolean => isOpen(date) && !isRestEverywhere(date);
  const exchange = findExchange(days) ?? findExchangeInPart({ ...days, isWeekday: isTelling });
  const names = new Set([...everywhere, ...kept, ...recurring, ...byMoon]);
  return { names, exchange, areKnown: kept.length > 0 || exchange !== undefined };
}

/** Lists the names of missing days that come in so many years. */
function listRecurring(
  missing: ReadonlySet<number>,
  nameAll: (date: number) => readonly string[],
  fewest: number,
): string[] {
  const years = new Map<string, Set<number>>();
  for (const date of missing)
    for (const name of nameAll(date)) years.set(name, (years.get(name) ?? new Set()).add(nameDay(date).year));
  return [...years].flatMap(([name, seen]) => (seen.size >= fewest ? [name] : []));
}

/** Returns whether a day, counted from 1970-01-01, is one on which most markets rest. */
export function isRestEverywhere(date: number): boolean {
  return nameDay(date).names.some((name) => everywhere.includes(name));
}

/** The new year by the moon in China, and the feasts that end the fast and the pilgrimage, on which more days are closed. */
const feasts = ['5-1', 'chinese Mo1 1', 'islamic-civil Shaw. 1', 'islamic-civil Dhuʻl-H. 10'];

/** Returns whether a day, counted from 1970-01-01, is one beside which markets often rest for more days. */
export function isFeast(date: number): boolean {
  return [...nameDay(date).names, ...nameByMoon(date)].some((name) =>
    [...everywhere, ...feasts].includes(name),
  );
}

/** Returns whether a day, counted from 1970-01-01, is a holiday or of a short session in the United States. */
export function isRestOfUnitedStates(date: number): boolean {
  const { names } = nameDay(date);
  return [...(calendars[0] ?? []), ...(otherDays[0] ?? [])].some((name) => names.includes(name));
}

/** Returns whether a day, counted from 1970-01-01, is one of the holidays or of short sessions. */
export function isHoliday(date: number, { names, exchange }: Holidays): boolean {
  if (exchange?.closed.has(date) || exchange?.short.has(date)) return true;
  return [...nameDay(date).names, ...nameByMoon(date)].some((name) => names.has(name));
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Days by which a holiday may lie before or after the weekday on which it is kept: one on a Sunday is kept on Monday. */
const keptAfter: readonly (readonly number[])[] = [[], [-1, -2], [-2], [], [], [1], []];

/** The year and names of a day, and those among them that are of a weekend's day for which it may be kept. */
type NamedDay = {
  readonly year: number;
  readonly names: readonly string[];
  readonly substitutes: readonly string[];
};

/** Returns the names of a day: `12-25`, `11 Thursday 4`, `5 Monday last`, `Easter -2`, `11 Thursday 4 + 1`. */
function nameDay(days: number): NamedDay {
  const dateAfter = (more: number): Date => new Date((days + more) * day * 1000);
  const at = dateAfter(0);
  const year = at.getUTCFullYear();
  const isLast = dateAfter(7).getUTCMonth() !== at.getUTCMonth();
  const nameDate = (shift: number): string => {
    const shifted = dateAfter(shift);
    return `${shifted.getUTCMonth() + 1}-${shifted.getUTCDate()}`;
  };
  const substitutes = (keptAfter[at.getUTCDay()] ?? []).map(nameDate);
  return {
    year,
    substitutes,
    names: [
      nameDate(0),
      ...substitutes,
      nameWeekday(at),
      `${nameWeekday(dateAfter(-1))} + 1`,
      ...(isLast ? [`${at.getUTCMonth() + 1} ${weekdays[at.getUTCDay()]} last`] : []),
      `Easter ${days - easter(year)}`,
    ],
  };
}

/** Calendars that follow the moon. */
const moons = ['chinese', 'islamic-civil'];

const formats = new Map<string, Intl.DateTimeFormat>();

/** Opens a calendar when a day is first named by it, since its tables take megabytes. */
function openCalendar(calendar: string): Intl.DateTimeFormat {
  const open = formats.get(calendar);
  if (open) return open;
  const form = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}`, form);
  formats.set(calendar, format);
  return format;
}

/** Names a day and the next in calendars of the moon, since holidays may begin when it is seen. */
function nameByMoon(days: number): string[] {
  return moons.flatMap((calendar) =>
    [0, 1].map((shift) => `${calendar} ${openCalendar(calendar).format((days + shift) * day * 1000)}`),
  );
}

function nameWeekday(at: Date): string {
  return `${at.getUTCMonth() + 1} ${weekdays[at.getUTCDay()]} ${Math.ceil(at.getUTCDate() / 7)}`;
}

/** Returns the day of Easter, in days since 1970-01-01 (Gauss, as Meeus gives it for the Gregorian calendar). */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1) / (day * 1000);
}
