/** Returns whether text is a decimal number, optionally with sign, point and exponent; not a form such as 0xFF. */
export function isDecimal(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
}

/** The zeros that letters behind a number stand for. */
const suffixes: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, t: 12 };

/** A number beside the sign or the code of a currency, or before a letter for its thousands. */
const dressed =
  /^([+-]?)([$€£¥₿₹]\s?|[A-Z]{3}\s)?([+-]?[\d.,]*\d[\d.,]*)\s?((?<![.,])[kmbt])?(\s?[$€£¥₿₹]|\s[A-Z]{3})?$/i;

/** An apostrophe or a space, of any width, between thousands. */
const betweenThousands = /(?<=\d)['’\s](?=\d{3}(?!\d))/g;

/** Returns the sign or code of the currency beside a number; empty if it has none. */
export function findCurrency(text: string): string {
  const [, , before = '', , , after = ''] = dressed.exec(text.replace(betweenThousands, '')) ?? [];
  return (before || after).trim();
}

/**
 * Parses a number with optional exponent, sign, thousands separators, decimal comma, currency sign or suffix as in
 * 52.31M; NaN for anything else. A comma before three digits separates thousands unless `hasDecimalComma`.
 */
export function parseNumber(text: string, hasDecimalComma = false): number {
  const bare = text.trim();
  const plain = parsePlain(bare, hasDecimalComma);
  if (!Number.isNaN(plain) || !/\d/.test(bare)) return plain;
  const joined = bare.replace(betweenThousands, '');
  if (joined !== bare) return parseNumber(joined, hasDecimalComma);
  const [, sign = '', , digits, suffix = ''] = dressed.exec(bare) ?? [];
  if (digits === undefined) return Number.NaN;
  const value = parsePlain(sign + digits, hasDecimalComma);
  // Moves the point in the text, as a product would be rounded twice.
  return suffix === '' ? value : Number(`${value}e${suffixes[suffix.toLowerCase()]}`);
}

function parsePlain(bare: string, hasDecimalComma: boolean): number {
  if (isDecimal(bare)) return Number(bare);
  if (!hasDecimalComma && /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare))
    return Number(bare.replaceAll(',', ''));
  if (hasDecimalComma && /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(bare))
    return Number(bare.replaceAll('.', '').replace(',', '.'));
  if (/^[+-]?\d+,\d+$/.test(bare)) return Number(bare.replace(',', '.'));
  return Number.NaN;
}
