import { expect, test } from '@playwright/test';
import { mergeRuns, UnlikeRuns } from './merge.ts';
import { sampleFigures, sampleRun } from './testing/runs.ts';

const quota = { limit: 10_000, remaining: 9000, additional: 0, reset: 1 };

function segment(name: string, remaining: number, latency: Record<number, number>) {
  const slices = sampleFigures.slices.map((slice) => ({ ...slice, sent: 12, judged: 3 }));
  return sampleRun(
    {
      sent: 250,
      answers: 250,
      checked: 250,
      judged: 60,
      latency,
      slices,
      quota: { ...quota, remaining },
      rules: { a: 1 },
    },
    { trial: { grant: 'g' }, part: { segment: name } },
  );
}

test('segments add up by count and bucket', () => {
  const run = mergeRuns([
    segment('1/4', 9100, { 60: 250 }),
    segment('2/4', 9050, { 60: 200, 70: 50 }),
    segment('3/4', 9200, { 61: 250 }),
    segment('4/4', 9080, { 60: 250 }),
  ]);
  expect(run.figures).toMatchObject({
    sent: 1000,
    judged: 240,
    latency: { 60: 700, 61: 250, 70: 50 },
    rules: { a: 4 },
    quota: { remaining: 9050 },
  });
  expect(run.figures.slices[0]).toMatchObject({ sent: 48, judged: 12 });
  expect(run.parts.map((part) => part.segment)).toEqual(['1/4', '2/4', '3/4', '4/4']);
  expect(run.verdict).toBe('conformant');
});

test('runs of different loads and repeated segments are refused', () => {
  const one = segment('1/2', 1, {});
  expect(() => mergeRuns([one, sampleRun()])).toThrow(UnlikeRuns);
  expect(() => mergeRuns([one, one])).toThrow('1/2 is there twice');
});
