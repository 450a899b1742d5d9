import { expect, test } from '@playwright/test';
import type { SeenAnswer } from './ledger-entry.ts';
import { mostUsed } from './ledger-state.ts';
import { next, playEntries, quotaAfter, reset, soleEntries, start } from './testing/quota-story.ts';

const minute = 60_000;
const hour = 60 * minute;

function seen(used: number, at: number, end = reset): SeenAnswer {
  return { kind: 'seen', at, quota: quotaAfter(used, 10_000, end) };
}

test('an account that nobody knew is known by what passes', () => {
  expect(mostUsed(playEntries([seen(120, start)]).ledger)).toBe(120);
});

test('what passes is counted once, by any answer that shows it first', () => {
  const before = playEntries(soleEntries([quotaAfter(10)]));
  const passed = playEntries([seen(25, start + hour), seen(30, start + hour + minute)], before.ledger);
  expect([mostUsed(passed.ledger), passed.events]).toEqual([30, []]);
  // Our next answer includes them and itself.
  const ours = playEntries(soleEntries([quotaAfter(31)], [], start + 2 * hour), passed.ledger);
  expect([mostUsed(ours.ledger), ours.events]).toEqual([31, []]);
});

test('foreign use that passes is reported together, not answer by answer', () => {
  const { ledger } = playEntries(soleEntries([quotaAfter(10)]));
  const entries = Array.from({ length: 121 }, (_, n) => seen(12 + n, start + hour + n * minute));
  const { events } = playEntries(entries, ledger);
  expect(events).toEqual([{ kind: 'foreign-use', n: 62 }]);
  // The rest is not lost: it is reported when the next hour is over.
  const later = playEntries([seen(200, start + 4 * hour)], playEntries(entries, ledger).ledger);
  expect(later.events).toEqual([{ kind: 'foreign-use', n: 128 }]);
});

test('an answer that was overtaken, or is of the month before, takes nothing back', () => {
  const { ledger } = playEntries([seen(50, start), seen(40, start + 1), seen(60, start + 2, reset - 1)]);
  expect(mostUsed(ledger)).toBe(50);
});

test('requests of ours that are in flight are no foreign use', () => {
  const { ledger } = playEntries([seen(50, start), { kind: 'sent', id: 'ours', at: start + 1 }]);
  const then = playEntries([seen(51, start + 2)], ledger);
  expect(mostUsed(then.ledger)).toBe(51);
  const landed = playEntries(
    [{ kind: 'answered', id: 'ours', at: start + 3, quota: quotaAfter(51) }],
    then.ledger,
  );
  expect([mostUsed(landed.ledger), landed.events]).toEqual([51, []]);
});

test('a new month is learnt from what passes', () => {
  const { ledger, events } = playEntries([seen(9000, reset - hour), seen(7, reset + hour, next)]);
  expect(mostUsed(ledger)).toBe(7);
  expect(events[0]).toMatchObject({ kind: 'roll-over' });
});
