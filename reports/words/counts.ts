import { thousands } from '@candleproof/law/reading/thousands';

/** Formats a count with its noun: `1 request`, `2,016 candles`. */
export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Adds numbers up. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** `fra1, los1 and 3 more`: the first names of a list, and the number of the others. */
export function listSome(names: readonly (string | number)[], most: number): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${thousands(rest)} more` : names.join(', ');
}

/** Formats how often a finding was seen: `once`, `12 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${thousands(count)} times`;
}
