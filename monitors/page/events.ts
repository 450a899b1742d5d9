import type { EventRecord, Json } from '../results/results-store.ts';

/** Returns the restated candles, newest first, and the longest time to a correction. */
export function listRestatements(all: readonly EventRecord[]) {
  const events = newestFirst(all.filter(({ kind }) => kind === 'restatement'));
  const targets = [...new Set(events.map(({ target = '' }) => target))].toSorted();
  return {
    events,
    grace: targets.flatMap((target) => {
      const ofTarget = events.filter((event) => event.target === target);
      return [...Map.groupBy(ofTarget, (event) => readText(event, 'interval') ?? '')]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([interval, restated]) => measureGrace(target, interval, restated));
    }),
    /** Instants at which none of the pinned candles was left: a new network. */
    resets: newestFirst(all.filter(({ kind }) => kind === 'network-reset')),
  };
}

/** Closed candles of one target and interval that were later served with other values. */
export type Grace = ReturnType<typeof measureGrace>;

/**
 * Returns the age (ms after its end) at which a candle was last corrected, between the probe that saw the old values
 * and the one that saw the new ones, and how often each field changed.
 */
function measureGrace(target: string, interval: string, events: readonly EventRecord[]) {
  const latest = events.reduce((a, b) => (ageTo(b) > ageTo(a) ? b : a));
  const fields: Record<string, number> = {};
  for (const name of events.flatMap(changedFields)) fields[name] = (fields[name] ?? 0) + 1;
  const from = Math.max(0, readNumber(latest, 'ageFromMs') ?? 0);
  return { target, interval, candles: events.length, from, to: ageTo(latest), fields };
}

function ageTo(event: EventRecord): number {
  return readNumber(event, 'ageToMs') ?? 0;
}

/** Returns the names of the fields that an event reports as changed, in order. */
export function changedFields({ detail }: EventRecord): string[] {
  const { changed } = detail;
  return typeof changed === 'object' && changed !== null ? Object.keys(changed).toSorted() : [];
}

/** Differences between a key's counters and our count, as named by planning's ledger, in words. */
export const ledgerWords = {
  'foreign-use': 'Foreign use',
  'double-charge': 'Double charge',
  stuck: 'Stuck counter',
  backward: 'Backward counter',
  'later-reset': 'Reset moved on',
  'limit-changed': 'Limit changed',
  overage: 'Beyond the limit',
  'roll-over': 'New month',
} as const;
export type LedgerKind = keyof typeof ledgerWords;

/** Returns whether an event comes from the ledger of a key. */
export function isLedgerKind(kind: string): kind is LedgerKind {
  return Object.hasOwn(ledgerWords, kind);
}

/** Reads a number in an event's detail; undefined for any other value. */
export function readNumber({ detail }: EventRecord, name: string): number | undefined {
  const value = detail[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Reads a text in an event's detail; undefined for any other value. */
export function readText({ detail }: EventRecord, name: string): string | undefined {
  const value = detail[name];
  return typeof value === 'string' ? value : undefined;
}

/** Sorts events, newest first: simultaneous messages of one alert by their numbers, others independently of the store. */
export function newestFirst(events: readonly EventRecord[]): EventRecord[] {
  return events
    .map((event) => ({ event, text: JSON.stringify(sortKeys(event as unknown as Json)) }))
    .sort(
      (a, b) =>
        b.event.at - a.event.at ||
        (readNumber(b.event, 'number') ?? 0) - (readNumber(a.event, 'number') ?? 0) ||
        (a.text < b.text ? -1 : 1),
    )
    .map(({ event }) => event);
}

/** Returns the value with all its keys sorted, at every depth. */
function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, value]) => [name, sortKeys(value as Json)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
