import type { EventRecord, Json } from '../../results/results-store.ts';

/** Differences between a key's counters and our count, as planning's ledger names them. */
export const ledgerKinds = [
  'foreign-use',
  'double-charge',
  'stuck',
  'backward',
  'limit-changed',
  'overage',
  'roll-over',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** Tells whether an event comes from the ledger of a key. */
export function isLedgerKind(kind: string): kind is LedgerKind {
  return (ledgerKinds as readonly string[]).includes(kind);
}

/** A number of an event's detail; undefined for what is none. */
export function readNumber({ detail }: EventRecord, name: string): number | undefined {
  const value = detail[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A text of an event's detail; undefined for what is none. */
export function readText({ detail }: EventRecord, name: string): string | undefined {
  const value = detail[name];
  return typeof value === 'string' ? value : undefined;
}

/** Events by time, the newest first; those of one instant in an order that no store decides. */
export function newestFirst(events: readonly EventRecord[]): EventRecord[] {
  return events
    .map((event) => ({ event, text: JSON.stringify(sorted(event as unknown as Json)) }))
    .sort((a, b) => b.event.at - a.event.at || (a.text < b.text ? -1 : 1))
    .map(({ event }) => event);
}

/** The same value with its names in order, however deep. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, value]) => [name, sorted(value as Json)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
