import { expect, test } from '@playwright/test';
import type { Gated } from '../gated.ts';
import { formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from '../testing/tables.ts';

const weekdays = listTimes(420, 86_400).filter((time) => new Date(time * 1000).getUTCDay() % 6 !== 0);
/** A share whose dividends were subtracted from older prices. */
const adjusted = makeWalk(weekdays, 4, 0.01).map(({ time, open, high, low, close, volume }): SampleRow => {
  const [first, top, bottom, last] = [open, high, low, close].map(
    (price) => Math.round(price * 100 - 9700) / 100,
  );
  return { time, open: first, high: top, low: bottom, close: last, volume } as SampleRow;
});

const judge = (rows: readonly SampleRow[]): Promise<Gated> =>
  judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions' });
const suspected = ({ ranges }: Gated): unknown[] =>
  ranges.flatMap(({ certainty, doubt, line }) => (certainty === 'suspicion' ? [[doubt, line]] : []));

test('prices of a share that an adjustment has put below zero are suspected once', async () => {
  const result = await judge(adjusted);
  expect(suspected(result).map((each) => (each as string[])[0])).toEqual(['price/adjusted-below-zero']);
  expect([result.verdict, result.remarks]).toEqual(['sound', []]);
});

test('spikes and jumps among prices below zero are judged by differences', async () => {
  const spiked = adjusted.map((row, at) => (at === 200 ? { ...row, high: row.high + 60 } : row));
  expect(suspected(await judge(spiked))).toContainEqual(['price/spike', 202]);
  const moved = adjusted.map((row, at) => (at < 200 ? row : change(row, (price) => price + 60)));
  expect(suspected(await judge(moved))).toContainEqual(['price/jump', 202]);
});

/** Changes all prices of a row. */
function change(row: SampleRow, by: (price: number) => number): SampleRow {
  const { open, high, low, close } = row;
  return { ...row, open: by(open), high: by(high), low: by(low), close: by(close) };
}

test('they are so before the first price below zero too, and where the unit changes', async () => {
  const fallen = adjusted.map((row, at) =>
    change(row, (price) => Math.round((price - at / 25 + 8) * 100) / 100),
  );
  expect(fallen.findIndex(({ low }) => low < 0)).toBeGreaterThan(80);
  const spiked = fallen.map((row, at) => (at === 30 ? { ...row, high: row.high + 60 } : row));
  expect(suspected(await judge(spiked))).toContainEqual(['price/spike', 32]);
  const raised = fallen.map((row, at) => (at < 40 ? change(row, (price) => 100 * price) : row));
  expect(suspected(await judge(raised))).toContainEqual(['price/jump', 42]);
});

test('power that is traded at weekends too is below zero by its nature', async () => {
  const power = makeWalk(listTimes(300, 86_400), 4, 0.01).map(({ time, open, high, low, close, volume }) => {
    const [first, top, bottom, last] = [open, high, low, close].map((price) => price - 97);
    return { time, open: first, high: top, low: bottom, close: last, volume } as SampleRow;
  });
  expect(suspected(await judge(power))).toEqual([]);
});
