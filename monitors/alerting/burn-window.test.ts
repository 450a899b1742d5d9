import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { type AlertState, type JudgedSample, updateAlert, usualSlo } from './burn-rate.ts';
import { BurnWindow } from './burn-window.ts';
import { evaluate, quiet } from './testing/evaluate.ts';

const minute = 60_000;
const begin = Date.UTC(2026, 9, 25, 1);

/** Returns every state at the given instants, from the counts and from the samples themselves. */
function bothWays(samples: readonly JudgedSample[], instants: readonly number[], objective: number) {
  const slo = { ...usualSlo, objective };
  const window = new BurnWindow(slo);
  let [counted, exact]: AlertState[] = [quiet, quiet];
  let added = 0;
  return instants.map((now) => {
    const upTo = samples.findIndex(({ at }) => at > now);
    for (const sample of samples.slice(added, upTo < 0 ? undefined : upTo)) window.add(sample);
    added = upTo < 0 ? samples.length : upTo;
    counted = updateAlert(window.viewBefore(now), slo, counted ?? quiet, now);
    exact = evaluate(samples, slo, exact ?? quiet, now);
    return { counted, exact };
  });
}

const gaps = (min: number, max: number): fc.Arbitrary<{ gap: number; good: boolean }[]> =>
  fc.array(fc.record({ gap: fc.integer({ min, max }), good: fc.boolean() }), { maxLength: 150 });
const objectives = fc.constantFrom(0.7, 0.9, 0.99, 0.999);

function placed(steps: readonly { gap: number; good: boolean }[]): JudgedSample[] {
  let at = begin;
  return steps.map(({ gap, good }) => {
    at += gap;
    return { at, good };
  });
}

test('counts decide as samples do that are a minute or more apart', () => {
  fc.assert(
    fc.property(gaps(minute, 300 * minute), objectives, fc.nat(5 * minute), (steps, objective, late) => {
      const samples = placed(steps);
      const instants = samples.map(({ at }) => at + late);
      for (const { counted, exact } of bothWays(samples, instants, objective)) expect(counted).toEqual(exact);
    }),
  );
});

test('many samples a minute decide as each one does when the minute is over', () => {
  fc.assert(
    fc.property(gaps(1, 40_000), objectives, (steps, objective) => {
      const samples = placed(steps);
      const last = samples.at(-1)?.at ?? begin;
      const instants = Array.from(
        { length: Math.ceil((last - begin) / minute) + 1 },
        (_, n) => begin + (n + 1) * minute - 1,
      );
      for (const { counted, exact } of bothWays(samples, instants, objective)) expect(counted).toEqual(exact);
    }),
  );
});

test('the order in which samples arrive changes nothing that a window tells', () => {
  const gap = fc.constantFrom(0, 0, 700, 10 * minute);
  const steps = fc.array(fc.record({ gap, good: fc.boolean() }), { minLength: 1, maxLength: 150 });
  fc.assert(
    fc.property(steps, fc.infiniteStream(fc.nat()), (all, noise) => {
      const samples = placed(all);
      const now = samples.at(-1)?.at ?? begin;
      const seen = [samples, samples.toSorted(() => ((noise.next().value ?? 0) % 3) - 1)].map((order) => {
        const window = new BurnWindow(usualSlo);
        for (const judgedSample of order) window.add(judgedSample);
        const { within, newest } = window.viewBefore(now);
        return [within(60 * minute), within(4320 * minute), newest(3)];
      });
      expect(seen[1]).toEqual(seen[0]);
    }),
  );
});

test('a window forgets what is older than its longest pair but not the last few', () => {
  const window = new BurnWindow(usualSlo);
  for (const hour of [0, 30, 90]) window.add({ at: begin + hour * 60 * minute, good: false });
  const seen = window.viewBefore(begin + 91 * 60 * minute);
  expect(seen.within(4320 * minute)).toEqual({ samples: 2, bad: 2 });
  expect(seen.newest(3)).toHaveLength(3);
});

test('a sample that comes very late takes no place of a newer one', () => {
  const window = new BurnWindow(usualSlo);
  window.add({ at: begin, good: true });
  for (const rounds of [1, 2]) window.add({ at: begin - rounds * 4321 * minute, good: false });
  expect(window.viewBefore(begin).within(60 * minute)).toEqual({ samples: 1, bad: 0 });
});

test('a window whose clock was set counts as one whose samples came by the new clock', () => {
  const steps = fc.integer({ min: -300, max: 300 });
  fc.assert(
    fc.property(gaps(minute, 300 * minute), objectives, steps, (drawn, objective, minutes) => {
      const [samples, by] = [placed(drawn), minutes * minute];
      const now = (samples.at(-1)?.at ?? begin) + by;
      const [set, even] = [new BurnWindow(usualSlo), new BurnWindow(usualSlo)];
      for (const sample of samples) set.add(sample);
      set.shift(by);
      for (const sample of samples) even.add({ ...sample, at: sample.at + by });
      const slo = { ...usualSlo, objective };
      expect(updateAlert(set.viewBefore(now), slo, quiet, now)).toEqual(
        updateAlert(even.viewBefore(now), slo, quiet, now),
      );
      expect(set.newest()).toEqual(even.newest());
    }),
  );
});
