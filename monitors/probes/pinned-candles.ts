import type { Candle } from '../../contract/reading/candle.ts';
import type { HistoryAnswer } from '../../contract/reading/reading.ts';
import type { EventRecord, PinRecord, ResultsStore } from '../../results/results-store.ts';

/** A closed candle that is not as it was pinned. */
export type Restated = {
  readonly isGone: boolean;
  /** Names of the fields that differ. */
  readonly fields: readonly string[];
  /** Since its end, in ms. */
  readonly ageMs: number;
  readonly event: EventRecord;
};

/** What a slot's histories show of the candles that were pinned. */
export type Comparison = {
  readonly changes: readonly Restated[];
  /** Of the changes, one each. */
  readonly events: readonly EventRecord[];
  /** As the answers have it. */
  readonly pins: readonly PinRecord[];
  /** Pinned candles of the ranges that were requested, those that are gone included. */
  readonly compared: number;
  /** There are candles, and none of the pinned ones is among them. */
  readonly isNew: boolean;
};

type Store = Pick<ResultsStore, 'pins'>;

/** `now` in Unix ms. A range that was requested twice is compared twice: one wrong answer is enough. */
export async function compare(
  histories: readonly HistoryAnswer[],
  target: string,
  store: Store,
  now: number,
): Promise<Comparison> {
  const looks = await Promise.all(histories.map((each) => lookAt(each, target, store, now)));
  const once = <T>(all: readonly (readonly [string, T])[]): T[] => [...new Map(all).values()];
  const changes = once(looks.flatMap((each) => each.changes).toReversed()).toReversed();
  const compared = new Set(looks.flatMap((each) => each.compared));
  const found = new Set(looks.flatMap((each) => each.found));
  return {
    changes,
    events: changes.map(({ event }) => event),
    pins: once(looks.flatMap((each) => each.pins)),
    compared: compared.size,
    isNew: found.size > 0 && ![...compared].some((each) => found.has(each)),
  };
}

/** Every candle by its pool and start. */
type Look = {
  readonly changes: readonly (readonly [string, Restated])[];
  readonly pins: readonly (readonly [string, PinRecord])[];
  readonly compared: readonly string[];
  readonly found: readonly string[];
};

async function lookAt(answer: HistoryAnswer, target: string, store: Store, now: number): Promise<Look> {
  const { pool, interval, from, to, length } = answer.requested;
  const before = await store.pins(target, pool, interval, { from: from + length, to: to - length });
  const found = new Map(closedIn(answer).map((each) => [each.start, fieldsOf(each)]));
  const known = new Map(before.map((pin) => [pin.start, pin]));
  const nameOf = (start: number): string => `${pool} ${start}`;
  // A candle that is gone is pinned without fields, so that its loss is reported once.
  const pins = [...new Set([...known.keys(), ...found.keys()])].map((start) => {
    const firstSeen = known.get(start)?.firstSeen ?? now;
    const fields = found.get(start) ?? {};
    return [nameOf(start), { target, pool, interval, start, firstSeen, lastSeen: now, fields }] as const;
  });
  return {
    changes: before.flatMap((pin) => {
      const change = changeOf(pin, found.get(pin.start), length, now);
      return change ? [[nameOf(pin.start), change] as const] : [];
    }),
    pins,
    compared: before.filter(isThere).map(({ start }) => nameOf(start)),
    found: [...found.keys()].map(nameOf),
  };
}

function changeOf(
  pin: PinRecord,
  after: PinRecord['fields'] | undefined,
  length: number,
  now: number,
): Restated | undefined {
  const changed = differences(pin.fields, after);
  const fields = Object.keys(changed);
  if (fields.length === 0) return undefined;
  const { target, pool, interval, start, lastSeen } = pin;
  const end = (start + length) * 1000;
  const age = { ageFromMs: lastSeen - end, ageToMs: now - end };
  const detail = { pool, interval, start, ...age, changed };
  const event = { at: now, kind: 'restatement', target, detail };
  return { isGone: after === undefined, fields, ageMs: now - end, event };
}

function isThere({ fields }: PinRecord): boolean {
  return Object.keys(fields).length > 0;
}

/** Its interval ended by the service's own clock: what still changes then shows how long candles are open to correction. */
function closedIn({ requested, serverNow, inTime }: HistoryAnswer): Candle[] {
  return inTime.filter(({ start }) => serverNow !== undefined && start + requested.length <= serverNow);
}

function fieldsOf({ record }: Candle): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** Before and after, by field; a candle that is gone has lost every one. */
function differences(
  before: PinRecord['fields'],
  after: PinRecord['fields'] = {},
): Record<string, [string | null, string | null]> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, [before[name] ?? null, after[name] ?? null]]),
  );
}
