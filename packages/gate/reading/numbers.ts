/** Number of digits that a double always represents exactly. */
const exactDigits = 15;

/** Powers of ten that a double represents exactly. Dividing by one rounds once, as parsing the text would. */
const powers = Array.from({ length: 23 }, (_, power) => 10 ** power);

const point = 46;
const minus = 45;
const nought = 48;

/** Reads numbers from bytes at position `at`. */
export class Cursor {
  at = 0;

  /**
   * Reads plain decimal digits up to a separator or the end of the line. Returns NaN for anything else and stays in
   * place, so that the text can be parsed instead.
   */
  number(bytes: Uint8Array, separator: number): number {
    let at = this.at;
    const isNegative = bytes[at] === minus;
    if (isNegative) at++;
    const begin = at;
    let value = 0;
    let pointAt = -1;
    for (; ; at++) {
      const code = bytes[at] as number;
      const digit = code - nought;
      if (digit >= 0 && digit <= 9) value = value * 10 + digit;
      else if (code === point && pointAt < 0) pointAt = at;
      else if (code === separator || isLineEnd(code)) break;
      else return Number.NaN;
    }
    const decimals = pointAt < 0 ? 0 : at - pointAt - 1;
    const digits = at - begin - (pointAt < 0 ? 0 : 1);
    if (digits === 0 || digits > exactDigits) return Number.NaN;
    this.at = at;
    const size = decimals === 0 ? value : value / (powers[decimals] as number);
    return isNegative ? -size : size;
  }
}

/** Returns whether a byte is a line feed or a carriage return. */
export function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
