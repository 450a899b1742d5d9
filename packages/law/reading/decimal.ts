/** An exact decimal: `units` × 10^−`scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

export const zero: Decimal = { units: 0n, scale: 0 };

/** The longest text that is read: more digits than any amount has, few enough to stay cheap. */
const longest = 400;

/** Reads plain decimal text (§2.2: decimal text) exactly; undefined for any other form. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > longest || !/^(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined;
  const point = text.indexOf('.');
  if (point < 0) return { units: BigInt(text), scale: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

/** Adds two decimals exactly. */
export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: scaleUnits(a, scale) + scaleUnits(b, scale), scale };
}

/** Compares two decimals: negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = scaleUnits(a, scale) - scaleUnits(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns the absolute difference of two decimals. */
export function distance(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const difference = scaleUnits(a, scale) - scaleUnits(b, scale);
  return { units: difference < 0n ? -difference : difference, scale };
}

/** Formats a decimal without an exponent. */
export function formatDecimal({ units, scale }: Decimal): string {
  if (scale === 0) return units.toString();
  const digits = units.toString().padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns the nearest double, for shares and ratios only. */
export function toNumber(amount: Decimal): number {
  return Number(formatDecimal(amount));
}

function scaleUnits(amount: Decimal, scale: number): bigint {
  if (scale === amount.scale) return amount.units;
  return amount.units * 10n ** BigInt(scale - amount.scale);
}

/** The character code of the digit 0. */
const nought = 48;

/** The most digits that a double always holds exactly. */
const maxSmallDigits = 15;

/**
 * Sums decimal texts exactly. Whole numbers that a double holds are added as such, in units of the finest decimal so
 * far; longer ones, and sums that would exceed a double, are added as big integers.
 */
export class DecimalSum {
  #units = 0;
  #scale = 0;
  #rest: Decimal = zero;

  /** Adds a text; returns false and adds nothing unless it is a plain decimal (§2.2). */
  add(text: string): boolean {
    const { length } = text;
    let units = 0;
    let decimals = -1;
    for (let at = 0; at < length && length <= maxSmallDigits; at++) {
      const digit = text.charCodeAt(at) - nought;
      if (digit >= 0 && digit <= 9) {
        units = units * 10 + digit;
        if (decimals >= 0) decimals++;
      } else if (text[at] === '.' && decimals < 0 && at > 0) decimals = 0;
      else return false;
    }
    if (length === 0 || decimals === 0 || length > maxSmallDigits || hasLeadingZero(text))
      return this.#addLong(text);
    this.#addUnits(units, decimals < 0 ? 0 : decimals);
    return true;
  }

  /** Returns whether the sum equals the value of a text, whatever its number of decimals. */
  equals(text: string): boolean {
    const other = new DecimalSum();
    if (!other.add(text)) return false;
    const isShort = this.#rest === zero && other.#rest === zero;
    if (isShort && this.#scale === other.#scale) return this.#units === other.#units;
    return compare(this.total(), other.total()) === 0;
  }

  /** Returns the exact sum. */
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
    const scaled = this.#units * 10 ** (finest - this.#scale);
    const more = units * 10 ** (finest - scale);
    if (scaled + more <= Number.MAX_SAFE_INTEGER) {
      this.#units = scaled + more;
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
