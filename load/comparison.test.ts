import { expect, test } from '@playwright/test';
import { sliceCount } from './bill.ts';
import { compareRuns } from './comparison.ts';
import { coarsely } from './counters.ts';
import { findBucket } from './histogram.ts';
import type { LoadFigures } from './load-run.ts';
import { UnlikeRuns } from './merge.ts';
import { dice } from './testing/dice.ts';
import { noOutcomes, sampleFigures, sampleRun, sampleTrial } from './testing/runs.ts';

/** Fifty requests a slice, each as long as the draw says, in ms. */
function timed(draw: (slice: number) => number): Pick<LoadFigures, 'latency' | 'slices'> {
  const latency: Record<number, number> = {};
  const slices = Array.from({ length: sliceCount }, (_, at) => {
    const coarse: Record<number, number> = {};
    for (let n = 0; n < 50; n++) {
      const bucket = findBucket(1000 * draw(at));
      latency[bucket] = (latency[bucket] ?? 0) + 1;
      const doubling = Math.floor(bucket / coarsely);
      coarse[doubling] = (coarse[doubling] ?? 0) + 1;
    }
    return { ...sampleFigures.slices[at], ...sampleFigures.slices[0], latency: coarse };
  }) as LoadFigures['slices'];
  return { latency, slices };
}

function skewed(next: () => number, scale: number): () => number {
  return () => scale * (20 - 30 * Math.log(1 - next()));
}

/** A quarter of the slices is four times as slow, at random, as by a stall or a neighbour. */
function stalled(next: () => number): (slice: number) => number {
  const slow = Array.from({ length: sliceCount }, () => next() < 0.25);
  const draw = skewed(next, 1);
  return (slice) => draw() * (slow[slice] ? 4 : 1);
}

function failing(perSlice: (slice: number) => number): Partial<LoadFigures> {
  const slices = sampleFigures.slices.map((slice, at) => ({ ...slice, errors: perSlice(at) }));
  const all = slices.reduce((sum, slice) => sum + slice.errors, 0);
  return { slices, outcomes: { ...noOutcomes(), ok: 1000 - all, 'server-error': all } };
}

test('a run compared with itself has no change', () => {
  const run = sampleRun(timed(skewed(dice(1), 1)));
  const { percentiles, errors, wrong, before, after, undecided } = compareRuns(run, run);
  expect(undecided).toBeUndefined();
  expect(percentiles.map((percentile) => [percentile.p, percentile.moved])).toEqual(
    [0.5, 0.95, 0.99].map((p) => [p, undefined]),
  );
  expect(errors).toEqual([]);
  expect(wrong.moved).toBeUndefined();
  expect(after).toEqual(before);
  expect(before).toMatchObject({ delivered: 50, timed: 1000, sent: 1000, planned: 1000 });
});

test('a doubled latency is significant and within its interval', () => {
  const [one, twice] = [sampleRun(timed(skewed(dice(1), 1))), sampleRun(timed(skewed(dice(2), 2)))];
  expect(compareRuns(one, twice).percentiles.map((percentile) => percentile.moved)).toEqual([
    'up',
    'up',
    'up',
  ]);
  expect(compareRuns(twice, one).percentiles.map((percentile) => percentile.moved)).toEqual([
    'down',
    'down',
    'down',
  ]);
  for (const { before } of compareRuns(one, twice).percentiles) {
    expect(before?.value).toBeGreaterThanOrEqual(before?.low ?? Number.NaN);
    expect(before?.value).toBeLessThanOrEqual(before?.high ?? Number.NaN);
  }
});

for (const [kind, make] of [
  ['even', (next: () => number) => skewed(next, 1)],
  ['stalled', stalled],
] as const) {
  test(`two ${kind} runs of one service rarely differ significantly`, () => {
    const next = dice(7);
    const moves = Array.from({ length: 100 }, () => {
      const runs = [sampleRun(timed(make(next))), sampleRun(timed(make(next)))] as const;
      return compareRuns(...runs).percentiles.some((percentile) => percentile.moved);
    });
    expect(moves.filter(Boolean).length).toBeLessThanOrEqual(5);
  });
}

test('few samples leave a percentile without bounds and undecided', () => {
  const few = (bucket: number) => sampleRun({ latency: { [bucket]: 30 } });
  const [p50, , p99] = compareRuns(few(60), few(90)).percentiles;
  expect(p50?.moved).toBe('up');
  expect(p99?.before).not.toHaveProperty('high', expect.anything());
  expect(p99?.moved).toBeUndefined();
});

test('spread errors are significant, as many in one outage are not', () => {
  const spread = sampleRun(failing(() => 2));
  const outage = sampleRun(failing((at) => (at === 4 ? 40 : 0)));
  expect(compareRuns(sampleRun(), spread).errors).toMatchObject([{ outcome: 'server-error', moved: 'up' }]);
  const [bundled] = compareRuns(sampleRun(), outage).errors;
  expect(bundled?.after?.value).toBe(0.04);
  expect(bundled?.moved).toBeUndefined();
});

test('wrong answers are compared as a share of judged answers', () => {
  const slices = sampleFigures.slices.map((slice) => ({ ...slice, breached: 5 }));
  const { wrong } = compareRuns(sampleRun(), sampleRun({ slices, breached: 100 }));
  expect(wrong).toMatchObject({ after: { value: 0.1 }, moved: 'up' });
  expect(compareRuns(sampleRun({ judged: 0 }), sampleRun()).wrong.before).toBeUndefined();
});

test('figures of an undelivered load are shown without a comparison', () => {
  // A wrong answer outranks a doubt in the verdict.
  const slow = sampleRun({ ...timed(skewed(dice(2), 3)), dropped: 5, breached: 1 });
  expect(slow.verdict).toBe('nonconformant');
  const { percentiles, undecided } = compareRuns(sampleRun(timed(skewed(dice(1), 1))), slow);
  expect(undecided).toMatch(/not delivered/);
  expect(percentiles[1]?.after?.value).toBeGreaterThan(percentiles[1]?.before?.value ?? 0);
  for (const percentile of percentiles) expect(percentile?.moved).toBeUndefined();
});

test('runs of other stages, another mix or a single segment are refused', () => {
  const run = sampleRun();
  const load = { startPerMinute: 3000, stages: [{ perMinute: 3000, seconds: 21 }] };
  const mix = sampleTrial.mix.map((entry) => ({ ...entry, kind: 'other' }));
  const others = [sampleRun({}, { trial: { load } }), sampleRun({}, { trial: { mix } })];
  for (const other of [...others, sampleRun({}, { part: { segment: '1/4' } })])
    expect(() => compareRuns(run, other)).toThrow(UnlikeRuns);
  const elsewhere = { name: 'next', baseUrl: 'https://127.0.0.1:2' };
  expect(compareRuns(run, sampleRun({}, { trial: { target: elsewhere } })).after.target).toEqual(elsewhere);
});
