import { fullYear, lengthenYear, simplifyTime } from './simple-times.ts';
import { isDecimal } from './written-numbers.ts';

/**
 * The units of times in tables: counts, days as spreadsheets count them, dates with the year first, or with the day or
 * the month first.
 */
export const tableUnits = ['s', 'ms', 'us', 'ns', 'serial', 'iso', 'dmy', 'mdy'] as const;
export type TableUnit = (typeof tableUnits)[number];
type CountUnit = Exclude<TableUnit, 'iso' | 'dmy' | 'mdy'>;

/** Seconds per unit. */
const secondsIn: Readonly<Record<CountUnit, number>> = {
  ...{ s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9, serial: 86_400 },
};

/** 1970-01-01, 1954 and 2064 as spreadsheets count days, and the longest usual step between rows. */
const [serialEpoch, earliestSerial, latestSerial, longestStep] = [25_569, 20_000, 60_000, 31];

/** Smallest number for which a unit is assumed: as seconds it would be after the year 5000. */
const begins: readonly (readonly [from: number, unit: TableUnit])[] = [
  [1e17, 'ns'],
  [1e14, 'us'],
  [1e11, 'ms'],
];

/**
 * Guesses the unit of a column from its first times: of numbers by their size, but eight digits such as 20190131 are a
 * date. Returns undefined for dates such as 03/04/2019, whose day and month cannot be distinguished.
 */
export function guessUnit(texts: readonly string[]): TableUnit | undefined {
  const [text = ''] = texts;
  if (yearLast.test(text) || areDigitDates(texts)) return guessDateOrder(texts);
  const isNumber = /^-?\d+(\.\d*)?(e\+?\d+)?$/i.test(text);
  if (!isNumber || (compact.test(text) && texts.every((each) => each === '' || compact.test(each))))
    return 'iso';
  if (areSerialDays(texts)) return 'serial';
  return begins.find(([from]) => Math.abs(Number(text)) >= from)?.[1] ?? 's';
}

/** A date of eight digits, and perhaps the time of day in four or six: as milliseconds twelve would be of the 1970s. */
const compact = /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(([01]\d|2[0-3])[0-5]\d([0-5]\d)?)?$/;

/** Returns whether numbers are days of a spreadsheet: they run one way in steps of days or months, or parts of days. */
function areSerialDays(texts: readonly string[]): boolean {
  const values = texts.map(Number);
  if (!values.every((value) => value >= earliestSerial && value <= latestSerial)) return false;
  const steps = values.slice(1).map((value, at) => value - (values[at] as number));
  return steps.length > 1 && isOneWay(values) && steps.every((step) => Math.abs(step) <= longestStep);
}

/** `31.12.2019`, `1/31/2019 23:05`, `31/12/19`. */
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?=$|[T ,])/;

/** `311219`, `31122019`, `311219 2305`. */
const digits = /^(\d\d)(\d\d)(\d{4}|\d\d)(?=$|[T ,])/;

/** A date of eight digits that begins with the year. */
const yearFirst = /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=$|[T ,])/;

/** A time of day as 093000, and the fewest rows that have the last two digits in common if they are the year. */
const [minuteOfDay, rowsInYear] = [/^([01]\d|2[0-3])[0-5]\d00$/, 4];

/**
 * Returns whether texts are dates of six digits, or of eight that end with the year: one order makes all of them dates, and
 * a zero in front or a time of day behind shows that they are no numbers. Times of day such as 091501 could have the month
 * first: they change their last digits more often than dates, or all have 00.
 */
function areDigitDates(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '');
  const areWritten = filled.every((text) => digits.test(text) && !yearFirst.test(text));
  if (filled.length === 0 || !areWritten) return false;
  const areDates = (unit: TableUnit): boolean => filled.every((text) => !Number.isNaN(parseTime(text, unit)));
  const isDate = areDates('dmy') || areDates('iso');
  if (filled.every((text) => /\D/.test(text))) return isDate || areDates('mdy');
  if (!filled.some((text) => text.startsWith('0')) || filled.every((text) => minuteOfDay.test(text)))
    return false;
  const years = isDate ? 1 : new Set(filled.map((text) => text.slice(-2))).size;
  return filled.length >= rowsInYear * years && (isDate || areDates('mdy'));
}

/** Factor by which a column spans less time in the right order of its dates than in another, at least. */
const clearlyShorter = 5;

