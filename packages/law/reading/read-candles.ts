import type { TimeForm, TimeUnit } from '@candleproof/document/spec/roles';
import { chooseUnit, isCountUnit, readTime, repeatedTime } from '@candleproof/document/spec/times';
import { moveToCalendar } from './calendar.ts';
import { type Candle, plausibleBounds, type Reading } from './candle.ts';

/** Positions of a candle's numbers. */
const [start, end, open, high, low, close, avg, count] = [0, 1, 2, 3, 4, 5, 6, 7];

/** The candles of an answer, and the number of its rows with an unreadable start or price. */
export type CandlesRead = { readonly candles: Candle[]; readonly unreadable: number };

/** Reads an answer's rows as candles; a row that is not an object is omitted and counts as unreadable. */
export function readCandles(rows: readonly unknown[], reading: Reading): CandlesRead {
  const readNumbers = makeNumbersReader(reading);
  const numbers = new Float64Array(rows.length * count);
  const candles: Candle[] = [];
  let readable = 0;
  for (let row = 0; row < rows.length; row++) {
    const record = rows[row];
    if (!isRecord(record)) continue;
    if (readNumbers(record, numbers, row * count)) readable++;
    candles.push(new ReadCandle(row, record, reading, numbers));
  }
  return { candles, unreadable: rows.length - readable };
}

/**
 * A candle of an answer. Its numbers lie in one array with those of all others, and the rest in its record: separate
 * objects for hundreds of thousands of rows would keep the garbage collector busier than the rules are.
 */
class ReadCandle implements Candle {
  readonly row: number;
  readonly record: Candle['record'];
  readonly reading: Reading;
  readonly #numbers: Float64Array;

  constructor(row: number, record: Candle['record'], reading: Reading, numbers: Float64Array) {
    this.row = row;
    this.record = record;
    this.reading = reading;
    this.#numbers = numbers;
  }

  get pool(): unknown {
    return this.record[this.reading.fields.pool ?? ''];
  }

  get volume(): unknown {
    return this.record[this.reading.fields.volume ?? ''];
  }

  get liquidity(): unknown {
    return this.record[this.reading.fields.liquidity ?? ''];
  }

  get 'volume-usd'(): unknown {
    return this.record[this.reading.fields['volume-usd'] ?? ''];
  }

  get 'liquidity-usd'(): unknown {
    return this.record[this.reading.fields['liquidity-usd'] ?? ''];
  }

  get closed(): boolean | undefined {
    const { closed } = this.reading.fields;
    return closed === undefined ? undefined : readFlag(this.record[closed]);
  }

  get start(): number {
    return this.#numbers[this.row * count + start] as number;
  }

  get end(): number {
    return this.#numbers[this.row * count + end] as number;
  }

  get open(): number {
    return this.#numbers[this.row * count + open] as number;
  }

  get high(): number {
    return this.#numbers[this.row * count + high] as number;
  }

  get low(): number {
    return this.#numbers[this.row * count + low] as number;
  }

  get close(): number {
    return this.#numbers[this.row * count + close] as number;
  }

  get avg(): number {
    return this.#numbers[this.row * count + avg] as number;
  }
}

/** Returns whether a row has fields: an object, or an array with places. */
export function isRecord(row: unknown): row is Candle['record'] {
  return typeof row === 'object' && row !== null;
}

/** Makes a reader of one candle's numbers; names and forms are looked up once per answer. */
function makeNumbersReader(reading: Reading) {
  const { fields, length } = reading;
  const readStart = makeTimeReader(reading, 'start');
  const readEnd = makeTimeReader(reading, 'end');
  const names = { open: '', high: '', low: '', close: '', average: '', ...fields };
  return (record: Candle['record'], numbers: Float64Array, at: number): boolean => {
    const from = fields.start === undefined ? undefined : readStart(record[fields.start]);
    const to = fields.end === undefined ? undefined : readEnd(record[fields.end]);
    const begins = from ?? (to ?? Number.NaN) - length;
    const opens = readNumber(record[names.open]);
    const highest = readNumber(record[names.high]);
    const lowest = readNumber(record[names.low]);
    const closes = readNumber(record[names.close]);
    numbers[at + start] = begins;
    numbers[at + end] = to ?? (from ?? Number.NaN) + length;
    numbers[at + open] = opens;
    numbers[at + high] = highest;
    numbers[at + low] = lowest;
    numbers[at + close] = closes;
    numbers[at + avg] = readNumber(record[names.average]);
    // The sum is NaN if any of them is NaN.
    return Number.isFinite(begins + opens + highest + lowest + closes);
  };
}

/** Reads true, 1 or their text as true, and their opposites as false; undefined for anything else. */
function readFlag(value: unknown): boolean | undefined {
  const text = String(value);
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** Reads a number or plain decimal text, whichever the schema wants; NaN for anything else. */
export function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  const isText = typeof value === 'string' && /^-?\d{1,40}(\.\d{1,40})?$/.test(value);
  return isText ? Number(value) : Number.NaN;
}

/** Rounds an inclusive end, which may be a millisecond short of the second that it means. */
function roundEnd(seconds: number): number {
  const next = Math.ceil(seconds);
  return next - seconds < 0.0015 ? next : seconds;
}

/** Makes a reader of an answer's starts or ends on its axis of time, which gives NaN for an implausible time. */
export function makeTimeReader(reading: Reading, role: 'start' | 'end'): (value: unknown) => number {
  const read = makeSecondsReader(reading, role);
  const { calendar } = reading;
  return calendar ? (value) => moveToCalendar(read(value), calendar) : read;
}

/** Returns the Unix seconds of a row's start, or of its end if it has no start; NaN for neither. */
export function readAnyTime(reading: Reading, row: unknown): number {
  const role = reading.fields.start === undefined ? 'end' : 'start';
  return isRecord(row) ? makeSecondsReader(reading, role)(row[reading.fields[role] ?? '']) : Number.NaN;
}

/** Makes a choice between two instants of the same text by the rows before: the one that goes on as they did. */
function makeFollower(): (one: number, other: number) => number {
  let [before, step] = [Number.NaN, 0];
  return (one, other) => {
    const off = (start: number): number => (start === before ? Infinity : Math.abs(start - before - step));
    const chosen = off(other) < off(one) ? other : one;
    step = Number.isNaN(before) ? 0 : chosen - before;
    before = chosen;
    return chosen;
  };
}

function makeSecondsReader(reading: Reading, role: 'start' | 'end'): (value: unknown) => number {
  const form = (reading.forms[role] ?? 's') as TimeForm;
  if (typeof form === 'string') return makeUnitReader(reading, role, form);
  const readers = new Map(form.map((unit) => [unit, makeUnitReader(reading, role, unit)]));
  return (value) => readers.get(chooseUnit(value, form))?.(value) ?? Number.NaN;
}

function makeUnitReader(
  { zone, earliest }: Reading,
  role: 'start' | 'end',
  unit: TimeUnit,
): (value: unknown) => number {
  const { from, to } = plausibleBounds(unit, earliest);
  if (unit === 's')
    return (value) => {
      const seconds = typeof value === 'number' ? value : readTime(value, 's');
      return Number.isInteger(seconds) && seconds > from && seconds < to ? seconds : Number.NaN;
    };
  const follow = makeFollower();
  return (value) => {
    const time = readTime(value, unit, zone);
    const seconds = role === 'end' ? roundEnd(time) : time;
    if (!(seconds > from && seconds < to)) return Number.NaN;
    return zone && !isCountUnit(unit) ? follow(seconds, repeatedTime(seconds, zone)) : seconds;
  };
}
