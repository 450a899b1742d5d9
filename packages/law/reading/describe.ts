import { thousands } from './thousands.ts';

const longest = 80;

/** Describes any value of the target in one short line, however large, deep or odd it is. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (Array.isArray(value)) return `a list of ${thousands(value.length)}`;
  if (typeof value === 'object' && value !== null) {
    return `an object with ${shorten(Object.keys(value).slice(0, 8).join(', ')) || 'no members'}`;
  }
  return String(value);
}

/** Cuts a text to 80 characters. */
export function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Begins a sentence with a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `open`; `open and close`; `open, low and close`. */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Quotes a value for a finding: text without quotation marks, everything else as `describe` puts it. */
export function quoteValue(value: unknown): string {
  return typeof value === 'string' ? shorten(value) : describe(value);
}
