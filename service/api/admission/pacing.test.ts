import { expect, test } from '@playwright/test';
import { buildRig } from '../../testing/rig.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);

test('wrong keys of one address are delayed after three hundred, and no others are', () => {
  const rig = buildRig({ now: NOW });
  const wrong = (count: number, client = '192.0.2.7'): number[] =>
    Array.from({ length: count }, (_, index) => {
      const { status, delivery } = rig.ask('/tokens', { apiKey: `wrong ${index}`, client });
      expect(status).toBe(401);
      return delivery?.wait ?? 0;
    });
  expect(wrong(300).every((delay) => delay === 0)).toBe(true);
  expect(wrong(3).map(Math.round)).toEqual([200, 400, 600]);
  expect(rig.ask('/tokens', { client: '192.0.2.7' })).not.toHaveProperty('delivery');
  expect(rig.ask('/tokens', { apiKey: undefined, client: '192.0.2.7' })).not.toHaveProperty('delivery');
  expect(wrong(1, '192.0.2.8')).toEqual([0]);
  expect(Math.max(...wrong(200))).toBe(10_000);
  rig.now += 80_000;
  expect(wrong(20).every((delay) => delay === 0)).toBe(true);
});

test('the wrong keys of a dozen consecutive checks are not delayed', () => {
  const rig = buildRig({ now: NOW });
  for (let trial = 0; trial < 12 * 20; trial++)
    expect(rig.ask('/tokens', { apiKey: 'wrong' })).not.toHaveProperty('delivery');
});

test('a wrong key is not a guess where no key is needed', () => {
  const rig = buildRig({ now: NOW, profile: 'testnet' });
  for (let trial = 0; trial < 400; trial++)
    expect(rig.ask('/tokens', { apiKey: 'wrong' })).not.toHaveProperty('delivery');
});
