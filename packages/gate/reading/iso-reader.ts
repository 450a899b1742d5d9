import { daysSinceEpoch, secondsOfDay } from '@candleproof/document/layout/written-times';
import { type Cursor, isLineEnd } from './numbers.ts';

/** Reads two digits; far too large if they are not digits. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - 48;
  const ones = (bytes[at + 1] as number) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1e6;
}

const hyphen = 45;
const colon = 58;

/**
 * Reads `2019-01-31`, `2019-01-31 00:05` or `2019-01-31T00:05:00Z` as Unix seconds. Returns NaN for any other form and
 * leaves the cursor in place. Caches the last day, which most rows share with the one before.
 */
export class IsoReader {
  #date = -1;
  #days = Number.NaN;

  read(bytes: Uint8Array, cursor: Cursor, separator: number): number {
    const { at } = cursor;
    if (bytes[at + 4] !== hyphen || bytes[at + 7] !== hyphen) return Number.NaN;
    const midnight = this.#midnight(bytes, at);
    if (isCellEnd(bytes, at + 10, separator)) return this.#stop(cursor, at + 10, midnight);
    if ((bytes[at + 10] !== 32 && bytes[at + 10] !== 84) || bytes[at + 13] !== colon) return Number.NaN;
    let end = at + 16;
    let seconds = 0;
    if (bytes[end] === colon) {
      seconds = twoDigits(bytes, end + 1);
      end += 3;
    }
    if (bytes[end] === 90) end++;
    const time = secondsOfDay(twoDigits(bytes, at + 11), twoDigits(bytes, at + 14), seconds);
    return isCellEnd(bytes, end, separator) ? this.#stop(cursor, end, midnight + time) : Number.NaN;
  }

  #midnight(bytes: Uint8Array, at: number): number {
    const [century, year] = [twoDigits(bytes, at), twoDigits(bytes, at + 2)];
    const [month, date] = [twoDigits(bytes, at + 5), twoDigits(bytes, at + 8)];
    const key = ((century * 100 + year) * 100 + month) * 100 + date;
    if (key !== this.#date) {
      this.#date = key;
      this.#days = daysSinceEpoch(century * 100 + year, month, date) * 86400;
    }
    return this.#days;
  }

  #stop(cursor: Cursor, at: number, seconds: number): number {
    if (!Number.isNaN(seconds)) cursor.at = at;
    return seconds;
  }
}

function isCellEnd(bytes: Uint8Array, at: number, separator: number): boolean {
  const code = bytes[at] as number;
  return code === separator || isLineEnd(code);
}
