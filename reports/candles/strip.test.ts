import { expect, test } from '@playwright/test';
import { describeStrip, gapsTable, stripSvg } from './strip.ts';

const hour = 3600;
const start = Date.UTC(2026, 2, 2) / 1000;
const gap = (from: number, rows: number) => ({
  start: start + from * hour,
  end: start + (from + rows) * hour,
});

const strip = { start, end: start + 100 * hour, length: hour, gaps: [gap(12, 1), gap(36, 3)] };

test('a strip says how many intervals its gaps lack, and its span', () => {
  expect(describeStrip(strip)).toBe(
    '2 gaps, 4 intervals in all, from 2026-03-02 00:00 to 2026-03-06 04:00 UTC',
  );
});

test('every gap is drawn where it lies, and wide enough to be seen', () => {
  const drawn = [
    ...stripSvg(strip).source.matchAll(/class="lost" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g),
  ];
  const [first, second] = drawn.map(([, x, width]) => ({ x: Number(x), width: Number(width) }));
  expect(drawn).toHaveLength(2);
  expect(first?.x).toBeCloseTo(4 + 0.12 * 292, 1);
  expect(first?.width).toBeGreaterThanOrEqual(2);
  expect(second?.width).toBeCloseTo(0.03 * 292, 1);
});

test('the table has a row a gap with its rows', () => {
  const { source } = gapsTable(strip);
  expect(source.replace(/<[^>]*>/g, ' ')).toContain('2026-03-03 12:00 to 15:00 UTC  3');
});
