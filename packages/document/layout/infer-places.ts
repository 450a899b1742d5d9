import { findClock } from './clock-numbers.ts';
import { inferAmounts } from './infer-amounts.ts';
import { findPriceOrders, findTwoSets } from './price-order.ts';
import type { NamedRole } from './role-names.ts';
import { leastReadable, parseNumber } from './written-numbers.ts';
import { guessUnit, isCount, isOneWay, parseTime } from './written-times.ts';

/** The positions of values by their role. */
export type RolePlaces = Readonly<Partial<Record<NamedRole, number>>>;

/** 1971 and 2200: a count of seconds or finer that is a time of candles lies between. */
const [earliestCount, latest] = [31_536_000, 7_258_118_400];

/**
 * Returns whether values are times: dates, or counts since 1970 that are no index, price or amount. Days of a spreadsheet
 * without a rest may be numbers of rows, unless their name tells.
 */
export function areTimes(texts: readonly string[], isNamed = false): boolean {
  const filled = texts.filter((text) => text !== '');
  const unit = guessUnit(filled) ?? 'dmy';
  const areCounted = filled.every((text, at) => Number(text) - Number(filled[0]) === at);
  const readable = filled.filter((text) => {
    const time = parseTime(text, unit);
    if (Number.isNaN(time) || time >= latest) return false;
    if (unit === 'serial') return isNamed || !areCounted;
    return !isCount(unit) || (Number.isInteger(Number(text)) && Math.abs(time) >= earliestCount);
  });
  return readable.length > 0 && readable.length >= leastReadable * filled.length;
}

/** A time of day in a column of its own. */
export const timeOfDay = /^(\d\d?:\d\d.*|\d{6}|\d{4})$/;

/** The values of rows by column, oldest first, the places of their times, and the columns that may be prices or amounts. */
type Columns = {
  readonly when: RolePlaces;
  readonly values: readonly (readonly number[])[];
  readonly others: readonly number[];
};

/**
 * Infers the roles of values without names from the rows alone: the first column of times that run one way, the order
 * of prices, then the average and the volume. Returns two if two orders fit, none if no order does.
 */
export function inferPlaces(rows: readonly (readonly string[])[]): RolePlaces[] {
  const columns = readColumns(rows);
  if (columns === undefined) return [];
  const sets = inferTwoSets(columns);
  return sets ? [sets[0]] : inferSet(columns, columns.others);
}

/** Returns the roles of each of two sets of prices side by side, as of bid and ask; undefined for one set. */
export function inferBothSets(rows: readonly (readonly string[])[]): readonly RolePlaces[] | undefined {
  const columns = readColumns(rows);
  return columns && inferTwoSets(columns);
}

function inferTwoSets(columns: Columns): readonly [RolePlaces, RolePlaces] | undefined {
  const { values, others } = columns;
  const [first, second] = findTwoSets(values, others) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const sets = [others.filter((at) => at < second), others.filter((at) => at >= second)];
  const [one, other] = sets.map((own) => inferSet(columns, own)[0]);
  return one && other && [one, other];
}

function inferSet({ when, values }: Columns, own: readonly number[]): RolePlaces[] {
  return findPriceOrders(values, own).map((order) => ({
    ...when,
    ...order,
    ...inferAmounts(values, own, order),
  }));
}

/** Chooses the column of the rows' starts: of those with even steps the earliest, as an end is later; else the first. */
function chooseTime(texts: readonly (readonly string[])[]): number | undefined {
  const times = texts.flatMap((column, at) => (areTimes(column) ? [at] : []));
  if (times.length < 2) return times[0];
  const read = times.map((at) => ({ at, seconds: readColumn(texts[at] ?? []) }));
  const even = read.filter(({ seconds }) => hasEvenSteps(seconds));
  const first = Math.min(...even.map(({ seconds }) => seconds[0] ?? Number.NaN));
  return even.find(({ seconds }) => seconds[0] === first)?.at ?? times[0];
}

function readColumn(texts: readonly string[]): number[] {
  const unit = guessUnit(texts) ?? 'dmy';
  return texts.map((text) => parseTime(text, unit));
}

/** Returns whether times run one way in steps that are multiples of the shortest. */
function hasEvenSteps(times: readonly number[]): boolean {
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  const shortest = Math.min(...steps.map(Math.abs));
  const isOneWay = steps.every((step) => step > 0) || steps.every((step) => step < 0);
  return isOneWay && steps.every((step) => Math.abs(step % shortest) < 1e-3);
}

/** Returns whether times are a count of seconds or finer, beside which none of the day is needed. */
function isCountedFinely(texts: readonly string[]): boolean {
  const unit = guessUnit(texts);
  return unit !== undefined && unit !== 'serial' && isCount(unit);
}

function readColumns(rows: readonly (readonly string[])[]): Columns | undefined {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const texts = Array.from({ length: width }, (_, at) => rows.map((row) => (row[at] ?? '').trim()));
  const time = chooseTime(texts);
  if (time === undefined) return undefined;
  const apart = findTimeApart(texts, time);
  const when = apart === undefined ? { time } : { date: time, time: apart };
  const taken = new Set<number>(Object.values(when));
  const isDescending = isFalling(texts[time] ?? []);
  const values = texts.map((column) => {
    const numbers = column.map((text) => parseNumber(text));
    return isDescending ? numbers.toReversed() : numbers;
  });
  // Volumes of a thousand million may be read as seconds, but they do not run one way.
  const isTime = (at: number): boolean => areTimes(texts[at] ?? []) && isOneWay(values[at] ?? []);
  const others = values.flatMap((column, at) =>
    taken.has(at) || isTime(at) || !isFilled(column) ? [] : [at],
  );
  return { when, values, others };
}

/** Returns the place of the time of day beside a date: next to it, or anywhere if several rows have one date. */
function findTimeApart(texts: readonly (readonly string[])[], date: number): number | undefined {
  const dates = texts[date] ?? [];
  if (/[T :]\d?\d:?\d\d/.test(dates[0] ?? '') || isCountedFinely(dates)) return undefined;
  if (isTimeOfDay(texts[date + 1], dates)) return date + 1;
  if (new Set(dates).size === dates.length) return undefined;
  const places = texts.map((_, at) => at).filter((at) => at !== date);
  return places.find((at) => {
    const clock = findClock(texts[at] ?? [], dates, 'time');
    return clock === 'hhmm' || clock === 'hhmmss' || areWritten(texts[at] ?? [], dates);
  });
}

/** Returns whether texts such as `09:30` run on from row to row of one date. */
function areWritten(texts: readonly string[], dates: readonly string[]): boolean {
  return (
    texts.every((text) => /^\d\d?:\d\d/.test(text)) &&
    texts.every((text, at) => at === 0 || dates[at] !== dates[at - 1] || text !== texts[at - 1])
  );
}

function isTimeOfDay(texts: readonly string[] = [], dates: readonly string[] = []): boolean {
  const areClocks = texts.length > 0 && texts.every((text) => timeOfDay.test(text));
  return areClocks || findClock(texts, dates, 'time') !== undefined;
}

function isFilled(column: readonly number[]): boolean {
  return column.filter((value) => !Number.isNaN(value)).length >= leastReadable * column.length;
}

function isFalling(texts: readonly string[]): boolean {
  const unit = guessUnit(texts) ?? 'dmy';
  return parseTime(texts.at(-1) ?? '', unit) < parseTime(texts[0] ?? '', unit);
}
