import type { Candle } from '@candleproof/law/reading/candle';
import type { HistoryAnswer } from '@candleproof/law/reading/reading';
import type { EventRecord, PinRecord, ResultsStore } from '../results/results-store.ts';

/** A closed candle that is not as it was pinned. */
export type Restated = {
  readonly isGone: boolean;
  /** Names of the fields that differ. */
  readonly fields: readonly string[];
  /** Since its end, in ms. */
  readonly ageMs: number;
  readonly event: EventRecord;
};

/** The comparison of a slot's histories with the pinned candles. */
export type Comparison = {
  readonly changes: readonly Restated[];
  /** The events of the changes, one each. */
  readonly events: readonly EventRecord[];
  /** As the answers have them, except those that are known to have been the same a moment ago. */
  readonly pins: readonly PinRecord[];
  /** Pinned candles of the ranges that were requested, those that are gone included. */
  readonly compared: number;
  /** True if candles were found, but none of the pinned ones; `isEmpty` if none was found at all. */
  readonly isNew: boolean;
  readonly isEmpty: boolean;
};

/**
 * The time at which a pin was last seen is kept to a hundredth of its candle's age, and an hour: a slot then writes its
 * newest pins alone.
 */
const ofAge = 0.01;
const mostMs = 3_600_000;

type Store = Pick<ResultsStore, 'pins'>;

/** Returns whether a candle is itself the cause of a broken rule. */
export type IsBroken = (answer: HistoryAnswer, start: number) => boolean;

/**
 * `now` in Unix ms. A range that was requested twice is compared twice: one wrong answer is enough. Of answers that break
 * a rule (`isBroken` is given) only what changed is pinned, so that it is reported once, and nothing that is broken.
 */
export async function compare(
  histories: readonly HistoryAnswer[],
  target: string,
  store: Store,
  now: number,
  isBroken?: IsBroken,
): Promise<Comparison> {
  const looks = await Promise.all(
    histories.map((history) => compareHistory(history, target, store, now, isBroken)),
  );
  const distinctValues = <T>(all: readonly (readonly [string, T])[]): T[] => [...new Map(all).values()];
  const changes = distinctValues(looks.flatMap((look) => look.changes).toReversed()).toReversed();
  const compared = new Set(looks.flatMap((look) => look.compared));
  const found = new Set(looks.flatMap((look) => look.found));
  return {
    changes,
    events: changes.map(({ event }) => event),
    pins: distinctValues(looks.flatMap((look) => look.pins)),
    compared: compared.size,
    isNew: found.size > 0 && ![...compared].some((key) => found.has(key)),
    isEmpty: found.size === 0,
  };
}

/** Every candle by its pool and start. */
type HistoryComparison = {
  readonly changes: readonly (readonly [string, Restated])[];
  readonly pins: readonly (readonly [string, PinRecord])[];
  readonly compared: readonly string[];
  readonly found: readonly string[];
};

async function compareHistory(
  answer: HistoryAnswer,
  target: string,
  store: Store,
  now: number,
  isBroken?: IsBroken,
): Promise<HistoryComparison> {
  const { pool, interval, from, to, length } = answer.requested;
  const pinned = await store.pins(target, pool, interval, { from: from + length, to: to - length });
  const before = pinned.filter(({ start }) => !isBroken?.(answer, start));
  const found = new Map(closedCandles(answer).map(({ start, record }) => [start, record]));
  const known = new Map(before.map((pin) => [pin.start, pin]));
  const candleName = (start: number): string => `${pool} ${start}`;
  const changed = before.filter((pin) => !isAsPinned(pin, found.get(pin.start)));
  const old = before.filter(
    ({ start, lastSeen }) => now - lastSeen >= lastSeenPrecision(now - (start + length) * 1000),
  );
  const unknown = [...found.keys()].filter((start) => !known.has(start));
  const kept = isBroken ? changed : [...changed, ...old];
  const written = new Set([...kept.map(({ start }) => start), ...(isBroken ? [] : unknown)]);
  // A candle that is gone is pinned without fields, so that its loss is reported once.
  const pins = [...written].map((start) => {
    const firstSeen = known.get(start)?.firstSeen ?? now;
    const fields = formatFields(found.get(start));
    return [candleName(start), { target, pool, interval, start, firstSeen, lastSeen: now, fields }] as const;
  });
  return {
    changes: changed.map((pin) => [
      candleName(pin.start),
      describeChange(pin, found.get(pin.start), length, now),
    ]),
    pins,
    compared: before.filter(hasCandle).map(({ start }) => candleName(start)),
    found: [...found.keys()].map(candleName),
  };
}

/** Returns the exactness of the time at which a pin was last seen, in ms, by its candle's age. */
function lastSeenPrecision(ageMs: number): number {
  return Math.min(mostMs, ofAge * ageMs);
}

function isAsPinned({ fields }: PinRecord, record: Candle['record'] = {}): boolean {
  const names = Object.keys(record);
  return (
    names.length === Object.keys(fields).length &&
    names.every((name) => fields[name] === formatValue(record[name]))
  );
}

function describeChange(
  pin: PinRecord,
  after: Candle['record'] | undefined,
  length: number,
  now: number,
): Restated {
  const changed = differences(pin.fields, formatFields(after));
  const { target, pool, interval, start, lastSeen } = pin;
  const end = (start + length) * 1000;
  const age = { ageFromMs: lastSeen - end, ageToMs: now - end };
  const detail = { pool, interval, start, ...age, changed };
  const event = { at: now, kind: 'restatement', target, detail };
  return { isGone: after === undefined, fields: Object.keys(changed), ageMs: now - end, event };
}

function hasCandle({ fields }: PinRecord): boolean {
  return Object.keys(fields).length > 0;
}

/** Its interval ended by the service's clock: what still changes then shows how long candles are open to correction. */
function closedCandles({ requested, serverNow, inTime }: HistoryAnswer): Candle[] {
  return inTime.filter(({ start }) => serverNow !== undefined && start + requested.length <= serverNow);
}

function formatFields(record: Candle['record'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, formatValue(value)]));
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  // The same text as JSON's in a third of the time: each run compares hundreds of numbers.
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** Before and after, by field; a candle that is gone has lost every one. */
function differences(
  before: PinRecord['fields'],
  after: PinRecord['fields'],
): Record<string, [string | null, string | null]> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, [before[name] ?? null, after[name] ?? null]]),
  );
}
