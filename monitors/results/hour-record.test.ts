import { buildHistogram } from '@candleproof/law/planning/histogram';
import { expect, test } from '@playwright/test';
import { addHours, rollUpSlots } from './hour-record.ts';
import { goodSlot, sample, series } from './testing/slot.ts';

const begin = Date.UTC(2026, 10, 1, 5);

test('an hour counts states, outcomes, indicators, requests and broken rules', () => {
  const slots = [
    goodSlot(begin, { slow: false, stale: true }),
    goodSlot(begin + 1, { outcome: 'ok', rawOutcome: 'failed', samples: [sample(begin), sample(begin)] }),
    goodSlot(begin + 2, { outcome: 'failed', failure: { phase: 'status', class: '503' } }),
    goodSlot(begin + 3, {
      outcome: 'failed',
      failure: { phase: 'contract', class: 'a/b' },
      rules: ['a/b', 'a/b', '__proto__'],
    }),
    goodSlot(begin + 4, { outcome: 'limited' }),
    { series, scheduledAt: begin + 5, state: 'missed', rules: [], samples: [] } as const,
  ];
  expect(rollUpSlots(series, begin, slots)).toMatchObject({
    series,
    begin,
    states: { run: 5, missed: 1 },
    outcomes: { ok: 2, failed: 2, limited: 1 },
    indicators: {
      availability: { good: 3, bad: 1 },
      correctness: { good: 2, bad: 1 },
      latency: { good: 1, bad: 0 },
      freshness: { good: 0, bad: 1 },
    },
    firstLook: { availability: { good: 2, bad: 2 }, correctness: { good: 1, bad: 1 } },
    requests: 6,
  });
  const { rules } = rollUpSlots(series, begin, slots);
  expect(Object.entries(rules).toSorted()).toEqual([
    ['__proto__', 1],
    ['a/b', 1],
  ]);
});

test('timings are those of answers, cold and warm apart, without confirmations and failures', () => {
  const cold = { cold: true, timings: { dns: 2, connect: 10, total: 60 }, sincePlanned: 70 };
  const { status: _none, ...unanswered } = sample(begin);
  const hour = rollUpSlots(series, begin, [
    goodSlot(begin, {
      age: 61_000,
      certificateEnd: begin + 9,
      samples: [sample(begin), sample(begin, cold)],
    }),
    goodSlot(begin + 1, { age: -3, certificateEnd: begin + 7, samples: [unanswered] }),
    goodSlot(begin + 2, { samples: [sample(begin, { confirming: true })] }),
    goodSlot(begin + 3, { outcome: 'limited', age: 5 }),
    goodSlot(begin + 4, { outcome: 'failed', failure: { phase: 'status', class: '503' } }),
  ]);
  expect(hour.cold).toEqual({
    ...{ dns: buildHistogram([2000]), connect: buildHistogram([10_000]), total: buildHistogram([60_000]) },
  });
  expect(hour.warm).toEqual({
    ...{ send: buildHistogram([250]), wait: buildHistogram([49_500]) },
    ...{ receive: buildHistogram([1000]), total: buildHistogram([50_750]) },
  });
  expect(hour.sincePlanned).toEqual(buildHistogram([53_750, 70_000]));
  expect(hour.age).toEqual(buildHistogram([61_000, 0]));
  expect(hour.certificateEnd).toBe(begin + 7);
});

test('a first attempt counts by itself, not by its confirmation', () => {
  const wrong = { phase: 'contract', class: 'a/b' } as const;
  const unanswered = { phase: 'wait', class: 'timeout' } as const;
  const failed = { outcome: 'failed', rawOutcome: 'failed' } as const;
  const { indicators, firstLook } = rollUpSlots(series, begin, [
    goodSlot(begin, { ...failed, failure: wrong, rawFailure: wrong, secondFailure: unanswered }),
    goodSlot(begin + 1, { ...failed, failure: wrong, rawFailure: unanswered }),
    goodSlot(begin + 2, { outcome: 'degraded', rawOutcome: 'failed', rawFailure: unanswered }),
    goodSlot(begin + 3, { outcome: 'unknown', rawOutcome: 'failed', rawFailure: unanswered }),
    goodSlot(begin + 4),
  ]);
  expect(indicators).toMatchObject({
    availability: { good: 4, bad: 0 },
    correctness: { good: 2, bad: 2 },
  });
  expect(firstLook).toEqual({ availability: { good: 2, bad: 2 }, correctness: { good: 1, bad: 1 } });
});

test('an hour counts the causes of degraded slots, and a day adds them up', () => {
  const degraded = (...degradedBy: string[]) => goodSlot(begin, { outcome: 'degraded', degradedBy });
  const hour = rollUpSlots(series, begin, [
    degraded('latency', 'a/b'),
    degraded('a/b', 'a/b'),
    goodSlot(begin),
  ]);
  expect(hour.degradedBy).toEqual({ latency: 1, 'a/b': 2 });
  expect(addHours(begin, [hour, hour])).toMatchObject({
    degradedBy: { latency: 2, 'a/b': 4 },
    firstLook: { availability: { good: 6, bad: 0 } },
  });
});

test('no hours make no record', () => {
  expect(() => addHours(begin, [])).toThrow(RangeError);
});
