import { expect, test } from '@playwright/test';
import { spec } from '../worlds/breach-case.ts';
import { type Distort, failure, header, rows, status, text } from '../worlds/damage.ts';
import { baseUrl, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import { reportedPool } from './candle.ts';
import type { ReceivedResponse } from './exchange.ts';
import { readExchange } from './reading.ts';

const { recording, names } = record(usualWorld);

/** Reads the answer of this name, damaged or not. */
function answer(name: string, damage: Distort = (same) => same, keyless = false) {
  const exchange = recording.exchanges[names.indexOf(name)];
  if (!exchange) throw new Error(`no request is called ${name}`);
  return readExchange(spec, { ...recording.target, keyless }, damage(exchange), 3);
}

test('a history is read with its request, time, quota and candles', () => {
  const { index, requested, complete, entitled, success, serverNow, quota, candles, misshapen } =
    answer('recent HOUR of 2');
  expect({ index, complete, entitled, success, misshapen }).toEqual({
    index: 3,
    complete: true,
    entitled: true,
    success: true,
    misshapen: [],
  });
  expect(requested).toMatchObject({ role: 'history', pool: 2, interval: 'HOUR' });
  expect(serverNow).toBe(Date.parse('2026-03-18T10:37:27Z') / 1000);
  expect(quota).toEqual({ limit: 10_000, remaining: 9869, additional: 0, reset: 1_775_001_599_999 });
  expect(candles).toHaveLength(48);
  expect(candles[5]).toMatchObject({ row: 5, start: 1_773_676_800, end: 1_773_680_400 });
});

test('tokens are records but not candles', () => {
  const { records, candles } = answer('tokens');
  expect([records.length, candles.length]).toEqual([4, 0]);
});

test('a refusal is complete but no success, and its body is not read', () => {
  const { complete, success, entitled, status: code, records } = answer('tokens unkeyed');
  expect({ complete, success, entitled, code, records }).toEqual({
    complete: true,
    success: false,
    entitled: false,
    code: 401,
    records: [],
  });
});

test('only a keyless target owes an answer without a key', () => {
  expect(answer('tokens unkeyed').entitled).toBe(false);
  expect(answer('tokens unkeyed', (same) => same, true).entitled).toBe(true);
});

test('a failed exchange is not a complete answer', () => {
  expect(answer('tokens', failure('timeout'))).toMatchObject({ complete: false, success: false });
  const cut: Distort = (exchange) => ({
    ...exchange,
    failure: { phase: 'receive', kind: 'truncated', message: 'cut' },
  });
  expect(answer('tokens', cut)).toMatchObject({ complete: false, success: false, records: [] });
});

test('an answer whose body was not recorded is a success that holds nothing', () => {
  const unrecorded: Distort = ({ response, ...exchange }) => {
    const { body: _, ...others } = response as ReceivedResponse;
    return { ...exchange, response: others };
  };
  const read = answer('tokens', unrecorded);
  expect(read).toMatchObject({ complete: true, success: true, records: [], misshapen: [] });
  expect(read).not.toHaveProperty('broken', expect.anything());
  expect(answer('tokens', text(''))).toHaveProperty('broken');
});

test('a URL elsewhere matches no operation', () => {
  const elsewhere: Distort = (exchange) => ({
    ...exchange,
    request: { ...exchange.request, url: `${baseUrl}x` },
  });
  const { requested, entitled, success } = answer('tokens', elsewhere);
  expect({ requested, entitled, success }).toEqual({ requested: undefined, entitled: false, success: false });
});

for (const reported of [undefined, '', 'yesterday', '99/99/99']) {
  test(`no time is read from a Date of ${JSON.stringify(reported)}`, () => {
    expect(answer('tokens', header('date', reported)).serverNow).toBeUndefined();
  });
}

test('a missing, repeated or non-numeric quota header is left out', () => {
  const limit = (value: string | string[] | undefined) =>
    answer('tokens', header('x-ratelimit-limit', value)).quota.limit;
  expect([undefined, '', '-1', '1e4', 'many', ['5', '5']].map(limit)).toEqual(Array(6).fill(undefined));
  expect([' 5 ', '0', '9999999999999999'].map(limit)).toEqual([5, 0, 1e16]);
});

test('a body that is not JSON is broken and holds nothing', () => {
  const { broken, records, misshapen } = answer('tokens', text('<html>'));
  expect(broken).toMatch(/\w/);
  expect({ records, misshapen }).toEqual({ records: [], misshapen: [] });
});

test('a body of another form is misshapen as a whole', () => {
  for (const reported of ['null', '5', '"x"', 'true', '{}', '{"length":3}']) {
    const { misshapen, records, candles } = answer('week DAY', text(reported));
    expect(misshapen).toEqual([expect.objectContaining({ keyword: 'type', field: '', pointer: '' })]);
    expect({ records, candles }).toEqual({ records: [], candles: [] });
  }
});

test('every row that is not a record is misshapen at its place', () => {
  const odd = [null, 5, 'x', true];
  const { misshapen, candles } = answer(
    'week DAY',
    rows((all) => [...odd, ...all]),
  );
  expect(misshapen.map(({ pointer, actual }) => [pointer, actual])).toEqual([
    ['/0', 'null'],
    ['/1', '5'],
    ['/2', '"x"'],
    ['/3', 'true'],
  ]);
  expect(candles.map((candle) => candle.row)).toEqual([4, 5, 6, 7, 8, 9, 10]);
});

test('decimal text in place of a number is read, though its form is a breach', () => {
  const { candles, misshapen } = answer(
    'week DAY',
    rows((all) =>
      all.map((row) => ({ ...row, open: '5', high: 'x', avg: null, startTimestampSeconds: 1e12 })),
    ),
  );
  const read = candles.map(({ open, high, avg, start }) => [open, high, avg, start]);
  expect(read).toEqual(Array(7).fill([5, NaN, NaN, NaN]));
  expect(misshapen.filter(({ keyword }) => keyword === 'type')).toHaveLength(21);
});

test('members named like methods are plain members', () => {
  const reported = '{"__proto__":{"open":7},"constructor":1,"poolId":';
  const { candles } = answer(
    'week DAY',
    text((body) => body.replace('{"poolId":', reported)),
  );
  expect(candles[0] && reportedPool(candles[0])).toBe(1);
  expect(candles[0]?.open).toBeGreaterThan(0);
  expect(candles[0]?.open).not.toBe(7);
});

test('a 200 is a success with or without a key, a redirect is not', () => {
  expect(answer('tokens unkeyed', status(200)).success).toBe(true);
  expect(answer('tokens', status(301)).success).toBe(false);
});
