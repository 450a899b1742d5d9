import { expect, test } from '@playwright/test';
import { formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from '../testing/tables.ts';

const day = 86_400;
const minutes = makeWalk(listTimes(390, 60), 3, 0.0005);
const later = (rows: readonly SampleRow[], seconds: number, factor: number): SampleRow[] =>
  rows.map(({ time, open, high, low, close, volume }) => ({
    ...{ time: time + seconds, volume, open: open * factor, high: high * factor },
    ...{ low: low * factor, close: close * factor },
  }));

test('rows of another company that had the symbol years before are another series, and its time no gap', async () => {
  const rows = [...minutes.slice(0, 3), ...later(minutes, 1300 * day, 3.7)];
  for (const ordered of [rows, rows.toReversed()]) {
    const { ranges, files } = await judgeTables({ a: formatCsv(ordered) }, { gaps: 'sessions' });
    expect(ranges.map(({ kind, certainty, doubt }) => [kind, certainty, doubt])).toEqual([
      ['jump', 'suspicion', 'table/other-series'],
    ]);
    expect(files[0]?.gaps).toEqual({ ranges: 0, intervals: 0 });
  }
});

test('a long hole beside which the price is the same is a gap', async () => {
  const rows = [...minutes, ...later(minutes, 1300 * day, 1.05)];
  const { ranges } = await judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions' });
  expect(ranges.map(({ kind }) => kind)).toEqual(['gap']);
});

test('a jump across lost rows of a market that never closes is noted beside the gap', async () => {
  const rows = makeWalk(listTimes(1500, 3600), 3, 0.004);
  const after = later(rows.slice(1000), 0, 0.6);
  const { ranges } = await judgeTables(
    { a: formatCsv([...rows.slice(0, 500), ...after]) },
    { gaps: 'sessions' },
  );
  expect(ranges.map(({ kind, certainty }) => [kind, certainty])).toEqual([
    ['gap', 'breach'],
    ['jump', 'observed'],
  ]);
  expect(ranges[1]?.detail).toMatch(/^a jump across the gap: close/);
});
