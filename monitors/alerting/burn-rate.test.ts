import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { type AlertState, failuresToFire, type JudgedSample, type Slo, usualSlo } from './burn-rate.ts';
import { evaluate, quiet } from './testing/evaluate.ts';

const minute = 60_000;
const day = 1440 * minute;
const now = Date.UTC(2026, 9, 25, 1);
const thousandth: Slo = { ...usualSlo, objective: 0.999 };

/** Returns samples up to `now`, newest last: `.` is good and `x` is bad. */
function series(marks: string, cadence: number): JudgedSample[] {
  return [...marks].map((mark, index) => ({
    at: now - (marks.length - 1 - index) * cadence,
    good: mark === '.',
  }));
}

function good(n: number): string {
  return '.'.repeat(n);
}

function firing(state: AlertState): string[] {
  return state.firing.map(({ pair }) => pair);
}

test('at 15 minutes and 99.9 percent a single failure fires every pair', () => {
  const triggers = failuresToFire(15 * minute, { ...thousandth, fewestFailures: 1 });
  expect(triggers.map(({ failures }) => failures)).toEqual([1, 1, 1, 1]);
  const samples = series(`${good(287)}x`, 15 * minute);
  expect(firing(evaluate(samples, { ...thousandth, fewestFailures: 1 }, quiet, now))).toHaveLength(4);
  expect(evaluate(samples, thousandth, quiet, now)).toEqual(quiet);
});

test('what the budget alone asks for is reported beside the minimum', () => {
  const triggers = failuresToFire(15 * minute, thousandth);
  expect(triggers.map(({ failures, byBudget }) => [failures, byBudget])).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
    [2, 1],
  ]);
});

test('every minute the slower pairs bear a few failures', () => {
  expect(failuresToFire(minute, thousandth).map(({ failures }) => failures)).toEqual([2, 3, 5, 5]);
  expect(failuresToFire(minute, { ...thousandth, objective: 0.99 }).map(({ failures }) => failures)).toEqual([
    9, 22, 44, 44,
  ]);
});

test('a pair that can never fire is reported', () => {
  expect(failuresToFire(minute, { ...thousandth, objective: 0.9 })[0]?.failures).toBeUndefined();
  expect(failuresToFire(120 * minute, thousandth).map(({ failures }) => failures)).toEqual([
    undefined,
    2,
    2,
    2,
  ]);
});

test('as many failures in a row as were promised fire, and one less does not', () => {
  const objective = fc.double({ min: 0.9, max: 0.9999, noNaN: true });
  const cadence = fc.integer({ min: 3, max: 60 }).map((count) => count * minute);
  const fewest = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(objective, cadence, fewest, (aim, every, least) => {
      const slo = { ...usualSlo, objective: aim, fewestFailures: least };
      for (const { pair, failures } of failuresToFire(every, slo)) {
        const fires = (n: number): boolean => {
          const samples = series(good(3000 - n) + 'x'.repeat(n), every);
          return firing(evaluate(samples, slo, quiet, now)).includes(pair);
        };
        if (failures === undefined) continue;
        expect(fires(failures)).toBe(true);
        expect(fires(failures - 1)).toBe(false);
      }
    }),
    { numRuns: 25 },
  );
});

test('the first failures of a young watch fire exactly where the plan says they do', () => {
  const objective = fc.double({ min: 0.9, max: 0.9999, noNaN: true });
  const cadence = fc.integer({ min: 30, max: 3600 }).map((count) => count * 1000);
  fc.assert(
    fc.property(objective, cadence, fc.nat(30), (aim, every, before) => {
      const slo = { ...usualSlo, objective: aim, cadence: every };
      for (const { pair, failures } of failuresToFire(every, slo)) {
        const fires = (n: number): boolean => {
          const samples = series(good(before) + 'x'.repeat(n), every);
          return firing(evaluate(samples, slo, quiet, now)).includes(pair);
        };
        if (failures === undefined) continue;
        expect(fires(failures)).toBe(true);
        if (failures > 1) expect(fires(failures - 1)).toBe(false);
      }
    }),
  );
});

