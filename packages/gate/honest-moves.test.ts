import { expect, test } from '@playwright/test';
import type { GateRange } from './gated.ts';
import { formatCsv, judgeTables, listTimes, makeWalk, type SampleRow } from './testing/tables.ts';

const [hour, day] = [3600, 86_400];
const hours = makeWalk(listTimes(3000, hour), 23, 0.002);

type Plant = (row: SampleRow, at: number) => Partial<SampleRow>;

/** Returns the doubts about prices in rows of which some are changed. */
async function findDoubts(
  rows: readonly SampleRow[],
  plant: Plant,
  isNewestFirst = false,
): Promise<string[]> {
  const changed = rows.map((row, at) => ({ ...row, ...plant(row, at) }));
  const text = formatCsv(isNewestFirst ? changed.toReversed() : changed);
  const { ranges } = await judgeTables({ a: text }, { gaps: 'observe', now: 4e9 });
  return ranges.flatMap(({ doubt }: GateRange) => (doubt?.startsWith('price/') ? [doubt] : []));
}

const times = ({ open, high, low, close }: SampleRow, factor: number): Partial<SampleRow> => ({
  ...{ open: open * factor, high: high * factor, low: low * factor, close: close * factor },
});

test('the first row may hold an auction, and the second may not', async () => {
  const wick = (place: number) => findDoubts(hours, ({ low }, at) => (at === place ? { low: low / 15 } : {}));
  expect([await wick(0), await wick(1)]).toEqual([[], ['price/spike']]);
  const newestFirst = (place: number) =>
    findDoubts(hours, ({ low }, at) => (at === place ? { low: low / 15 } : {}), true);
  expect([await newestFirst(0), await newestFirst(2999)]).toEqual([[], ['price/spike']]);
});

test('a trade at a hundredth is none of the market in its first days, unless it is as busy as later', async () => {
  const first = (volume: number) =>
    findDoubts(hours, (row, at) => ({
      ...(at === 20 && { low: row.low / 100 }),
      volume: at < 200 ? volume * row.volume : row.volume,
    }));
  expect([await first(0.01), await first(1)]).toEqual([[], ['price/spike']]);
});

test('a low beyond a fall is news, and one without a fall is a wrong tick', async () => {
  const franc = (after: number) =>
    findDoubts(hours, (row, at) => ({
      ...times(row, at > 1500 ? after : 1),
      ...(at === 1500 && { low: 0.72 * row.low }),
      volume: 0,
    }));
  expect((await franc(0.83)).filter((doubt) => doubt === 'price/spike')).toEqual([]);
  expect(await franc(1)).toEqual(['price/spike']);
});

test('a low beside a low of its kind is a price, and a lone one is a wrong tick', async () => {
  const lows = (factor: number) =>
    findDoubts(hours, ({ low }, at) => ({
      low: at === 1500 ? 0.8 * low : at === 1501 ? factor * low : low,
      volume: 0,
    }));
  expect([await lows(0.85), await lows(1)]).toEqual([[], ['price/spike']]);
});

test('a rise by half with 130 times the volume is news in either order, and without it a jump', async () => {
  const rise = (volume: number, isNewestFirst: boolean) =>
    findDoubts(
      hours,
      (row, at) => ({
        ...times(row, at >= 1500 ? 1.46 : 1),
        ...(at === 1500 && { open: row.open, low: row.low }),
        volume: at === 1500 ? volume * row.volume : row.volume,
      }),
      isNewestFirst,
    );
  for (const isNewestFirst of [false, true])
    expect([await rise(130, isNewestFirst), await rise(1, isNewestFirst)]).toEqual([[], ['price/jump']]);
});

test('a fall by 29 % is news where its volume dies away, and a jump where it stays', async () => {
  const fall = (later: number) =>
    findDoubts(hours, (row, at) => ({
      ...times(row, at >= 1500 ? 0.71 : 1),
      volume: row.volume * (at < 1500 || at > 1512 ? 1 : at === 1500 ? 20 : later),
    }));
  expect([await fall(4), await fall(20)]).toEqual([[], ['price/jump']]);
});

