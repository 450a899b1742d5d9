import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { hourly, inverse, joinDay, withOffender } from '../testing/candles.ts';
import { height, letterWidth, sheet } from './layout.ts';
import { candlesSvg } from './svg.ts';

const price = fc.double({ noNaN: false });
const seconds = fc.oneof(fc.integer({ min: 1.7e9, max: 1.8e9 }), fc.double());
const anyCandle: fc.Arbitrary<DrawnCandle> = fc.record({
  start: seconds,
  end: seconds,
  open: price,
  high: price,
  low: price,
  close: price,
  avg: price,
  offending: fc.boolean(),
});

function scaled({ open, high, low, close, avg = Number.NaN }: DrawnCandle, by: number): Partial<DrawnCandle> {
  return { open: open * by, high: high * by, low: low * by, close: close * by, avg: avg * by };
}

test('any candles at all are drawn inside the sheet', () => {
  fc.assert(
    fc.property(fc.array(anyCandle, { minLength: 1, maxLength: 26 }), (candles) => {
      const { source } = candlesSvg(candles, 'any');
      const attributes = [...source.matchAll(/ (x|y|width|height|d)="([^"]*)"/g)];
      expect(attributes.map((attribute) => attribute[2]).join(' ')).not.toMatch(/NaN|Infinity|e/);
      const farthest = (name: string): number =>
        Math.max(
          0,
          ...attributes.filter((attribute) => attribute[1] === name).map((attribute) => Number(attribute[2])),
        );
      expect(farthest('x')).toBeLessThanOrEqual(sheet.width);
      expect(farthest('y')).toBeLessThanOrEqual(height);
      expect(source.match(/class="body"/g)).toHaveLength(candles.length);
    }),
  );
});

test('an average off the scale is named with its number', () => {
  const { source } = candlesSvg(withOffender(hourly(7), 3, { avg: 118.56 }), 'off');
  expect(source).toContain('avg 118.56 ↑ off the scale');
});

test('a label beside an arrow stays on the sheet, however long its prices are', () => {
  for (const fields of [
    { high: 9.12345678912, avg: 8.12345678912 },
    { low: 1.2345678e-7, avg: 9.2345678e-8 },
  ])
    for (const index of [0, 3, 6]) {
      const { source } = candlesSvg(withOffender(hourly(7), index, fields), 'wide');
      const [, side, x, text = ''] = /class="off (\w+)" x="([\d.]+)"[^>]*>([^<]*)/.exec(source) ?? [];
      const width = text.length * letterWidth;
      expect(text).toMatch(/[↑↓]/);
      if (side === 'before') expect(Number(x) - width).toBeGreaterThanOrEqual(0);
      else expect(Number(x) + width).toBeLessThanOrEqual(sheet.width);
    }
});

test('a step that a series leaves again is a line, with its size and time in words', () => {
  const spike = (candle: DrawnCandle): DrawnCandle => ({
    ...candle,
    ...scaled(candle, 3),
    close: candle.close * 2.5,
  });
  const series = hourly(8).map((candle, at) => (at === 5 ? spike(candle) : candle));
  const { source } = candlesSvg(series, 'step');
  expect(source).toMatch(
    /the price steps from 0\.048\d* to 0\.14\d* \(× [23][\d.]*\) at 2025-11-12 05:00 UTC/,
  );
  expect(source).toContain('<path class="end"');
});

test('two scales of one series are named before and after the step', () => {
  const tripled = hourly(8).map((candle, at) => (at < 5 ? candle : { ...candle, ...scaled(candle, 3) }));
  expect(candlesSvg(tripled, 'tripled').source).toMatch(/>before the step<.*>after it</s);
  const series = hourly(8).map((candle, at) => (at < 5 ? candle : inverse(candle)));
  const { source } = candlesSvg(series, 'flip');
  expect(source).toMatch(/>before the step<.*>after it</s);
  expect(
    candlesSvg(
      hourly(2).flatMap((candle) => [candle, inverse(candle)]),
      'twins',
    ).source,
  ).not.toContain('step');
});

test('a high beneath the low is marked by name', () => {
  const { source } = candlesSvg(withOffender(hourly(7), 5, { high: 0.047 }), 'broken');
  expect(source.match(/class="end-name"/g)).toHaveLength(2);
});

test('a day with its hours keeps candles and times apart', () => {
  const hours = hourly(24);
  const { source } = candlesSvg([joinDay(hours), ...hours], 'day');
  const times = [...source.matchAll(/class="time" x="([\d.]+)"/g)].map((match) => Number(match[1]));
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...steps)).toBeGreaterThan(26);
});

test('the first time lies inside the drawing, beneath its candle', () => {
  const { source } = candlesSvg(hourly(24), 'narrow');
  const [, x, label] = /class="time" x="([\d.]+)" y="\d+">([^<]+)</.exec(source) ?? [];
  expect([Number(x) > 19, label]).toEqual([true, '01:00']);
});

test('the drawing tells its candles to a screen reader', () => {
  const { source } = candlesSvg(withOffender(hourly(3), 1, { avg: 9 }), 'reported');
  expect(source).toContain('role="img" aria-labelledby="reported-title" aria-describedby="reported-text"');
  expect(source).toContain(
    '3 candles from 2025-11-12 00:00 to 03:00 UTC; the one in question: 2025-11-12 01:00 to 02:00 UTC',
  );
});
