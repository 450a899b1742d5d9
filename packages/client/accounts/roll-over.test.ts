import { expect, test } from '@playwright/test';
import { next, QuotaStory, quotaAfter, reset, start } from './testing/quota-story.ts';

/** Plays `used` requests of the month, and these of the next one after its reset. */
function turned(used: number, ...then: number[]): QuotaStory {
  const story = new QuotaStory().sole([used]);
  story.at = reset;
  return story.sole(then.map((count) => quotaAfter(count, 10_000, next)));
}

test('a later reset with the counters back is a roll-over, even if they look the same', () => {
  const event = { kind: 'roll-over', from: reset, to: next };
  expect(turned(7000, 1, 2).events).toEqual([event]);
  expect(turned(1, 1).events).toEqual([event]);
});

test('what others spent before our first request of a month is theirs', () => {
  expect(turned(7000, 31).events.slice(1)).toEqual([{ kind: 'foreign-use', n: 30 }]);
});

test('counters that go on over the reset are stuck', () => {
  expect(turned(7000, 7001).events).toEqual([{ kind: 'stuck', of: 'month', n: 7000 }]);
});

test('a reset that moves on with each answer is no roll-over, and is reported once it is no difference of clocks', () => {
  const moving = [1, 2, 3, 4, 5].map((used) => quotaAfter(used, 10_000, reset + used * 60_000));
  expect(new QuotaStory().sole(moving).events).toEqual([{ kind: 'later-reset', n: 180_000 }]);
});

test('a reset that has passed without effect is stuck, once', () => {
  const story = new QuotaStory().sole([7]);
  story.at = reset;
  expect(story.sole([8, 9]).events).toEqual([{ kind: 'stuck', of: 'reset', n: 900_000 }]);
});

test('an earlier reset requested in the new month goes backward', () => {
  const story = turned(7000, 1).sole([quotaAfter(7001)]);
  expect(story.events.slice(1)).toEqual([{ kind: 'backward', of: 'reset', n: next - reset }]);
});

test('a month that a wrong reset began is over with the next answer to us', () => {
  const year = 365 * 86_400_000;
  const lied = new QuotaStory().sole([7000, quotaAfter(3, 10_000, reset + year)]);
  const late = lied.see(7001, start + 1);
  expect(late.ledger.base).toMatchObject({ reset: reset + year, usage: 3 });
  const healed = late.sole([quotaAfter(9990)]);
  expect(healed.ledger.base).toMatchObject({ reset, usage: 9990 });
  expect(healed.sole([quotaAfter(9991)]).ledger.base).toMatchObject({ reset, usage: 9991 });
});

test('a month that the operator ends early is a roll-over', () => {
  const early = [1, 2].map((used) => quotaAfter(used, 10_000, next));
  expect(new QuotaStory().sole([7000, ...early]).events).toEqual([
    { kind: 'roll-over', from: reset, to: next },
  ]);
});

test('a reservation that is open over the reset accuses nobody', () => {
  const story = new QuotaStory().sole([7]).take('check', 9).take('slow');
  story.at = reset;
  story.end('check', [quotaAfter(8), quotaAfter(1, 10_000, next)], 1).end('slow', [quotaAfter(9)]);
  expect(story.sole([quotaAfter(3, 10_000, next)]).events).toEqual([
    { kind: 'roll-over', from: reset, to: next },
  ]);
  expect(story.at).toBeGreaterThan(start);
});
