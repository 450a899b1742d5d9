import { add, compare, type Decimal, parseDecimal, zero } from './decimal.ts';

/** The code of the digit 0. */
const nought = 48;

/** More digits than this are not always a whole number that a double holds. */
const smallDigits = 15;

/**
 * An exact sum of decimal texts. Whole numbers that a double holds are added as such, in units of the finest
 * decimal so far; what is longer, or would grow beyond them, is added as a big integer.
 */
export class DecimalSum {
  #units = 0;
  #scale = 0;
  #rest: Decimal = zero;

  /** False, with nothing added, for a text that is no plain decimal (§2.2). */
  add(text: string): boolean {
    const { length } = text;
    let units = 0;
    let decimals = -1;
    for (let at = 0; at < length && length <= smallDigits; at++) {
      const digit = text.charCodeAt(at) - nought;
      if (digit >= 0 && digit <= 9) {
        units = units * 10 + digit;
        if (decimals >= 0) decimals++;
      } else if (text[at] === '.' && decimals < 0 && at > 0) decimals = 0;
      else return false;
    }
    if (length === 0 || decimals === 0 || length > smallDigits || hasLeadingZero(text))
      return this.#addLong(text);
    this.#addUnits(units, decimals < 0 ? 0 : decimals);
    return true;
  }

  /** Whether the sum has the value of this text, in as many decimals or in others. */
  equals(text: string): boolean {
    const other = new DecimalSum();
    if (!other.add(text)) return false;
    const isShort = this.#rest === zero && other.#rest === zero;
    if (isShort && this.#scale === other.#scale) return this.#units === other.#units;
    return compare(this.total(), other.total()) === 0;
  }

  total(): Decimal {
    const small = { units: BigInt(this.#units), scale: this.#scale };
    return this.#rest === zero ? small : add(small, this.#rest);
  }

  #addUnits(units: number, scale: number): void {
    if (scale === this.#scale && this.#units + units <= Number.MAX_SAFE_INTEGER) {
      this.#units += units;
      return;
    }
    const finest = Math.max(scale, this.#scale);
    const own = this.#units * 10 ** (finest - this.#scale);
    const more = units * 10 ** (finest - scale);
    if (own + more <= Number.MAX_SAFE_INTEGER) {
      this.#units = own + more;
      this.#scale = finest;
    } else this.#rest = add(this.#rest, { units: BigInt(units), scale });
  }

  #addLong(text: string): boolean {
    const amount = parseDecimal(text);
    if (amount) this.#rest = add(this.#rest, amount);
    return amount !== undefined;
  }
}

function hasLeadingZero(text: string): boolean {
  return text.charCodeAt(0) === nought && text.length > 1 && text[1] !== '.';
}