function guessDateOrder(texts: readonly string[]): TableUnit | undefined {
  const hasLongYear = /^\D*\d+\D+\d+\D+\d{4}/.test(texts[0] ?? '');
  const orders = hasLongYear ? (['dmy', 'mdy'] as const) : (['dmy', 'mdy', 'iso'] as const);
  const read = orders.map((unit) => {
    const times = texts.map((text) => parseTime(text, unit)).filter((time) => !Number.isNaN(time));
    return { unit, times, span: Math.max(...times) - Math.min(...times) };
  });
  const most = Math.max(...read.map(({ times }) => times.length));
  const valid = read.filter(({ times }) => times.length === most);
  const ordered = valid.filter(({ times }) => isOneWay(times));
  const left = ordered.length > 0 ? ordered : valid;
  if (left.length === 1) return left[0]?.unit;
  const [first, second] = left.toSorted((a, b) => a.span - b.span);
  const isClear = texts.length > 1 && clearlyShorter * (first?.span ?? 0) < (second?.span ?? 0);
  // Days of a month's first days may be months; times of day leave no such doubt.
  if (isClear && (texts.every((text) => text.includes(':')) || left.some(({ unit }) => unit === 'iso')))
    return first?.unit;
  return yearLast.exec(texts[0] ?? '')?.[2] === '/' || !hasLongYear ? undefined : 'dmy';
}

/** Returns whether times run one way; equal ones do, as those of dates whose time of day is apart. */
export function isOneWay(times: readonly number[]): boolean {
  const steps = times.slice(1).map((time, at) => time - (times[at] as number));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

/** `2019-01-31`, `2019/01/31 00:05`, `2019.01.31T00:05:00.000+01:00`, `20190131 000500`. */
const written =
  /^(\d{4})([-/.]?)(\d\d)\2(\d\d)(?:[T ,]\s*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?|T)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/** Parses a time as Unix seconds, in UTC unless it names a zone; NaN if it is invalid. */
export function parseTime(text: string, unit: TableUnit): number {
  if (isCount(unit)) return isDecimal(text) ? toSeconds(Number(text), unit) : Number.NaN;
  const direct = unit === 'iso' ? parseDate(text) : Number.NaN;
  if (!Number.isNaN(direct)) return direct;
  const [, wrapped] = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/.exec(text) ?? [];
  if (wrapped !== undefined) return toSeconds(Number(wrapped), 'ms');
  const plain = simplifyTime(separateDigits(text));
  return parseDate(unit === 'iso' ? lengthenYear(plain) : putYearFirst(plain, unit));
}

/** Writes a date of digits with a sign between its parts, unless it begins with a year of four. */
function separateDigits(text: string): string {
  return yearFirst.test(text) ? text : text.replace(digits, '$1-$2-$3');
}

/** Returns whether times in the unit are numbers. */
export function isCount(unit: TableUnit): unit is CountUnit {
  // Runs for each row of a table.
  return unit !== 'iso' && unit !== 'dmy' && unit !== 'mdy';
}

function putYearFirst(text: string, unit: 'dmy' | 'mdy'): string {
  const [all = text, first = '', , second = '', year] = yearLast.exec(text) ?? [];
  // A year of four digits in front, or a month in letters, leaves no order to choose.
  if (year === undefined) return text;
  const [day, month] = unit === 'dmy' ? [first, second] : [second, first];
  return `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${text.slice(all.length)}`;
}

function parseDate(text: string): number {
  const [, year, , month, date, hours = 0, minutes = 0, seconds = 0, fraction = '0', zone = ''] =
    written.exec(text) ?? [];
  if (year === undefined) return Number.NaN;
  const day = daysSinceEpoch(Number(year), Number(month), Number(date));
  const time = secondsOfDay(Number(hours), Number(minutes), Number(seconds));
  return day * 86_400 + time + roundToMs(Number(`0.${fraction}`)) - zoneOffset(zone);
}

/** Largest Unix time in seconds of a date (ECMA-262 §21.4.1.1). */
const lastInstant = 8.64e12;

/** Converts a count in a unit to Unix seconds; NaN if it is out of range. */
export function toSeconds(count: number, unit: CountUnit): number {
  if (unit === 'serial') return Math.round((count - serialEpoch) * secondsIn.serial);
  const seconds = unit === 's' ? count : roundToMs(count * secondsIn[unit]);
  return Math.abs(seconds) <= lastInstant ? seconds : Number.NaN;
}

/** Rounds to milliseconds, the finest resolution at which seconds as a double are exact. */
function roundToMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** Returns the second of the day, or NaN for an invalid time. Allows a leap second. */
export function secondsOfDay(hours: number, minutes: number, seconds: number): number {
  return hours <= 24 && minutes < 60 && seconds <= 60 ? (hours * 60 + minutes) * 60 + seconds : Number.NaN;
}

function zoneOffset(zone: string): number {
  const [, sign, hours, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (hours === undefined) return 0;
  return (sign === '-' ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns the days since 1970-01-01 in the Gregorian calendar, or NaN for an invalid date. */
export function daysSinceEpoch(year: number, month: number, date: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const longest = month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0);
  if (date < 1 || date > longest) return Number.NaN;
  // Years begin in March here, so that the leap day is the last.
  const shifted = month > 2 ? year : year - 1;
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const inYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + date - 1;
  return shifted * 365 + leaps + inYear - 719_468;
}
