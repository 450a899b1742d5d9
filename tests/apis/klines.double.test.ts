import { expect, test } from '@playwright/test';
import { type Double, type DoubleWorld, worlds } from './double.ts';
import { klineFaults, openKlines } from './klines.double.ts';
import { dayMs, hourMs, minuteMs } from './market.ts';
import { ask, column, steps, sum } from './requesting.ts';

const [world] = worlds as [DoubleWorld];
const now = Date.parse(world.opensAt);

let double: Double;
test.beforeAll(async () => {
  double = await openKlines(world);
});
test.afterAll(() => double.close());

const klines = async (query: string): Promise<unknown[][]> => {
  const { status, body } = await ask(double, `/api/v3/klines?symbol=ETHUSDT&${query}`);
  expect({ status, isList: Array.isArray(body) }).toEqual({ status: 200, isList: true });
  return body as unknown[][];
};

test('a response holds 500 rows by itself and never more than 1000', async () => {
  for (const [limit, rows] of [
    ['', 500],
    ['&limit=7', 7],
    ['&limit=1000', 1000],
    ['&limit=1001', 1000],
  ] as const)
    expect(await klines(`interval=1m${limit}`)).toHaveLength(rows);
});

test('rows come oldest first, one for each interval, with their times in milliseconds', async () => {
  const rows = await klines('interval=1h');
  const starts = column(rows, 0);
  expect(steps(starts)).toEqual([hourMs]);
  expect(starts.at(-1)).toBe(now - (now % hourMs));
  expect(column(rows, 6)).toEqual(starts.map((start) => start + hourMs - 1));
});

test('a row holds twelve values, amounts as text with eight decimals', async () => {
  const [row = []] = await klines('interval=1h&limit=1');
  const kinds = row.map((value) => typeof value);
  const texts = row.filter((value, at) => typeof value === 'string' && at < 11);
  expect(kinds.join()).toBe(
    'number,string,string,string,string,string,number,string,number,string,string,string',
  );
  for (const text of texts) expect(text).toMatch(/^\d+\.\d{8}$/);
});

test('a range includes both ends and is cut at its end if too long', async () => {
  const from = now - (now % hourMs) - 5 * hourMs;
  const starts = async (to: number, more = '') =>
    column(await klines(`interval=1h&startTime=${from}&endTime=${to}${more}`), 0);
  expect(await starts(from + 2 * hourMs)).toEqual([0, 1, 2].map((at) => from + at * hourMs));
  expect(await starts(from + 2 * hourMs - 1)).toEqual([from, from + hourMs]);
  expect(await starts(from + 4 * hourMs, '&limit=2')).toEqual([from, from + hourMs]);
  expect(await starts(from - 1)).toEqual([]);
});

test('without a start the newest rows up to the end come', async () => {
  const to = now - (now % hourMs) - 5 * hourMs;
  expect(column(await klines(`interval=1h&endTime=${to}&limit=2`), 0)).toEqual([to - hourMs, to]);
});

test('weeks start on Monday', async () => {
  for (const start of column(await klines('interval=1w'), 0)) expect(new Date(start).getUTCDay()).toBe(1);
});

test('no row is before the day of listing', async () => {
  const starts = column(await klines('interval=1d&startTime=0'), 0);
  const listed = now - world.age * dayMs;
  expect(starts[0]).toBe(listed - (listed % dayMs));
  expect(await klines(`interval=1h&startTime=0&endTime=${listed - 2 * hourMs}`)).toEqual([]);
});

test('an idle minute has a row with the price before and no volume', async () => {
  const { body } = await ask(double, '/api/v3/klines?symbol=ADABTC&interval=1m');
  const rows = body as unknown[][];
  const idle = rows.findIndex((row, at) => at > 0 && row[8] === 0);
  const [close, row = []] = [rows[idle - 1]?.[4], rows[idle]];
  expect([...row.slice(1, 6), row[7]]).toEqual([close, close, close, close, '0.00000000', '0.00000000']);
});

test('hours add up their minutes and days their hours', async () => {
  const day = now - (now % dayMs) - dayMs;
  const at = (length: string, from: number, to: number) =>
    klines(`interval=${length}&startTime=${from}&endTime=${to - 1}&limit=1000`);
  for (const [longer, shorter, length] of [
    ['1h', '1m', hourMs],
    ['1d', '5m', dayMs],
  ] as const) {
    const [whole = []] = await at(longer, day, day + length);
    const parts = await at(shorter, day, day + length);
    expect(whole.slice(1, 3)).toEqual([parts[0]?.[1], whole[2]]);
    expect(Number(whole[2])).toBe(Math.max(...column(parts, 2)));
    expect(Number(whole[3])).toBe(Math.min(...column(parts, 3)));
    expect(whole[4]).toBe(parts.at(-1)?.[4]);
    expect(whole[8]).toBe(sum(column(parts, 8)));
    expect(Number(whole[5])).toBeCloseTo(sum(column(parts, 5)), 6);
  }
});

test('a faulty request is refused with a number and a reason', async () => {
  const cases: Record<string, number> = {
    'interval=1h': -1102,
    'symbol=ETHUSDT': -1102,
    'symbol=ETHUSDT&interval=HOUR': -1120,
    'symbol=NOBODY&interval=1h': -1121,
    'symbol=ETHUSDT&interval=1h&startTime=yesterday': -1100,
    'symbol=ETHUSDT&interval=1h&limit=0': -1130,
    'symbol=ETHUSDT&symbol=ETHUSDT&interval=1h': -1101,
    'symbol=ETHUSDT&interval=1h&color=red': -1104,
  };
  for (const [query, code] of Object.entries(cases)) {
    const { status, body } = await ask(double, `/api/v3/klines?${query}`);
    expect({ status, body }, query).toEqual({ status: 400, body: { code, msg: expect.any(String) } });
  }
});

test('a response has its time and is not cacheable', async () => {
  const { headers } = await ask(double, '/api/v3/klines?symbol=ETHUSDT&interval=1h&limit=1');
  expect(Date.parse(String(headers.date)) - now).toBeLessThan(minuteMs);
  expect(headers['cache-control']).toContain('no-store');
  expect(headers['content-type']).toBe('application/json;charset=UTF-8');
});

test('the open row grows over time', async () => {
  let time = now;
  const moving = await openKlines({ ...world, clock: () => time });
  const volume = async (): Promise<number> => {
    const { body } = await ask(moving, '/api/v3/klines?symbol=ETHUSDT&interval=1w&limit=1');
    return Number((body as unknown[][])[0]?.[5]);
  };
  const before = await volume();
  time += 10 * minuteMs;
  expect(await volume()).toBeGreaterThan(before);
  moving.close();
});

test('it has ten faults, each with a rule of its own', () => {
  expect(new Set(klineFaults.map(({ name }) => name)).size).toBe(10);
  expect(new Set(klineFaults.map(({ rule }) => rule)).size).toBe(10);
});
