import type { Candle } from '../contract/candle.ts';
import type { HistoryAnswer } from '../contract/reading.ts';
import { isInverted } from '../contract/series.ts';
import type { EventRecord, PinRecord, ResultsStore } from '../results/results-store.ts';

/** What a look at closed candles found beside the looks before. */
export type Restated = {
  readonly pins: readonly PinRecord[];
  readonly events: readonly EventRecord[];
  /** The target's whole past is another one: its pins are dropped before these are kept. */
  readonly isReset: boolean;
};

/** Fewest candles that have to be new all at once before that is a new network rather than so many corrections. */
const fewestForReset = 3;

/** Compares the closed candles of a slot's answers with those that were pinned; `now` in Unix ms. */
export async function compareWithPins(
  histories: readonly HistoryAnswer[],
  target: string,
  store: Pick<ResultsStore, 'pins'>,
  now: number,
): Promise<Restated> {
  const looks = await Promise.all(
    histories.filter((answer) => !isInverted(answer)).map((answer) => lookAt(answer, target, store, now)),
  );
  const changes = looks.flatMap((each) => each.changes);
  const compared = looks.reduce((sum, each) => sum + each.compared, 0);
  const isReset = compared >= fewestForReset && changes.length === compared;
  const pins = looks.flatMap((each) => each.pins);
  const events = isReset
    ? [{ at: now, kind: 'network-reset', target, detail: { candles: compared } }]
    : changes;
  return { pins, events, isReset };
}

type Look = {
  readonly pins: readonly PinRecord[];
  readonly changes: readonly EventRecord[];
  /** Pinned candles of the range that was asked for, those that are gone included. */
  readonly compared: number;
};

async function lookAt(
  answer: HistoryAnswer,
  target: string,
  store: Pick<ResultsStore, 'pins'>,
  now: number,
): Promise<Look> {
  const { poolId: pool, interval, from, to, length } = answer.asked;
  const closed = answer.inTime.filter((each) => isOver(each, answer));
  const before = await store.pins(target, pool, interval, { from: from + length, to: to - length });
  const found = new Map(closed.map((each) => [each.start, fieldsOf(each)]));
  const changes = before.flatMap((pin) => {
    const changed = differences(pin.fields, found.get(pin.start));
    if (Object.keys(changed).length === 0) return [];
    const end = (pin.start + length) * 1000;
    const age = { ageFromMs: pin.lastSeen - end, ageToMs: now - end };
    return [
      { at: now, kind: 'restatement', target, detail: { pool, interval, start: pin.start, ...age, changed } },
    ];
  });
  const known = new Map(before.map((pin) => [pin.start, pin]));
  // A candle that is gone is pinned without fields, so that its loss is told once.
  const starts = new Set([...known.keys(), ...found.keys()]);
  const pins = [...starts].map((start) => {
    const firstSeen = known.get(start)?.firstSeen ?? now;
    return { target, pool, interval, start, firstSeen, lastSeen: now, fields: found.get(start) ?? {} };
  });
  return { pins, changes, compared: before.length };
}

/** Its interval ended by the service's own clock: what still changes then shows how long candles are open to correction. */
function isOver({ start }: Candle, { asked, serverNow }: HistoryAnswer): boolean {
  return serverNow !== undefined && start + asked.length <= serverNow;
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
