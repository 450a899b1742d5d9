import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { INTERVALS } from '../market/candle.ts';
import { buildRig, type Rig } from '../testing/rig.ts';
import type { Distortion } from './distortion.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const SECOND = NOW / 1000;

/** Bends nothing, yet rows that might be bent are never taken from kept texts. */
const READ_ANEW: Distortion = { rows: (rows) => rows };

const poolQuery = fc.record({
  interval: fc.constantFrom('FIVEMIN', ...INTERVALS),
  inverted: fc.boolean(),
  from: fc.nat(5 * 86_400),
  length: fc.nat(3 * 86_400),
  clockBack: fc.constantFrom(0, 0, 0, 40_000, 100_000),
  correctedMinutes: fc.array(fc.nat(4 * 1440), { maxLength: 1 }),
});

function correct({ store }: Rig, minutesAgo: number, price: number): void {
  const t = SECOND - (SECOND % 60) - minutesAgo * 60;
  const amounts = { volume: 3n, volumeUsdCents: 1n, liquidity: 5n, liquidityUsdCents: 2n };
  store.change(() => ({ samples: [{ generation: 'v2', id: 1, arrived: [{ t, price, ...amounts }] }] }));
}

test('cached rows equal freshly read rows after any correction', () => {
  const rig = buildRig({ now: NOW, days: 4, allowance: { monthlyLimit: 1e6, hardCap: false } });
  let corrections = 0;
  fc.assert(
    fc.property(poolQuery, ({ interval, inverted, from, length, clockBack, correctedMinutes }) => {
      for (const minute of correctedMinutes) correct(rig, minute, ++corrections);
      rig.now = NOW - clockBack * 1000;
      const begin = SECOND - from;
      const range = `from=${begin}&to=${begin + length}&interval=${interval}&inverted=${inverted}`;
      const target = `/v2/pools/conversionRates/1?${range}`;
      rig.distortions = [];
      const first = rig.ask(target).body;
      const again = rig.ask(target).body;
      rig.distortions = [READ_ANEW];
      expect([first, again].map((body) => body === rig.ask(target).body)).toEqual([true, true]);
    }),
  );
});

test('a corrected minute changes an answer given before', () => {
  const rig = buildRig({ now: NOW, days: 4 });
  const target = `/v2/pools/conversionRates/1?interval=FIVEMIN&from=${SECOND - 2 * 86_400}&to=${SECOND}`;
  const before = JSON.parse(rig.ask(target).body);
  correct(rig, 1440, 987.5);
  const after = JSON.parse(rig.ask(target).body);
  const changed = before.filter(
    (row: object, index: number) => JSON.stringify(row) !== JSON.stringify(after[index]),
  );
  expect(changed).toHaveLength(1);
  expect(JSON.stringify(after)).toContain('"high":987.5');
});
