import { thousands } from './thousands.ts';

const longest = 80;

/** A value of the target's in one short line of text, however large, deep or odd it is. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (Array.isArray(value)) return `a list of ${thousands(value.length)}`;
  if (typeof value === 'object' && value !== null) {
    return `an object with ${shorten(Object.keys(value).slice(0, 8).join(', ')) || 'no members'}`;
  }
  return String(value);
}

export function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** A value as a finding quotes it: text without quotation marks, everything else as `describe` has it. */
export function tell(value: unknown): string {
  return typeof value === 'string' ? shorten(value) : describe(value);
}
