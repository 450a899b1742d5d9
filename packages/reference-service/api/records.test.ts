import { expect, test } from '@playwright/test';
import { buildRig } from '../testing/rig.ts';
import { candleText, formatUsd } from './records.ts';

test('cents are written without trailing zeros', () => {
  const cases: [bigint, string][] = [
    [0n, '0'],
    [5n, '0.05'],
    [50n, '0.5'],
    [100n, '1'],
    [465_353n, '4653.53'],
    [90_071_992_547_409_931_07n, '90071992547409931.07'],
  ];
  for (const [cents, text] of cases) expect(formatUsd(cents)).toBe(text);
});

test('the text of a candle equals the output of JSON.stringify', () => {
  const text = buildRig({ now: Date.UTC(2026, 10, 21) }).ask(
    '/pools/conversionRates/latest/1?interval=DAY',
  ).body;
  expect(JSON.stringify(JSON.parse(text))).toBe(text);
  const tiny = { ...JSON.parse(text), low: 5e-324, open: 1.5e-7, high: 1e21 };
  expect(candleText(tiny)).toBe(JSON.stringify(tiny));
});

test('all token prices in USD follow the same HBAR price', () => {
  const tokens = JSON.parse(buildRig({ now: Date.UTC(2026, 10, 21, 3, 4) }).ask('/tokens').body);
  const hbarUsd = tokens.find((token: { price: string }) => token.price === '100000000').priceUsd;
  for (const { price, priceUsd } of tokens) {
    const slack = 0.5e-8 + 1e-6 * priceUsd;
    expect(Math.abs(priceUsd - (Number(price) * hbarUsd) / 1e8)).toBeLessThanOrEqual(slack);
    if (priceUsd < 1e6) expect(Number(priceUsd.toFixed(8))).toBe(priceUsd);
  }
});
