import { expect, test } from '@playwright/test';
import { formatCsv, judgeTables, listTimes, type SampleRow } from '../testing/tables.ts';

let state = 3;
const draw = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

/** Makes minutes that move by up to three ticks around a price; 300 of them are rounded to tens of ticks. */
function makeMinutes(tick: number, range: number, isRounded: boolean): SampleRow[] {
  return listTimes(3000, 60).map((time, at) => {
    const ticks = 10_000 + Math.round(range * Math.sin(at / 30) + 3 * draw());
    const price = isRounded && at >= 1000 && at < 1300 ? 10 * Math.round(ticks / 10) : ticks;
    const close = Number((price * tick).toFixed(5));
    return { time, open: close, high: close + 20 * tick, low: close - 20 * tick, close, volume: 10 + at };
  });
}

const count = async (rows: readonly SampleRow[]): Promise<number> => {
  const { ranges } = await judgeTables({ a: formatCsv(rows) }, { gaps: 'sessions' });
  return ranges.filter(({ doubt }) => doubt === 'price/rounded').length;
};

test('three hundred rounded rows of few closes are suspected if they move', async () => {
  expect(await count(makeMinutes(0.0001, 60, false))).toBe(0);
  expect(await count(makeMinutes(0.0001, 60, true))).toBe(1);
  expect(await count(makeMinutes(0.0001, 2, true))).toBe(0);
});

test('rounded rows are suspected where many others lack the digit, but few in a row', async () => {
  const quarters = (isRounded: boolean): SampleRow[] =>
    makeMinutes(0.01, 900, false).map((row, at) => {
      const step = isRounded && at >= 1000 && at < 1300 ? 0.1 : 0.25;
      const close = Number((step * Math.round(row.close / step)).toFixed(2));
      return { ...row, open: close, high: close + 5, low: close - 5, close };
    });
  expect(await count(quarters(false))).toBe(0);
  expect(await count(quarters(true))).toBe(1);
});

test('prices in single precision are not rounded below 16, where it leaves them as they are', async () => {
  const rows = listTimes(1200, 86_400).map((time, at) => {
    const price = 18 + 4 * Math.sin(at / 190) + draw() / 5;
    const [low, close, high] = [price - 0.5, price, price + 0.5].map((each) =>
      Number(Math.fround(Number(each.toFixed(4))).toFixed(6)),
    ) as [number, number, number];
    return { time, open: close, high, low, close, volume: 10 + at };
  });
  expect(await count(rows)).toBe(0);
});
