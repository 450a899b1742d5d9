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
 * 52.31M; NaN for anything else. A comma before three digits separates thousands unless `hasDecimalComma`; then a point does.
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
  if (!hasDecimalComma && isDecimal(bare)) return Number(bare);
  const plain = writePlainly(bare, hasDecimalComma);
  return isDecimal(plain) ? Number(plain) : Number.NaN;
}

/** Thousands between points, before a decimal comma. */
const betweenPoints = /^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/;

/** Thousands between commas, or an Indian lakh of a hundred thousand and its hundreds, before a decimal point. */
const betweenCommas = /^[+-]?(\d{1,3}(,\d{3})+|\d{1,2}(,\d\d)+,\d{3})(\.\d+)?$/;

/** Writes a number without separators of thousands and with a decimal point; other text stays as it is. */
export function writePlainly(text: string, hasDecimalComma: boolean): string {
  if (betweenPoints.test(text) && (hasDecimalComma || !isDecimal(text)))
    return text.replaceAll('.', '').replace(',', '.');
  if (!hasDecimalComma && betweenCommas.test(text)) return text.replaceAll(',', '');
  return /^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text;
}

/**
 * Returns whether commas are decimal points in these numbers, most of which show it: commas that cannot separate
 * thousands, or any comma and no decimal point if commas cannot separate cells, as `areApart` says.
 */
export function useDecimalComma(texts: readonly string[], areApart: boolean): boolean {
  const numbers = texts.map((text) => text.replace(/[^\d.,]/g, ''));
  const commas = numbers.filter((text) => text.includes(','));
  const decimal = commas.filter((text) => !betweenCommas.test(text));
  const points = numbers.filter((text) => text.includes('.') && !betweenPoints.test(text));
  if (points.length > 0) return decimal.length > points.length;
  return decimal.length > 0 || (areApart && commas.length > 0);
}

/** Returns whether a number has a decimal point: one that does not separate thousands. */
export function hasDecimalPoint(text: string): boolean {
  return /\.(?!\d{3}(\D|$))/.test(text);
}

/** Share of values that must be readable for a column to be what it is taken for. */
export const leastReadable = 0.9;
