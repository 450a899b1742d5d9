import { isDecimal } from './numbers.ts';

/** How a table writes its times. */
export const tableUnits = ['s', 'ms', 'us', 'ns', 'iso'] as const;
export type TableUnit = (typeof tableUnits)[number];

/** Seconds in one of a unit. */
const secondsIn: Readonly<Record<Exclude<TableUnit, 'iso'>, number>> = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };

/** From these numbers on a time is no longer counted in the unit before: seconds would lie beyond the year 5000. */
const begins: readonly (readonly [from: number, unit: TableUnit])[] = [
  [1e17, 'ns'],
  [1e14, 'us'],
  [1e11, 'ms'],
];

/** A number is a count since 1970, by its size; but eight digits such as 20190131 are a date. */
export function guessUnit(text: string): TableUnit {
  const isNumber = /^-?\d+(\.\d*)?(e\+?\d+)?$/i.test(text);
  if (!isNumber || /^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/.test(text)) return 'iso';
  return begins.find(([from]) => Math.abs(Number(text)) >= from)?.[1] ?? 's';
}

/** `2019-01-31`, `2019/01/31 00:05`, `2019.01.31T00:05:00.000+01:00`, `20190131 000500`. */
const written =
  /^(\d{4})([-/.]?)(\d\d)\2(\d\d)(?:[T ,]\s*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/** Unix seconds of a time as a table writes it, in UTC where it names no zone; NaN where it is none. */
export function timeIn(text: string, unit: TableUnit): number {
  if (unit !== 'iso') return isDecimal(text) ? secondsOf(Number(text), unit) : Number.NaN;
  const [, year, , month, date, hours = 0, minutes = 0, seconds = 0, fraction = '0', zone = ''] =
    written.exec(text) ?? [];
  if (year === undefined) return Number.NaN;
  const day = daysTo(Number(year), Number(month), Number(date));
  const time = secondsOfDay(Number(hours), Number(minutes), Number(seconds));
  return day * 86_400 + time + wholeMs(Number(`0.${fraction}`)) - offsetOf(zone);
}

/** Seconds from 1970 beyond which no calendar has a date (ECMA-262 §21.4.1.1). */
const lastInstant = 8.64e12;

/** Unix seconds of a count in a unit; NaN where they are no time. */
export function secondsOf(count: number, unit: Exclude<TableUnit, 'iso'>): number {
  const seconds = unit === 's' ? count : wholeMs(count * secondsIn[unit]);
  return Math.abs(seconds) <= lastInstant ? seconds : Number.NaN;
}

/** Finer than a millisecond a double of seconds is not exact. */
function wholeMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** NaN where there is no such time of day; a minute may have a leap second. */
export function secondsOfDay(hours: number, minutes: number, seconds: number): number {
  return hours <= 24 && minutes < 60 && seconds <= 60 ? (hours * 60 + minutes) * 60 + seconds : Number.NaN;
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (hours === undefined) return 0;
  return (sign === '-' ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days from 1970-01-01 in the Gregorian calendar; NaN where there is no such day. */
export function daysTo(year: number, month: number, date: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const longest = month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0);
  if (date < 1 || date > longest) return Number.NaN;
  // Years that begin in March, so that the leap day is the last.
  const shifted = month > 2 ? year : year - 1;
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const inYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + date - 1;
  return shifted * 365 + leaps + inYear - 719_468;
}