test('a lone trade in a thin market may be anywhere near, and in a busy one it is a spike', async () => {
  const lone = (share: number) =>
    findDoubts(hours, (row, at) => {
      const { close } = row;
      if (at === 1500) return { open: 1.3 * close, high: 1.3 * close, low: 1.3 * close, close: 1.3 * close };
      return at % 10 < 10 * share ? { open: close, high: close, low: close, volume: 1 } : {};
    });
  expect([await lone(0.4), await lone(0)]).toEqual([[], ['price/spike']]);
});

test('the first hour after a weekend may fall far and come back', async () => {
  const isOpen = (time: number): boolean => new Date(time * 1000).getUTCDay() % 6 !== 0;
  const rows = hours.filter(({ time }) => isOpen(time));
  const monday = rows.findIndex(({ time }, at) => at > 1000 && time - (rows[at - 1]?.time ?? time) > hour);
  const low = (place: number) =>
    findDoubts(rows, (row, at) => ({ low: at === place ? 0.9 * row.low : row.low, volume: 0 }));
  expect([await low(monday), await low(monday + 9)]).toEqual([[], ['price/spike']]);
});

test('the low of a day on which many markets crashed is news, and that of the day after it is not', async () => {
  const from = Date.parse('2009-06-01') / 1000;
  const rows = makeWalk(listTimes(600, day, from), 19, 0.006);
  const low = (date: string) =>
    findDoubts(rows, (row) => ({
      low: row.time === Date.parse(date) / 1000 ? 0.45 * row.low : row.low,
      volume: 0,
    }));
  expect([await low('2010-05-06'), await low('2010-05-07')]).toEqual([[], ['price/spike']]);
});

/** Rows of hours whose closes have three decimals, but two between two rows; `tick` is what they are multiples of there. */
const round =
  (tick: number, from: number, to: number, fine = (at: number) => at < 0): Plant =>
  (row, at) => {
    const of = (price: number): number => {
      const step = at >= from && at < to && !fine(at) ? tick : 0.001;
      return Number((Math.round((price + 0.0004 * (at % 7)) / step) * step).toFixed(6));
    };
    const [open, close] = [of(row.open), of(row.close)];
    return { open, close, high: of(Math.max(open, close) + 0.2), low: of(Math.min(open, close) - 0.2) };
  };

test('three hundred rounded rows are suspected, and a tick that lasts is not', async () => {
  expect(await findDoubts(hours, round(0.01, 1000, 1300))).toEqual(['price/rounded']);
  expect(await findDoubts(hours, round(0.01, 1000, 2200))).toEqual([]);
  expect(
    await findDoubts(
      hours,
      round(0.01, 1000, 2200, (at) => at === 1300),
    ),
  ).toEqual([]);
});

test('prices in parts of 32 are no rounded ones', async () => {
  const decimals: Plant = (row, at) => {
    const of = (price: number): number =>
      at >= 1000 && at < 1300 ? Math.round(price * 32) / 32 : Number((price + 1e-6).toFixed(6));
    return { open: of(row.open), close: of(row.close), high: of(row.high) + 1, low: of(row.low) - 1 };
  };
  expect(await findDoubts(hours, decimals)).toEqual([]);
});

test('two rows of eleven lots are no copy, and two of a volume of six digits are one', async () => {
  const copies = async (volume: (at: number) => number): Promise<number> => {
    const rows = hours.map((row, at) => ({ ...(at === 1501 ? { ...hours[1500], time: row.time } : row) }));
    const table = rows.map((row, at) => ({ ...row, volume: volume(at) })) as SampleRow[];
    return (await judgeTables({ a: formatCsv(table) }, { now: 4e9 })).counts.breach;
  };
  const lots = (at: number): number => (at === 1500 || at === 1501 ? 11 : 2 + ((at * 7) % 13));
  expect(await copies((at) => 1130 * lots(at) + 0.0002)).toBe(0);
  const hundreds = (at: number): number => 100 * (87_501 + (((at === 1501 ? 1500 : at) * 7919) % 130_017));
  expect(await copies(hundreds)).toBe(1);
});
