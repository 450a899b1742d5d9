import { readTime } from '../document/interval.ts';
import type { CandleRole, FieldForms, TimeUnit } from '../document/roles.ts';
import { type Candle, isPlausibleTime, type Reading } from './candle.ts';
import { plausibleSeconds } from './tolerances.ts';

/** Positions of a candle's numbers. */
const [start, end, open, high, low, close, avg, count] = [0, 1, 2, 3, 4, 5, 6, 7];

/** The candles of an answer, and the number of its rows with an unreadable start or price. */
export type CandlesRead = { readonly candles: Candle[]; readonly unreadable: number };

/** Reads an answer's rows as candles; a row that is not an object is left out and counts as unreadable. */
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

function isRecord(row: unknown): row is Candle['record'] {
  return typeof row === 'object' && row !== null;
}

/** Makes a reader of one candle's numbers; names and forms are looked up once per answer. */
function makeNumbersReader({ fields, forms, length }: Reading) {
  const price = (role: CandleRole) => (forms[role] === 'text' ? readNumberText : readNumber);
  const [readOpen, readHigh, readLow, readClose, readAverage] = [
    price('open'),
    price('high'),
    price('low'),
    price('close'),
    price('average'),
  ];
  const readStart = makeSecondsReader(forms.start);
  const readEnd = makeSecondsReader(forms.end);
  const names = { open: '', high: '', low: '', close: '', average: '', ...fields };
  return (record: Candle['record'], numbers: Float64Array, at: number): boolean => {
    const from = fields.start === undefined ? undefined : readStart(record[fields.start]);
    const to = fields.end === undefined ? undefined : readEnd(record[fields.end]);
    const begins = from ?? (to ?? Number.NaN) - length;
    const opens = readOpen(record[names.open]);
    const highest = readHigh(record[names.high]);
    const lowest = readLow(record[names.low]);
    const closes = readClose(record[names.close]);
    numbers[at + start] = begins;
    numbers[at + end] = to ?? (from ?? Number.NaN) + length;
    numbers[at + open] = opens;
    numbers[at + high] = highest;
    numbers[at + low] = lowest;
    numbers[at + close] = closes;
    numbers[at + avg] = readAverage(record[names.average]);
    // NaN where any of them is NaN.
    return Number.isFinite(begins + opens + highest + lowest + closes);
  };
}

function readNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Reads decimal text; NaN for anything else. */
function readNumberText(value: unknown): number {
  return typeof value === 'string' && /^\d{1,40}(\.\d{1,40})?$/.test(value) ? Number(value) : Number.NaN;
}

function readSeconds(value: unknown): number {
  return isPlausibleTime(value) ? value : Number.NaN;
}

/** Rounds an inclusive end, which may be a millisecond short of the second that it means. */
function roundSeconds(seconds: number): number {
  const next = Math.round(seconds);
  return Math.abs(next - seconds) < 0.0015 ? next : seconds;
}

function makeSecondsReader(form: FieldForms[CandleRole]): (value: unknown) => number {
  if (form === undefined || form === 'text') return readSeconds;
  return (value) => {
    const seconds = roundSeconds(readTime(value, form as TimeUnit));
    return seconds > plausibleSeconds.from && seconds < plausibleSeconds.to ? seconds : Number.NaN;
  };
}