test('two failures after a cold start page nobody where the plan promised 78', () => {
  const slo = { ...usualSlo, objective: 0.99, cadence: 40_000 };
  const triggers = failuresToFire(slo.cadence, slo);
  expect(triggers.map(({ failures }) => failures)).toEqual([13, 33, 65, 65]);
  expect(evaluate(series('xx', slo.cadence), slo, quiet, now)).toEqual(quiet);
  expect(firing(evaluate(series('x'.repeat(13), slo.cadence), slo, quiet, now))).toEqual(['1h']);
});

test('a watch that looks again after hours takes as many failures as a new one', () => {
  const slo = { ...usualSlo, objective: 0.99, cadence: minute };
  const before = series(good(30), minute).map(({ at, ...rest }) => ({ ...rest, at: at - 8 * 60 * minute }));
  const twice = [...before, ...series('xx', minute)];
  expect(evaluate(twice, slo, quiet, now)).toEqual(quiet);
  expect(firing(evaluate([...before, ...series('x'.repeat(9), minute)], slo, quiet, now))).toEqual(['1h']);
});

test('an alert stays through a lull and clears after good samples in a row', () => {
  const fired = evaluate(series(`${good(286)}xx`, 15 * minute), thousandth, quiet, now);
  expect(firing(fired)).toEqual(['1h', '6h', '1d', '3d']);
  const later = (marks: string): AlertState => {
    const all = series(`${good(286)}xx${marks}`, 15 * minute);
    const shift = marks.length * 15 * minute;
    const moved = all.map(({ at, ...rest }) => ({ ...rest, at: at + shift }));
    return evaluate(moved, thousandth, fired, now + shift);
  };
  expect(later('..')).toEqual(fired);
  expect(later('..x.').firing).toHaveLength(4);
  expect(firing(later(good(3)))).toEqual(['1d', '3d']);
  expect(firing(later(good(24)))).toEqual([]);
});

test('without new samples an alert neither clears nor fires again', () => {
  const samples = series(`${good(286)}xx`, 15 * minute);
  const fired = evaluate(samples, thousandth, quiet, now);
  expect(evaluate(samples, thousandth, fired, now + 5 * day)).toEqual(fired);
});

test('good samples from before an alert do not clear it', () => {
  const slo = { ...thousandth, objective: 0.95 };
  const samples = series(`${good(300)}${'x'.repeat(115)}...`, minute);
  const fired = evaluate(samples, slo, quiet, now);
  expect(firing(fired)).toContain('6h');
  expect(evaluate(samples, slo, fired, now + 40 * minute)).toEqual(fired);
});

test('an alert that fired at its factor holds until half of it', () => {
  const slo = { ...thousandth, objective: 0.95 };
  const before = { firing: [{ pair: '6h', since: now - 60 * minute, failures: 115, samples: 360 }] };
  const recent = (bad: number): AlertState =>
    evaluate(series('x'.repeat(bad) + good(30 - bad), minute), slo, before, now);
  expect(firing(recent(5))).toContain('6h');
  expect(firing(recent(4))).not.toContain('6h');
});

test('where a short window holds one sample it looks at the last three', () => {
  const state = evaluate(series(`${good(285)}xx.`, 15 * minute), thousandth, quiet, now);
  expect(firing(state)).toEqual(['1h', '6h', '1d', '3d']);
});

test('old failures whose short window is calm fire nothing', () => {
  expect(evaluate(series(`xxx${good(30)}`, 15 * minute), thousandth, quiet, now)).toEqual(quiet);
});

test('a state reported twice, kept over a restart or fed in another order is the same', () => {
  const marks = fc.array(fc.boolean(), { maxLength: 120 });
  fc.assert(
    fc.property(marks, fc.integer({ min: 1, max: 90 }), fc.nat(119), (all, cadence, cut) => {
      const samples = all.map((good, index) => ({ at: now + index * cadence * minute, good }));
      const half = now + cut * cadence * minute;
      const early = evaluate(samples, thousandth, quiet, half);
      expect(evaluate(samples, thousandth, early, half)).toEqual(early);
      const end = now + all.length * cadence * minute;
      const kept = JSON.parse(JSON.stringify(early));
      expect(evaluate(samples.toReversed(), thousandth, kept, end)).toEqual(
        evaluate(samples, thousandth, early, end),
      );
    }),
  );
});
