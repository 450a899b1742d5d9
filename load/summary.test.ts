import { expect, test } from '@playwright/test';
import { countedByK6, makeRun, readFigures, segmentName } from './summary.ts';
import { samplePart, sampleTrial } from './testing/runs.ts';

const count = (n: number) => ({ values: { count: n, rate: 1 } });

test('figures are the counts of k6, and 0 where there are none', () => {
  const figures = readFigures(
    countedByK6({
      metrics: {
        'load_total{of:sent}': count(12),
        'load_total{of:answers}': count(11),
        'load_outcome{of:ok}': count(10),
        'load_outcome{of:timeout}': count(1),
        'load_latency{of:60}': count(11),
        'load_latency{of:61}': count(0),
        'load_slice_0{of:sent}': count(3),
        'load_slice_0{of:latency-7}': count(3),
        dropped_iterations: count(4),
        load_quota_limit: { values: { value: 100, min: 100, max: 100 } },
        load_quota_remaining: { values: { value: 95, min: 88, max: 99 } },
        load_quota_additional: { values: { value: 0, min: 0, max: 2 } },
        load_quota_reset: { values: { value: 5, min: 5, max: 5 } },
      },
    }),
  );
  expect(figures).toMatchObject({
    sent: 12,
    answers: 11,
    checked: 0,
    dropped: 4,
    outcomes: { ok: 10, timeout: 1, limited: 0 },
    latency: { 60: 11 },
    quota: { limit: 100, remaining: 88, additional: 2, reset: 5 },
  });
  expect(figures.latency).not.toHaveProperty('61', expect.anything());
  expect(figures.slices[0]).toMatchObject({ sent: 3, latency: { 7: 3 } });
  expect(figures.slices[1]?.sent).toBe(0);
});

test('a run without counts has no quota and no latency', () => {
  const figures = readFigures(countedByK6({ metrics: {} }));
  expect(figures.quota).toBeUndefined();
  expect(figures.latency).toEqual({});
});

test('a segment is named as it was started', () => {
  const cuts = ['0:1/4', '1/4:1/2', '1/2:3/4', '3/4:1', '1/3:2/3', '0:1'];
  expect(cuts.map(segmentName)).toEqual(['1/4', '2/4', '3/4', '4/4', '2/3', '1/1']);
  expect(segmentName(null)).toBeUndefined();
});

test('a run reports an end by the floor', () => {
  const quota = (remaining: number) => ({
    ...{ load_quota_limit: { values: { value: 100 } }, load_quota_additional: { values: { max: 0 } } },
    ...{ load_quota_remaining: { values: { min: remaining } }, load_quota_reset: { values: { value: 5 } } },
  });
  const of = (remaining: number) =>
    makeRun({ ...sampleTrial, floor: 20 }, countedByK6({ metrics: quota(remaining) }), samplePart);
  expect(of(20).ended).toBe('floor');
  expect(of(21)).not.toHaveProperty('ended', expect.anything());
});
