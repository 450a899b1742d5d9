/** An exact decimal: `units` × 10^−`scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

export const zero: Decimal = { units: 0n, scale: 0 };

/** Longest text that is read: more digits than any amount has, few enough to stay cheap. */
const longest = 400;

/** Reads plain decimal text (§2.2: decimal text) exactly; undefined for any other form. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > longest || !/^(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined;
  const point = text.indexOf('.');
  if (point < 0) return { units: BigInt(text), scale: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce(add, zero);
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = unitsAt(a, scale) - unitsAt(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function distance(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const difference = unitsAt(a, scale) - unitsAt(b, scale);
  return { units: difference < 0n ? -difference : difference, scale };
}

export function formatDecimal({ units, scale }: Decimal): string {
  if (scale === 0) return units.toString();
  const digits = units.toString().padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The nearest double, for shares and ratios only. */
export function toNumber(amount: Decimal): number {
  return Number(formatDecimal(amount));
}

function unitsAt(amount: Decimal, scale: number): bigint {
  if (scale === amount.scale) return amount.units;
  return amount.units * 10n ** BigInt(scale - amount.scale);
}
