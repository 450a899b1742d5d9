import { expect, test } from '@playwright/test';
import type { LedgerEvent } from './ledger-entry.ts';
import { isAlone, longestSilence, maxUsed, requestsReserved } from './ledger-state.ts';
import { next, QuotaStory, quotaAfter, reset, start } from './testing/quota-story.ts';

const hour = 3_600_000;

function eventsOf(...used: number[]): readonly Omit<LedgerEvent, 'at'>[] {
  return new QuotaStory().sole(used).events;
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

test('use by others beside open reservations is one event, to the request', () => {
  // The service counted ten foreign requests, then ours, one after the other.
  const story = new QuotaStory().sole([400]).take('a').take('b');
  story.end('a', [quotaAfter(411)]);
  expect(story.events).toEqual([]);
  story.end('b', [quotaAfter(412)]);
  expect(story.events).toEqual([{ kind: 'foreign-use', n: 10 }]);
});

test('unsent requests of a reservation hide use by others until it is settled', () => {
  const story = new QuotaStory().sole([400]).take('check', 50).sign('check', quotaAfter(420));
  expect(story.events).toEqual([]);
  story.end(
    'check',
    [401, 402, 403, 420].map((used) => quotaAfter(used)),
  );
  expect(story.events).toEqual([{ kind: 'foreign-use', n: 16 }]);
});

test('a reservation that stays open delays reports of others by at most a minute', () => {
  const story = new QuotaStory().sole([400]).take('deep', 2).sign('deep', quotaAfter(410));
  story.pass(59_000).sign('deep', quotaAfter(410));
  expect(story.events).toEqual([]);
  story.pass(2000).sign('deep', quotaAfter(410));
  expect(story.events).toEqual([{ kind: 'foreign-use', n: 8 }]);
  expect(story.end('deep', [quotaAfter(411), quotaAfter(412)]).events.slice(1)).toEqual([
    { kind: 'foreign-use', n: 2 },
  ]);
});

test('use by others is reported once every monitor has booked since, which may have sent without the ledger', () => {
  const story = new QuotaStory()
    .sole([400])
    .take('s', 1, 'syd')
    .end('s', [quotaAfter(401)]);
  story
    .pass(hour)
    .take('f', 1, 'fra')
    .end('f', [quotaAfter(409)]);
  story
    .pass(hour)
    .take('f', 1, 'fra')
    .end('f', [quotaAfter(410)]);
  expect(story.events).toEqual([]);
  // Three of the seven were those of syd, whose database was away.
  story.end(
    'unknown',
    [404, 405, 406].map((used) => quotaAfter(used)),
  );
  story.take('s', 1, 'syd').end('s', [quotaAfter(411)]);
  expect(story.events).toEqual([{ kind: 'foreign-use', n: 4 }]);
  story
    .pass(25 * hour)
    .take('f', 1, 'fra')
    .end('f', [quotaAfter(417)]);
  expect(story.events.slice(1)).toEqual([{ kind: 'foreign-use', n: 5 }]);
});

test('counters that stand still are stuck, and catching up is no foreign use', () => {
  expect(eventsOf(5, 5, 5, 8, 9)).toEqual([
    { kind: 'stuck', of: 'usage', n: 1 },
    { kind: 'stuck', of: 'usage', n: 1 },
  ]);
  const story = new QuotaStory().sole([5]).take('three', 3);
  story.end(
    'three',
    [6, 6, 6].map((used) => quotaAfter(used)),
  );
  expect([story.events, maxUsed(story.ledger)]).toEqual([[{ kind: 'stuck', of: 'usage', n: 2 }], 8]);
});

test('counters that fall are backward, and not again until they fall again', () => {
  const story = new QuotaStory().sole([50, 40, 41, 42]);
  expect(story.events).toEqual([{ kind: 'backward', of: 'usage', n: 10 }]);
  expect(maxUsed(story.ledger)).toBe(53);
});

test('counts that were lost beside an open reservation are lost once', () => {
  const story = new QuotaStory().sole([50]).take('a').take('b');
  story.end('a', [quotaAfter(41)]).end('b', [quotaAfter(42)]);
  expect(story.events).toEqual([{ kind: 'backward', of: 'usage', n: 9 }]);
});

test('the same excess in short gaps and long ones is a double charge', () => {
  const story = new QuotaStory().sole(
    [7, 9, 11, 13, 15, 17, 19],
    [0, 2000, 2000, 900_000, 2000, 2000, 900_000],
  );
  const reported = story.events.filter(({ kind }) => kind === 'foreign-use').length;
  expect(story.events.at(-1)).toEqual({ kind: 'double-charge', extra: 1, takesBack: reported });
  expect(story.ledger.charge).toBe(2);
  story.events.splice(0);
  expect(story.sole([21, 23]).events).toEqual([]);
  // It is believed at once when it charges once again.
  expect(story.sole([24, 25, 27]).events).toEqual([{ kind: 'foreign-use', n: 1 }]);
});

test('requests of one reservation, one after the other, show a double charge too', () => {
  const story = new QuotaStory().sole([0]);
  story
    .pass(900_000)
    .take('a', 6)
    .end(
      'a',
      [2, 4, 6, 8, 10, 12].map((used) => quotaAfter(used)),
    );
  expect(story.events.at(-1)).toEqual({ kind: 'double-charge', extra: 1, takesBack: 6 });
});

test('a foreign user who keeps our pace stays a foreign user', () => {
  const quick = new QuotaStory().sole([0, 2, 4, 6, 8, 10, 12], [0, 900, 50, 2000, 20, 50, 900]);
  expect(quick.ledger.charge).toBe(1);
  const found = eventsOf(0, 2, 4, 6, 8, 10, 12, 14);
  expect([found.length, new Set(found.map(({ kind }) => kind))]).toEqual([7, new Set(['foreign-use'])]);
});

test('a changed limit is no foreign use, whether the rest moves with it or not', () => {
  for (const remaining of [9900, 19_899]) {
    const changed = { limit: 20_000, remaining, additional: 0, reset };
    const story = new QuotaStory().sole([100, changed, { ...changed, remaining: remaining - 1 }]);
    expect(story.events).toEqual([{ kind: 'limit-changed', from: 10_000, to: 20_000 }]);
  }
});

test('an answer that a changed limit overtook changes nothing back', () => {
  const story = new QuotaStory().sole([1]).take('slow').take('quick');
  story.end('quick', [quotaAfter(3, 20_000)]).end('slow', [quotaAfter(2)]);
  story.sole([quotaAfter(4, 20_000)]);
  expect(story.events).toEqual([{ kind: 'limit-changed', from: 10_000, to: 20_000 }]);
});

test('requests beyond the limit are overage, each reported once', () => {
  const { events } = new QuotaStory().sole([99, 100, 101, 102, 105].map((used) => quotaAfter(used, 100)));
  expect(events).toEqual([
    { kind: 'overage', n: 1 },
    { kind: 'overage', n: 1 },
    { kind: 'overage', n: 3 },
    { kind: 'foreign-use', n: 2 },
  ]);
});

test('requests that may not count explain what they can and no more', () => {
  const then = (used: number) => new QuotaStory().sole([1]).take('a', 2).end('a', [], 2).sole([used]).events;
  for (const used of [2, 3, 4]) expect(then(used)).toEqual([]);
  expect(then(5)).toEqual([{ kind: 'foreign-use', n: 1 }]);
  expect(then(1)).toEqual([{ kind: 'stuck', of: 'usage', n: 1 }]);
});

test('a reservation that nobody settles is spent until an answer after its end shows the truth', () => {
  const story = new QuotaStory().sole([1]).take('killed', 30);
  const spent = () => [maxUsed(story.ledger), requestsReserved(story.ledger)];
  expect(spent()).toEqual([1, 30]);
  story.take('beside').pass(longestSilence + 1);
  expect(spent()).toEqual([32, 0]);
  // Its answer may precede a request of the killed one.
  story.end('beside', [quotaAfter(2)]);
  expect(spent()).toEqual([32, 0]);
  story.sole([6]);
  expect([spent(), story.events]).toEqual([[6, 0], []]);
});

test('a holder that shows itself keeps its reservation, and a clock that is set back frees that of a killed one', () => {
  const story = new QuotaStory().sole([1]).take('deep', 9);
  for (let minute = 0; minute < 5; minute++) story.pass(longestSilence).prolong('deep');
  expect(requestsReserved(story.ledger)).toBe(9);
  expect([requestsReserved(story.pass(-hour).ledger), maxUsed(story.ledger)]).toEqual([0, 10]);
  // It was silent too long, and has sent all the same.
  story.prolong('deep', 9);
  story.end(
    'deep',
    [2, 3].map((used) => quotaAfter(used)),
  );
  expect([story.sole([4]).events, maxUsed(story.ledger)]).toEqual([[], 4]);
});

test('what was sent while the ledger was away is booked with the first answer after it', () => {
  const story = new QuotaStory().sole([10]);
  story.end(
    'unknown',
    [11, 12, 13].map((used) => quotaAfter(used)),
  );
  expect([story.events, maxUsed(story.ledger)]).toEqual([[], 13]);
  expect(story.sole([14]).events).toEqual([]);
});

test('a reservation is alone if no other was open at any time beside it', () => {
  const story = new QuotaStory().take('a');
  expect(isAlone(story.ledger, 'a')).toBe(true);
  story.take('b').end('b', [quotaAfter(1)]);
  expect(isAlone(story.ledger, 'a')).toBe(false);
  expect(isAlone(story.take('c').ledger, 'c')).toBe(false);
});

test('a bulk that another tool sends leaves in doubt what its newest answer does not show', () => {
  const bulk = () => new QuotaStory().sole([1]).take('load', 100);
  const newest = (used: number) => ({ at: start, quota: quotaAfter(used) });
  const ended = bulk().settle('load', { sent: 60, answered: 0, newest: newest(61) });
  expect([ended.events, maxUsed(ended.ledger)]).toEqual([[], 61]);
  const lossy = bulk().settle('load', { sent: 60, answered: 0, newest: newest(51) });
  expect([maxUsed(lossy.ledger), maxUsed(lossy.sole([62]).ledger), lossy.events]).toEqual([61, 62, []]);
  expect(maxUsed(bulk().settle('load', { sent: 100, answered: 0 }).ledger)).toBe(101);
});

test('what passes is counted once, by any answer that shows it first', () => {
  expect(maxUsed(new QuotaStory().see(120, start).ledger)).toBe(120);
  const story = new QuotaStory()
    .sole([10])
    .see(25, start + hour)
    .see(30, start + hour + 60_000);
  expect([maxUsed(story.ledger), story.events]).toEqual([30, []]);
  // Our next answer includes them and itself.
  expect([maxUsed(story.sole([31]).ledger), story.events]).toEqual([31, []]);
});

test('foreign use that passes is reported together, not answer by answer', () => {
  const story = new QuotaStory().sole([10]);
  for (let n = 0; n < 121; n++) story.see(12 + n, start + hour + n * 60_000);
  expect(story.events).toEqual([{ kind: 'foreign-use', n: 62 }]);
  // The rest is not lost: it is reported when the next hour is over.
  expect(story.see(200, start + 4 * hour).events.slice(1)).toEqual([{ kind: 'foreign-use', n: 128 }]);
});

test('an answer that was overtaken, or is of the month before, takes nothing back', () => {
  const story = new QuotaStory()
    .see(50, start)
    .see(40, start + 1)
    .see(60, start + 2, reset - 1);
  expect(maxUsed(story.ledger)).toBe(50);
  expect(maxUsed(story.see(7, reset + hour, next).ledger)).toBe(7);
  expect(story.events[0]).toMatchObject({ kind: 'roll-over' });
});

test('requests of an open reservation that pass are no foreign use', () => {
  const story = new QuotaStory()
    .see(50, start)
    .take('ours')
    .see(51, start + 2);
  expect([maxUsed(story.ledger), story.events]).toEqual([51, []]);
  expect([maxUsed(story.end('ours', [quotaAfter(51)]).ledger), story.events]).toEqual([51, []]);
});
