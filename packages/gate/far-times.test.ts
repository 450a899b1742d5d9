import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { Sessions } from './judging/sessions.ts';
import { begin, formatCsv, judgeTables, makeWalk } from './testing/tables.ts';

const [day, year] = [86_400, 365 * 86_400];

/** Rows that follow each other but for a few jumps of up to 90 years. */
const tables = fc.record({
  step: fc.constantFrom(1, 7, 60, 900, 3600, day),
  parts: fc.array(
    fc.record({ rows: fc.integer({ min: 1, max: 400 }), jump: fc.integer({ min: 1, max: 90 }) }),
    {
      minLength: 2,
      maxLength: 4,
    },
  ),
});

test('a few times that are far away cost no more than their rows', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async ({ step, parts }) => {
      const times: number[] = [];
      for (const { rows, jump } of parts) {
        const from = times.length === 0 ? begin : (times.at(-1) ?? 0) + jump * year;
        // A month of rows shows when a market is open.
        const all = times.length === 0 ? Math.min(30 * day, 3000 * step) / step : rows;
        for (let at = 0; at < all; at++) times.push(from + at * step);
      }
      const csv = formatCsv(makeWalk(times, 1, 0.001), String);
      const { user: before } = process.cpuUsage();
      const gated = await judgeTables({ a: csv }, { gaps: 'sessions', unit: 's', now: 2e10 });
      expect(gated.files[0]?.rows).toBe(times.length);
      // Measured: at most 0.2 s for 4,200 rows; by the span, one jump took 5 to 30 s.
      expect((process.cpuUsage().user - before) / 1000).toBeLessThan(1500);
    }),
    { numRuns: 12 },
  );
});

test('a hole of years has as many open intervals as its weeks say', () => {
  const isOpen = (start: number): boolean => {
    const [weekday, second] = [new Date(start * 1000).getUTCDay(), start % day];
    return weekday > 0 && weekday < 6 && second >= 8 * 3600 && second < 16 * 3600;
  };
  const monday = Math.floor(begin / day) * day + 6 * day;
  for (const step of [60, 900]) {
    const sessions = new Sessions(step);
    const add = (from: number, to: number): void => {
      let last = Number.NaN;
      for (let start = from; start < to; start += step)
        if (isOpen(start)) {
          if (start - last > step) sessions.addHole({ first: last + step, last: start - step });
          sessions.add(start);
          last = start;
        }
    };
    add(monday, monday + 70 * day);
    const hole = { first: monday + 70 * day, last: monday + 70 * day + 700 * day - step };
    add(hole.last + step, hole.last + step + 70 * day);
    const rate = () => sessions.rate([hole]).get(hole);
    expect(rate()?.rows).toBe((500 * 8 * 3600) / step);
    expect(measureProcessorMs(rate)).toBeLessThan(500);
  }
});
