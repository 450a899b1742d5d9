import { answer, exchangeText, writeSpec } from '@candleproof/law/worlds/other-document';
import { expect, test } from '@playwright/test';
import { intervalPhase } from './interval.ts';
import { requireOperation } from './operation.ts';
import { buildPath } from './request-path.ts';

const stampedText = exchangeText
  .replace('/products/{product}/candles', '/products/{product}/candles/')
  .replaceAll('x-unit: iso, ', '')
  .replace('{ x-role: start, type: integer }', '{ x-role: start, type: string }');

test('seconds as text, and a path that ends in a slash, are sent, recognized and read', () => {
  const spec = writeSpec(stampedText);
  const values = { pool: 'BTC-USD', interval: '3600', from: 1_773_230_400, to: 1_773_244_800 };
  const path = buildPath(requireOperation(spec, 'history'), values);
  expect(path).toMatch(/^\/products\/BTC-USD\/candles\/\?.*start=1773230400&/);
  const { requested, entitled, candles, unreadable } = answer(spec, path, [
    ['1773241200', 9, 12, 10, 11, 5.5],
    ['315532800', 9, 12, 10, '11', 5.5],
    ['1773241200000', 9, 12, 10, 11, 5.5],
  ]);
  expect(requested).toMatchObject({ proper: true, from: values.from, to: values.to });
  expect(entitled).toBe(true);
  expect(answer(spec, path.replace('/?', '?'), []).entitled).toBe(false);
  expect(candles.map(({ start, close }) => [start, close])).toEqual([
    [1_773_241_200, 11],
    [315_532_800, 11],
    [Number.NaN, 11],
  ]);
  expect(unreadable).toBe(1);
});

test('milliseconds are not taken for seconds, nor seconds for milliseconds', () => {
  const inSeconds = writeSpec(stampedText);
  const inMilliseconds = writeSpec(
    stampedText.replaceAll(/x-role: (start|from|to),/g, 'x-role: $1, x-unit: ms,'),
  );
  for (const [spec, time] of [
    [inSeconds, 1_773_241_200_000],
    [inMilliseconds, 1_773_241_200],
  ] as const) {
    const path = `/products/BTC-USD/candles/?granularity=3600&start=${time}&end=${time}&region=us`;
    const { requested, unreadable } = answer(spec, path, [[String(time), 9, 12, 10, 11, 5.5]]);
    expect([requested?.proper, unreadable]).toEqual([false, 1]);
  }
});

test('a start keeps its millisecond, and an inclusive end is the second that it falls short of', () => {
  const units = [
    ['x-unit: ms, type: integer', (time: number) => time],
    ['x-unit: iso, type: string', (time: number) => new Date(time).toISOString()],
  ] as const;
  for (const [unit, write] of units) {
    const spec = writeSpec(
      exchangeText
        .replace('x-role: start, type: integer', `x-role: start, ${unit}`)
        .replace('x-role: volume, type: number', `x-role: end, ${unit}`),
    );
    const starts = [1_773_241_200_000, 1_773_244_799_999, 1_773_248_400_001];
    const rows = starts.map((start) => [write(start), 9, 12, 10, 11, write(start + 3_599_999)]);
    const { candles } = answer(spec, '/products/BTC-USD/candles?granularity=3600&region=us', rows);
    expect(candles.map(({ start, end }) => [start, end])).toEqual([
      [1_773_241_200, 1_773_244_800],
      [1_773_244_799.999, 1_773_248_399.998],
      [1_773_248_400.001, 1_773_252_000],
    ]);
    expect(candles.map(({ start }) => intervalPhase(start, 3600))).toEqual([0, 3599.999, 0.001]);
  }
});

test('ISO text without an offset is written and read in the zone that the document names', () => {
  const spec = writeSpec(
    exchangeText
      .replaceAll('x-unit: iso', 'x-unit: iso, x-zone: America/New_York')
      .replace(
        '{ x-role: start, type: integer }',
        '{ x-role: start, x-unit: iso, x-zone: America/New_York, type: string }',
      ),
  );
  const values = { pool: 'BTC-USD', interval: '3600', from: 1_773_230_400, to: 1_773_244_800 };
  const path = buildPath(requireOperation(spec, 'history'), values);
  expect(path).toContain('&start=2026-03-11T08%3A00%3A00&end=2026-03-11T12%3A00%3A00&');
  const { requested, candles } = answer(spec, path, [['2026-03-11 11:00:00', 9, 12, 10, 11, 5.5]]);
  expect(requested).toMatchObject({ proper: true, from: values.from, to: values.to });
  expect(candles[0]?.start).toBe(1_773_241_200);
  const clocks = ['00:30', '01:00', '01:30', '01:00', '01:30', '02:00'];
  const autumn = clocks.map((clock) => [`2026-11-01 ${clock}`, 9, 12, 10, 11, 5.5]);
  const halfHours = clocks.map((_, at) => 1_793_507_400 + 1800 * at);
  for (const rows of [autumn, autumn.toReversed()]) {
    const starts = answer(spec, path, rows).candles.map(({ start }) => start);
    expect(starts.sort()).toEqual(halfHours);
  }
  expect(() => writeSpec(exchangeText.replace('x-unit: iso', 'x-unit: iso, x-zone: Nowhere'))).toThrow(
    /openapi\.yaml:\d+: x-zone "Nowhere" is no zone; write an IANA name/,
  );
});

/** Rows under a key that is data, beside a member that the document names. */
const keyedText = exchangeText.replace(
  / {16}type: array\n {16}items:.*?(?=components:)/s,
  (list) => `                type: object
                properties: { last: { type: integer } }
                additionalProperties:
                  x-role: candles
${list.replace(/^ {16}/gm, '                  ')}`,
);

test('rows under a key that is the pool are read, whatever other keys there are', () => {
  const spec = writeSpec(keyedText);
  const row = [1_773_241_200, 9, 12, 10, 11, 5.5];
  const path = '/products/BTC-USD/candles?granularity=3600&region=us';
  const read = (body: unknown) => {
    const { candles, rowsAt, misshapen } = answer(spec, path, body);
    return [candles.length, rowsAt, misshapen.map(({ expected }) => expected)];
  };
  expect(read({ XBTUSD: [row], last: 5 })).toEqual([1, '/XBTUSD', []]);
  expect(read({ 'ETH-USD': [], 'BTC-USD': [row] })).toEqual([1, '/BTC-USD', []]);
  expect(read({ last: 5 })).toEqual([0, '', ['a list at BTC-USD']]);
  expect(read({ 'ETH-USD': [row], 'A-USD': [row] })).toEqual([0, '', ['a list at BTC-USD']]);
});
