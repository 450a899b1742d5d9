import { expect, test } from '@playwright/test';
import type { LedgerEntry } from './ledger-entry.ts';
import { mostUsed } from './ledger-state.ts';
import {
  type LedgerStory,
  playEntries,
  quotaAfter,
  reset,
  soleEntries,
  start,
} from './testing/quota-story.ts';

function eventsOf(...used: number[]): LedgerStory['events'] {
  return playEntries(soleEntries(used.map((count) => quotaAfter(count)))).events;
}

test('the first answer and steps of one are no news', () => {
  expect(eventsOf(400, 401, 402, 403)).toEqual([]);
});

test('use by others is reported once, to the request', () => {
  expect(eventsOf(1, 9, 10, 13)).toEqual([
    { kind: 'foreign-use', n: 7 },
    { kind: 'foreign-use', n: 2 },
  ]);
});

test('use by others during requests in flight is one event, to the request', () => {
  const sent = (id: string): LedgerEntry => ({ kind: 'sent', id, at: start + 1000 });
  const answered = (id: string, used: number, at = start + 2000): LedgerEntry => ({
    ...{ kind: 'answered', id, at },
    quota: quotaAfter(used),
  });
  const known = playEntries(soleEntries([quotaAfter(400)])).ledger;
  // The service counted ten foreign requests, then ours, one after the other.
  const { events, ledger } = playEntries([sent('a'), sent('b'), answered('a', 411)], known);
  expect(events).toEqual([]);
  expect(playEntries([answered('b', 412)], ledger).events).toEqual([{ kind: 'foreign-use', n: 10 }]);
  const doubtful: LedgerEntry = { kind: 'doubtful', id: 'b', at: start + 2000 };
  expect(playEntries([doubtful], ledger).events).toEqual([{ kind: 'foreign-use', n: 9 }]);
  // A hanging request delays reports by at most a minute.
  const late = playEntries([sent('c'), answered('c', 412, start + 62_000)], ledger);
  expect(late.events).toEqual([{ kind: 'foreign-use', n: 9 }]);
});

test('counters that stand still are stuck, and catching up is no foreign use', () => {
  expect(eventsOf(5, 5, 5, 8, 9)).toEqual([
    { kind: 'stuck', of: 'usage', n: 1 },
    { kind: 'stuck', of: 'usage', n: 1 },
  ]);
});

test('counters that fall are backward, and not again until they fall again', () => {
  expect(eventsOf(50, 40, 41, 42)).toEqual([{ kind: 'backward', of: 'usage', n: 10 }]);
});

test('the same excess in short gaps and long ones is a double charge', () => {
  const gaps = [0, 2000, 2000, 900_000, 2000, 2000, 900_000];
  const { events, ledger } = playEntries(
    soleEntries(
      [0, 2, 4, 6, 8, 10, 12].map((count) => quotaAfter(count + 7)),
      gaps,
    ),
  );
  const reported = events.filter(({ kind }) => kind === 'foreign-use').length;
  expect(events.at(-1)).toEqual({ kind: 'double-charge', extra: 1, takesBack: reported });
  expect(ledger.charge).toBe(2);
  expect(playEntries(soleEntries([quotaAfter(21), quotaAfter(23)], [], start + 9e6), ledger).events).toEqual(
    [],
  );
});

test('a foreign user who keeps our pace stays a foreign user', () => {
  const { events } = playEntries(soleEntries([0, 2, 4, 6, 8, 10, 12, 14].map((count) => quotaAfter(count))));
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['foreign-use']));
  expect(events).toHaveLength(7);
});

test('a service that charges once again is believed at once', () => {
  const gaps = [0, 2000, 2000, 900_000, 2000, 2000];
  const { ledger } = playEntries(
    soleEntries(
      [0, 2, 4, 6, 8, 10].map((count) => quotaAfter(count)),
      gaps,
    ),
  );
  const healed = playEntries(
    soleEntries([quotaAfter(11), quotaAfter(12), quotaAfter(14)], [], start + 9e6),
    ledger,
  );
  expect(healed.events).toEqual([{ kind: 'foreign-use', n: 1 }]);
});

test('a changed limit is no foreign use, whether the rest moves with it or not', () => {
  for (const remaining of [9900, 19_899]) {
    const changed = { limit: 20_000, remaining, additional: 0, reset };
    const later = { ...changed, remaining: remaining - 1 };
    expect(playEntries(soleEntries([quotaAfter(100), changed, later])).events).toEqual([
      { kind: 'limit-changed', from: 10_000, to: 20_000 },
    ]);
  }
});

test('requests beyond the limit are overage, each reported once', () => {
  const { events } = playEntries(
    soleEntries([99, 100, 101, 102, 105].map((count) => quotaAfter(count, 100))),
  );
  expect(events).toEqual([
    { kind: 'overage', n: 1 },
    { kind: 'overage', n: 1 },
    { kind: 'foreign-use', n: 2 },
    { kind: 'overage', n: 3 },
  ]);
});

