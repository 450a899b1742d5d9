import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { designEffect, wilsonInterval } from './confidence.ts';

/** Returns fractions from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Service = {
  readonly slots: number;
  /** True share of bad slots, and length of a usual outage in slots. */
  readonly bad: number;
  readonly length: number;
};

/** Draws a month of a service with outages of about `length` slots. */
function month({ slots, bad, length }: Service, random: () => number): { bad: number; runs: number } {
  const [ends, begins] = [1 / length, bad / length / (1 - bad)];
  let isBad = random() < bad;
  let wasBad = false;
  const seen = { bad: 0, runs: 0 };
  for (let slot = 0; slot < slots; slot++) {
    if (isBad) seen.bad++;
    if (isBad && !wasBad) seen.runs++;
    wasBad = isBad;
    isBad = isBad ? random() >= ends : random() < begins;
  }
  return seen;
}

const months = process.env.CANDLEPROOF_THOROUGH ? 3000 : 1000;

/** Returns the share of months whose interval includes the true share, and its mean width. */
function trial(service: Service, isWidened: boolean): { holds: number; width: number } {
  const random = randomFrom(2026);
  const truth = 1 - service.bad;
  let [holds, width] = [0, 0];
  for (let round = 0; round < months; round++) {
    const { bad, runs } = month(service, random);
    const good = service.slots - bad;
    const by = isWidened ? designEffect(good, bad, runs) : 1;
    const { low, high } = wilsonInterval(good / by, service.slots / by);
    if (low <= truth && truth <= high) holds++;
    width += high - low;
  }
  return { holds: holds / months, width: width / months };
}

for (const service of [
  { slots: 2976, bad: 0.05, length: 10 },
  { slots: 2976, bad: 0.02, length: 5 },
  { slots: 8640, bad: 0.02, length: 12 },
  { slots: 700, bad: 0.1, length: 6 },
]) {
  const { slots, length } = service;
  test(`of ${slots} slots with outages of ${length} the interval holds the truth as often as it says`, () => {
    expect(trial(service, true).holds).toBeGreaterThan(0.925);
    expect(trial(service, false).holds).toBeLessThan(0.6);
  });
}

for (const bad of [0.01, 0.05, 0.3]) {
  test(`failures that come on their own, ${100 * bad} %, leave the interval as it was`, () => {
    const service = { slots: 2976, bad, length: 1 / (1 - bad) };
    const [widened, plain] = [trial(service, true), trial(service, false)];
    expect(widened.width / plain.width).toBeGreaterThanOrEqual(1);
    expect(widened.width / plain.width).toBeLessThan(1.03);
    expect(widened.holds).toBeGreaterThan(0.935);
  });
}

test('one outage of eighteen slots is worth about half a failure', () => {
  expect(designEffect(2958, 18, 1)).toBeCloseTo(34.8, 1);
  expect(designEffect(2958, 18, 18)).toBe(1);
  expect(designEffect(0, 18, 1)).toBe(1);
});

test('the fewer outages hold the bad slots the less is sure, and never more than of slots on their own', () => {
  const count = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(count, count, count, (good, bad, runs) => {
      const some = designEffect(good, bad, runs);
      expect(some).toBeGreaterThanOrEqual(1);
      expect(designEffect(good, bad, runs + 1)).toBeLessThanOrEqual(some);
      expect(some).toBeLessThanOrEqual(2 * (good + bad));
    }),
  );
});
