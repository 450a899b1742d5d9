import { expect, test } from '@playwright/test';
import type { LedgerEntry } from './ledger-entry.ts';
import { next, playEntries, quotaAfter, reset, soleEntries, start } from './testing/quota-story.ts';

test('a later reset with the counters back is a roll-over', () => {
  const rolled = soleEntries([quotaAfter(1, 10_000, next), quotaAfter(2, 10_000, next)], [], reset);
  expect(playEntries([...soleEntries([quotaAfter(7000)]), ...rolled]).events).toEqual([
    { kind: 'roll-over', from: reset, to: next },
  ]);
});

test('a month of one request rolls over though its counters look the same', () => {
  const rolled = soleEntries([quotaAfter(1, 10_000, next)], [], reset);
  expect(playEntries([...soleEntries([quotaAfter(1)]), ...rolled]).events).toEqual([
    { kind: 'roll-over', from: reset, to: next },
  ]);
});

test('what others spent before our first request of a month is theirs', () => {
  const rolled = soleEntries([quotaAfter(31, 10_000, next)], [], reset);
  expect(playEntries([...soleEntries([quotaAfter(7000)]), ...rolled]).events).toEqual([
    { kind: 'roll-over', from: reset, to: next },
    { kind: 'foreign-use', n: 30 },
  ]);
});

test('counters that go on over the reset are stuck, and a reset that moves daily is no roll-over', () => {
  const kept = soleEntries([quotaAfter(7001, 10_000, next)], [], reset);
  expect(playEntries([...soleEntries([quotaAfter(7000)]), ...kept]).events).toEqual([
    { kind: 'stuck', of: 'month', n: 7000 },
  ]);
  const moving = [1, 2, 3].map((used) => quotaAfter(used, 10_000, reset + used * 60_000));
  expect(playEntries(soleEntries(moving)).events).toEqual([]);
});

test('a reset that has passed without effect is stuck, once', () => {
  const overdue = soleEntries([quotaAfter(8), quotaAfter(9)], [], reset);
  expect(playEntries([...soleEntries([quotaAfter(7)]), ...overdue]).events).toEqual([
    { kind: 'stuck', of: 'reset', n: 900_100 },
  ]);
});

test('an earlier reset requested in the new month goes backward', () => {
  const entries = soleEntries(
    [quotaAfter(7000), quotaAfter(1, 10_000, next), quotaAfter(7001)],
    [0, reset - start],
  );
  expect(playEntries(entries).events.slice(1)).toEqual([{ kind: 'backward', of: 'reset', n: next - reset }]);
});

test('a month that the operator ends early is a roll-over', () => {
  const early = soleEntries([quotaAfter(7000), quotaAfter(1, 10_000, next), quotaAfter(2, 10_000, next)]);
  expect(playEntries(early).events).toEqual([{ kind: 'roll-over', from: reset, to: next }]);
});

test('a request given up beside the first of a month explains a step later', () => {
  const on = (kind: 'sent' | 'doubtful', id: string): LedgerEntry => ({ kind, id, at: reset });
  const quota = quotaAfter(1, 10_000, next);
  const rolled: LedgerEntry = { kind: 'answered', id: 'first', at: reset, quota };
  const eve = [on('sent', 'first'), on('sent', 'slow'), on('doubtful', 'slow'), rolled];
  expect(
    playEntries([
      ...soleEntries([quotaAfter(7)]),
      ...eve,
      ...soleEntries([quotaAfter(3, 10_000, next)], [], reset),
    ]).events,
  ).toEqual([{ kind: 'roll-over', from: reset, to: next }]);
});