test('requests that may not count explain what they can and no more', () => {
  const [first] = [soleEntries([quotaAfter(1)])];
  const failed: LedgerEntry[] = ['a', 'b'].flatMap((id): LedgerEntry[] => [
    { kind: 'sent', id, at: start },
    { kind: 'doubtful', id, at: start },
  ]);
  const then = (used: number): LedgerEntry[] => [
    ...(first ?? []),
    ...failed,
    ...soleEntries([quotaAfter(used)], [], start + 9e6),
  ];
  for (const used of [2, 3, 4]) expect(playEntries(then(used)).events).toEqual([]);
  expect(playEntries(then(5)).events).toEqual([{ kind: 'foreign-use', n: 1 }]);
  expect(playEntries(then(1)).events).toEqual([{ kind: 'stuck', of: 'usage', n: 1 }]);
});

test('a slow request beside them does not hide that the counters stand still', () => {
  const slow: LedgerEntry = { kind: 'sent', id: 'slow', at: start };
  expect(
    playEntries([
      ...soleEntries([quotaAfter(1)], [], start - 1e6),
      slow,
      ...soleEntries([1, 2, 3, 3].map((count) => quotaAfter(count))),
    ]).events,
  ).toEqual([
    { kind: 'stuck', of: 'usage', n: 1 },
    { kind: 'stuck', of: 'usage', n: 1 },
  ]);
});

test('failures that count are no double charge', () => {
  const gaps = [2000, 2000, 900_000, 2000, 2000, 900_000];
  let at = start;
  const entries = gaps.flatMap((gap, index): LedgerEntry[] => {
    at += gap;
    const failed: LedgerEntry = { kind: 'sent', id: `failed-${index}`, at };
    return [failed, { ...failed, kind: 'doubtful' }, ...soleEntries([quotaAfter(2 * index + 3)], [1], at)];
  });
  const { events, ledger } = playEntries([...soleEntries([quotaAfter(1)], [], start - 1e6), ...entries]);
  expect(events).toEqual([]);
  expect(ledger.charge).toBe(1);
});

test('an answer that a changed limit overtook changes nothing back', () => {
  const flying = ['slow', 'quick'].map((id): LedgerEntry => ({ kind: 'sent', id, at: start }));
  const landing = [
    { id: 'quick', quota: quotaAfter(3, 20_000) },
    { id: 'slow', quota: quotaAfter(2) },
  ].map(({ id, quota }): LedgerEntry => ({ kind: 'answered', id, at: start, quota }));
  const entries = [
    ...soleEntries([quotaAfter(1)], [], start - 1e6),
    ...flying,
    ...landing,
    ...soleEntries([quotaAfter(4, 20_000)]),
  ];
  expect(playEntries(entries).events).toEqual([{ kind: 'limit-changed', from: 10_000, to: 20_000 }]);
});

test('requests that the counters lost and those of others are spent all the same', () => {
  expect(mostUsed(playEntries(soleEntries([5, 5, 5].map((count) => quotaAfter(count)))).ledger)).toBe(7);
  const flying = ['slow', 'quick'].map((id): LedgerEntry => ({ kind: 'sent', id, at: start }));
  const landed: LedgerEntry = { kind: 'answered', id: 'quick', at: start, quota: quotaAfter(10) };
  const { events, ledger } = playEntries([...soleEntries([quotaAfter(1)]), ...flying, landed]);
  expect(events).toEqual([]);
  expect(mostUsed(ledger)).toBe(10);
  const slow: LedgerEntry = { ...landed, id: 'slow' };
  expect(playEntries([slow], ledger).events).toEqual([{ kind: 'foreign-use', n: 7 }]);
});

test('bulk use by another tool counts until it is taken back, and is no foreign use', () => {
  const begun = playEntries([
    ...soleEntries([quotaAfter(1)]),
    { kind: 'sent', id: 'lead', at: start },
    { kind: 'bulk', id: 'lead', n: 99, at: start },
  ]);
  expect(mostUsed(begun.ledger)).toBe(101);
  const beside = playEntries(soleEntries([quotaAfter(60)]), begun.ledger);
  expect(beside.events).toEqual([]);
  const ended = playEntries(
    [
      { kind: 'bulk', id: 'lead', n: -40, at: start },
      { kind: 'answered', id: 'lead', at: start, quota: quotaAfter(61) },
    ],
    begun.ledger,
  );
  expect(ended.events).toEqual([]);
  expect(mostUsed(ended.ledger)).toBe(61);
  const settled = playEntries(soleEntries([quotaAfter(62)]), ended.ledger);
  expect(settled.events).toEqual([]);
  expect(mostUsed(settled.ledger)).toBe(62);
});

test('a bulk whose end nobody tells stays used', () => {
  const { ledger } = playEntries([
    ...soleEntries([quotaAfter(1)]),
    { kind: 'sent', id: 'lead', at: start },
    { kind: 'bulk', id: 'lead', n: 99, at: start },
    { kind: 'doubtful', id: 'lead', at: start },
  ]);
  expect(mostUsed(ledger)).toBe(101);
});
