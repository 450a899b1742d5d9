import { type Cursor, isLineEnd } from './numbers.ts';
import { daysTo, secondsOfDay } from './times.ts';

/** Two digits at a place; far too large where one is none. */
function two(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - 48;
  const ones = (bytes[at + 1] as number) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1e6;
}

const hyphen = 45;
const colon = 58;

/**
 * Unix seconds of `2019-01-31`, `2019-01-31 00:05` or `2019-01-31T00:05:00Z`, the usual forms; NaN, standing where it
 * stood, for any other. The last day is remembered: most rows share it with the one before.
 */
export class IsoReader {
  #date = -1;
  #days = Number.NaN;

  read(bytes: Uint8Array, cursor: Cursor, separator: number): number {
    const { at } = cursor;
    if (bytes[at + 4] !== hyphen || bytes[at + 7] !== hyphen) return Number.NaN;
    const midnight = this.#midnight(bytes, at);
    if (endsAt(bytes, at + 10, separator)) return this.#stop(cursor, at + 10, midnight);
    if ((bytes[at + 10] !== 32 && bytes[at + 10] !== 84) || bytes[at + 13] !== colon) return Number.NaN;
    let end = at + 16;
    let seconds = 0;
    if (bytes[end] === colon) {
      seconds = two(bytes, end + 1);
      end += 3;
    }
    if (bytes[end] === 90) end++;
    const time = secondsOfDay(two(bytes, at + 11), two(bytes, at + 14), seconds);
    return endsAt(bytes, end, separator) ? this.#stop(cursor, end, midnight + time) : Number.NaN;
  }

  #midnight(bytes: Uint8Array, at: number): number {
    const [century, year] = [two(bytes, at), two(bytes, at + 2)];
    const [month, date] = [two(bytes, at + 5), two(bytes, at + 8)];
    const key = ((century * 100 + year) * 100 + month) * 100 + date;
    if (key !== this.#date) {
      this.#date = key;
      this.#days = daysTo(century * 100 + year, month, date) * 86_400;
    }
    return this.#days;
  }

  #stop(cursor: Cursor, at: number, seconds: number): number {
    if (!Number.isNaN(seconds)) cursor.at = at;
    return seconds;
  }
}

function endsAt(bytes: Uint8Array, at: number, separator: number): boolean {
  const code = bytes[at] as number;
  return code === separator || isLineEnd(code);
}
