import { makeVisible } from '../../reports/words/escape.ts';

export type LogFacts = Readonly<Record<string, unknown>>;

/** One line of a log for people: the time in UTC, what happened, where, and what else is known of it. `at` in Unix ms. */
export function logLine(at: number, level: string, message: string, facts: LogFacts): string {
  const { target, probe, slot: _planned, ...rest } = facts;
  const where = [target, probe].filter((part) => part !== undefined).join('/');
  const known = Object.entries(rest).map(([name, value]) => `${name} ${formatValue(value)}`);
  const parts = [level === 'warn' ? `! ${message}` : `  ${message}`, where, known.join(', ')];
  const time = new Date(at).toISOString().slice(11, 19);
  return `${time}Z ${makeVisible(parts.filter((part) => part !== '').join('  '))}\n`;
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(' ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(formatValue).join(' ');
  return String(value);
}
