/** A whole amount as text, times a factor; exact where the factor is whole. Another fault's text stays as it is. */
export function timesWhole(text: string, factor: number): string {
  if (!/^\d+$/.test(text)) return text;
  if (Number.isInteger(factor)) return String(BigInt(text) * BigInt(factor));
  return String(BigInt(Math.round(Number(text) * factor)));
}

/** An amount in USD as text of at most two decimals, times a factor. */
export function timesUsd(text: string, factor: number): string {
  return usd(Number(text) * factor);
}

/** Dollars as text of at most two decimals. */
export function usd(dollars: number): string {
  return String(Math.round(dollars * 100) / 100);
}
