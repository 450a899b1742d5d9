import { expect, test } from '@playwright/test';
import { type Double, type DoubleWorld, worlds } from './double.ts';
import { dayMs, hourMs, minuteMs } from './market.ts';
import { openPoolOhlcv, poolFaults } from './pool-ohlcv.double.ts';
import { ask, column, steps, sum } from './requesting.ts';

const [world] = worlds as [DoubleWorld];
const now = Date.parse(world.opensAt);

let double: Double;
test.beforeAll(async () => {
  double = await openPoolOhlcv(world);
});
test.afterAll(() => double.close());

const poolPath = (rest: string, pool = double.pools[0]) => `/api/v2/networks/eth/pools/${pool}/ohlcv/${rest}`;
const candles = async (rest: string, pool = double.pools[0]): Promise<number[][]> => {
  const { status, body } = await ask(double, poolPath(rest, pool));
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: { type: 'ohlcv_request_response' }, meta: { base: {}, quote: {} } });
  return readRows(body);
};

function readRows(body: unknown): number[][] {
  return (body as { data: { attributes: { ohlcv_list: number[][] } } }).data.attributes.ohlcv_list;
}

test('a response holds 100 rows by itself and never more than 1000', async () => {
  for (const [query, rows] of [
    ['', 100],
    ['?limit=7', 7],
    ['?limit=1000', 1000],
  ] as const)
    expect(await candles(`minute${query}`)).toHaveLength(rows);
  expect((await ask(double, poolPath('minute?limit=1001'))).status).toBe(400);
});

test('rows come newest first, six numbers each, with their start in seconds', async () => {
  const rows = await candles('hour');
  expect(steps(column(rows, 0))).toEqual([-3600]);
  expect(rows[0]?.[0]).toBe((now - (now % hourMs)) / 1000);
  for (const row of rows) expect(row.map((value) => typeof value)).toEqual(Array(6).fill('number'));
});

test('rows are before the requested time', async () => {
  const to = (now - (now % hourMs)) / 1000 - 7200;
  expect(column(await candles(`hour?before_timestamp=${to}&limit=2`), 0)).toEqual([to - 3600, to - 7200]);
  expect(column(await candles(`hour?before_timestamp=${to + 1}&limit=1`), 0)).toEqual([to]);
});

test('idle intervals are omitted and earlier rows fill the limit', async () => {
  const starts = column(await candles('hour?limit=200', double.pools[1]), 0);
  expect(starts).toHaveLength(200);
  expect(starts.every((start, at) => at === 0 || start < (starts[at - 1] ?? 0))).toBe(true);
  expect(steps(starts).filter((step) => step < -3600).length).toBeGreaterThan(0);
});

test('an aggregate makes longer rows', async () => {
  expect(steps(column(await candles('hour?aggregate=4&limit=5'), 0))).toEqual([-4 * 3600]);
  expect((await ask(double, poolPath('day?aggregate=4'))).status).toBe(400);
});

test('no row is before the creation of the pool', async () => {
  const days = column(await candles('day?limit=1000'), 0);
  const made = now - world.age * dayMs;
  expect(days.at(-1)).toBe((made - (made % dayMs)) / 1000);
  expect(await candles('day?before_timestamp=1600000000')).toEqual([]);
});

test('hours add up their minutes except for rounding of doubles', async () => {
  for (const pool of double.pools) {
    const to = (now - (now % dayMs) - 5 * hourMs) / 1000;
    const [hour = []] = await candles(`hour?before_timestamp=${to}&limit=1`, pool);
    const all = await candles(`minute?before_timestamp=${to}&limit=60`, pool);
    const parts = all.filter(([start = 0]) => start >= to - 3600).reverse();
    expect(hour.slice(0, 5)).toEqual([
      to - 3600,
      parts[0]?.[1],
      Math.max(...column(parts, 2)),
      Math.min(...column(parts, 3)),
      parts.at(-1)?.[4],
    ]);
    expect(Math.abs((hour[5] ?? 0) / sum(column(parts, 5)) - 1)).toBeLessThan(1e-12);
  }
});

test('a faulty request is refused with a list of errors', async () => {
  const cases: Record<string, number> = {
    [poolPath('week')]: 400,
    [poolPath('hour?aggregate=5')]: 400,
    [poolPath('hour?limit=many')]: 400,
    [poolPath('hour?before_timestamp=yesterday')]: 400,
    [poolPath('hour', `0x${'0'.repeat(40)}`)]: 404,
    '/api/v2/networks/moon/pools/0x1/ohlcv/hour': 404,
  };
  for (const [path, status] of Object.entries(cases)) {
    const refusal = await ask(double, path);
    expect(refusal.status, path).toBe(status);
    expect(refusal.body).toEqual({ errors: [{ status: String(status), title: expect.any(String) }] });
  }
});

test('a response is cacheable for a minute and has its age', async () => {
  const { headers } = await ask(double, poolPath('hour'));
  const again = await ask(double, poolPath('hour'), { 'if-none-match': String(headers.etag) });
  expect(headers['cache-control']).toBe('max-age=60, public');
  expect(Number(headers.age)).toBeLessThan(60);
  expect(again).toMatchObject({ status: 304, body: undefined });
});

test('the open row grows from minute to minute', async () => {
  let time = now;
  const moving = await openPoolOhlcv({ ...world, clock: () => time });
  const volume = async (): Promise<number | undefined> =>
    readRows((await ask(moving, poolPath('day?limit=1'))).body)[0]?.[5];
  const before = await volume();
  time += 1000;
  expect(await volume()).toBe(before);
  time += 10 * minuteMs;
  expect(await volume()).toBeGreaterThan(before ?? 0);
  moving.close();
});

test('it has ten faults, each with a rule of its own', () => {
  expect(new Set(poolFaults.map(({ name }) => name)).size).toBe(10);
  expect(new Set(poolFaults.map(({ rule }) => rule)).size).toBe(10);
});
