import { guessUnit, type TableUnit } from '@candleproof/document/layout/written-times';
import type { TimeUnit } from '@candleproof/document/spec/roles';
import { readTime } from '@candleproof/document/spec/times';

const counts: Readonly<Partial<Record<TableUnit, TimeUnit>>> = { s: 's', ms: 'ms', us: 'us', ns: 'ns' };

/** Returns the unit by which a document says times that the reader takes for `unit`; undefined for one that it cannot say. */
export function documentUnit(texts: readonly string[], unit = guessUnit(texts)): TimeUnit | undefined {
  if (unit === undefined || unit === 'serial') return undefined;
  const [text = ''] = texts;
  const found = counts[unit] ?? (unit === 'dmy' || unit === 'mdy' ? unit : 'text');
  const isIso = found === 'text' && !Number.isNaN(readTime(text, 'iso'));
  const chosen = isIso ? 'iso' : found;
  return Number.isNaN(readTime(text, chosen)) ? undefined : chosen;
}

/** An offset from UTC at the end of a time of day. */
const offsetForm = /\d[T ]?\d?\d:?\d\d(?::?\d\d(?:\.\d+)?)? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i;

/** Returns the offset that a time names, in the form of a zone; undefined if it names none. */
export function readShownOffset(text: string): string | undefined {
  // A count in text has none to name.
  if (text.startsWith('/Date(')) return 'UTC';
  const [, offset] = offsetForm.exec(text) ?? [];
  if (offset === undefined) return undefined;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  return sign === undefined || Number(hours) + Number(minutes) === 0 ? 'UTC' : `${sign}${hours}:${minutes}`;
}
