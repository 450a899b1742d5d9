import { expect, test } from '@playwright/test';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { buildRig } from '../testing/rig.ts';
import type { IngestReport } from './ingest.ts';
import { type IngestOptions, ingest, SimulatedStore } from './ingest.ts';

const NOON = Date.UTC(2026, 10, 20, 12) / 1000;
const POOL = { type: 'pool', generation: 'v2', id: 5 };
const TOKEN = {
  type: 'token',
  id: '0.0.731861',
  icon: '/images/tokens/a.png',
  symbol: '🍲',
  decimals: 8,
  price: '90895760325000017',
  priceUsd: 7.1e-7,
  dueDiligenceComplete: true,
  isFeeOnTransferToken: false,
};

function observation(minute: number, changed: object = {}): object {
  const amounts = { volume: '20', volumeUsd: '0.5', liquidity: '900', liquidityUsd: '4653.53' };
  return {
    type: 'observation',
    generation: 'v2',
    pool: 5,
    time: NOON + minute * 60,
    price: 1 + minute,
    ...amounts,
    ...changed,
  };
}

function fed(store: SqliteStore, lines: readonly unknown[], options?: IngestOptions): Promise<IngestReport> {
  async function* text(): AsyncGenerator<string> {
    for (const line of lines) yield `${typeof line === 'string' ? line : JSON.stringify(line)}\n`;
  }
  return ingest(store, text(), options);
}

function fives(store: SqliteStore): unknown[] {
  return store.candles.closedCandles(
    store.facts.pool('v2', 5)?.pool ?? 0,
    'FIVEMIN',
    NOON,
    NOON + 9e5,
    NOON + 1e6,
  );
}

test('every kind of line is kept and counted', async () => {
  const store = new SqliteStore();
  const report = await fed(store, [TOKEN, POOL, observation(0), '', observation(7)]);
  expect(report).toEqual({
    accepted: { tokens: 1, pools: 1, observations: 2 },
    unchanged: 0,
    corrected: 0,
    refused: { count: 0, lines: [] },
  });
  const { type: _type, price, ...rest } = TOKEN;
  expect(store.tokens.listTokens(0)).toEqual([{ position: 0, ...rest, price: BigInt(price) }]);
  expect(store.facts.pool('v2', 5)).toMatchObject({ birth: NOON });
  expect(fives(store)).toMatchObject([
    { start: NOON, close: 1, volumeUsdCents: 50n, liquidityUsdCents: 465_353n },
    { start: NOON + 300, close: 8 },
  ]);
});

test('repeated lines change nothing', async () => {
  const store = new SqliteStore();
  const lines = [TOKEN, POOL, observation(3), observation(1), observation(2)];
  await fed(store, lines);
  const before = [fives(store), store.tokens.listTokens(0), store.facts.pools()];
  const nothing = { tokens: 0, pools: 0, observations: 0 };
  expect(await fed(store, lines)).toMatchObject({ accepted: nothing, unchanged: 5, corrected: 0 });
  expect([fives(store), store.tokens.listTokens(0), store.facts.pools()]).toEqual(before);
});

test('new values for the same minute or token correct it', async () => {
  const store = new SqliteStore();
  const later = observation(1, { price: 77, volume: '3' });
  const report = await fed(store, [POOL, TOKEN, observation(1), later, later, { ...TOKEN, symbol: 'X' }]);
  expect(report).toMatchObject({ accepted: { observations: 1, tokens: 1 }, unchanged: 1, corrected: 2 });
  expect(fives(store)).toMatchObject([{ samples: 1, open: 77, high: 77, volume: 3n }]);
  expect(store.tokens.listTokens(0)).toMatchObject([{ position: 0, symbol: 'X' }]);
});

test('refused lines are reported and change nothing', async () => {
  const store = new SqliteStore();
  const bad: [unknown, RegExp][] = [
    ['{"type":', /not JSON/],
    ['[]', /must be object/],
    [{ type: 'trade' }, /^type must be equal to one of/],
    [{ ...TOKEN, icon: null }, /^icon must be string/],
    [{ ...TOKEN, symbol: 'a\u0000' }, /^symbol must match/],
    [{ ...TOKEN, symbol: 'a\ud800' }, /^symbol must match/],
    [{ ...POOL, name: 'x' }, /has a field that the schema does not know/],
    [observation(0, { time: NOON + 1 }), /^time must be multiple of 60/],
    [observation(0, { price: 0 }), /^price must be >=/],
    [observation(0, { volume: '1.5' }), /^volume must match/],
    [observation(0, { volume: '9999999999999999' }), /^volume must match/],
    [observation(0, { volumeUsd: '1.234' }), /^volumeUsd must match/],
    [observation(0, { liquidity: undefined }), /must have required property 'liquidity'/],
    [observation(0, { pool: 6 }), /^pool 6 of generation v2 is not known/],
    ['x'.repeat(70_000), /longer than 65536 bytes/],
  ];
  const report = await fed(store, [POOL, ...bad.map(([line]) => line), observation(4)]);
  expect(report.accepted).toEqual({ tokens: 0, pools: 1, observations: 1 });
  expect(report.refused.lines.map((line) => line.line)).toEqual(bad.map((_, index) => index + 2));
  for (const [index, [, reason]] of bad.entries()) {
    expect(report.refused.lines[index]?.reason).toMatch(reason);
  }
  expect(fives(store)).toMatchObject([{ samples: 1, open: 5 }]);
  expect(store.tokens.listTokens(0)).toEqual([]);
});

test('all refused lines are counted and the first are listed', async () => {
  const lines = Array.from({ length: 50 }, (_, index) => (index === 7 ? POOL : '{}'));
  const { refused } = await fed(new SqliteStore(), lines, { mostRefusedShown: 3, batchSize: 1 });
  expect([refused.count, refused.lines.map((line) => line.line)]).toEqual([49, [1, 2, 3]]);
});

test('a failed batch is rolled back completely and earlier ones stay', async () => {
  const store = new SqliteStore();
  const lines = [POOL, observation(0), observation(1), observation(2), observation(3)];
  const failing = fed(store, lines, {
    batchSize: 2,
    onProgress: ({ accepted }) => {
      if (accepted.observations !== 3) return;
      store.facts.newestSample = () => {
        throw new Error('the disk is full');
      };
    },
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect(fives(store)).toMatchObject([{ samples: 3 }]);
});

test('the largest amounts of a day still fit', async () => {
  const store = new SqliteStore();
  const most = {
    volume: '5999999999999999',
    volumeUsd: '9999999999999.99',
    liquidity: '8999999999999999999',
  };
  const day = Array.from({ length: 1440 }, (_, minute) => observation(minute - 720, most));
  const { refused } = await fed(store, [POOL, ...day.map((line) => ({ ...line, price: 1e-150 }))]);
  expect(refused.lines).toEqual([]);
  const [candle] = store.candles.closedCandles(1, 'DAY', NOON - 43_200, NOON, NOON + 1e6);
  expect(candle).toMatchObject({ samples: 1440, volume: 5_999_999_999_999_999n * 1440n });
});

test('no data can be ingested into a simulated market', async () => {
  const { store } = buildRig({ now: NOON * 1000 });
  await expect(fed(store, [POOL])).rejects.toThrow(SimulatedStore);
});
