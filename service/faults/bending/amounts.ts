/** Multiplies a whole amount in text, exactly for whole factors. Leaves text of another fault as it is. */
export function multiplyWhole(text: string, factor: number): string {
  if (!/^\d+$/.test(text)) return text;
  if (Number.isInteger(factor)) return String(BigInt(text) * BigInt(factor));
  return String(BigInt(Math.round(Number(text) * factor)));
}

/** Multiplies an amount in USD, to at most two decimals. */
export function multiplyUsd(text: string, factor: number): string {
  return formatUsdAmount(Number(text) * factor);
}

/** Formats dollars with at most two decimals. */
export function formatUsdAmount(dollars: number): string {
  return String(Math.round(dollars * 100) / 100);
}
