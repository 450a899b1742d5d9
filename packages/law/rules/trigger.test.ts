import { expect, test } from '@playwright/test';
import { answer, exchangeText, target, writeSpec } from '../worlds/other-document.ts';
import { findTrigger } from './trigger.ts';

test('an interval of the enum without a length is no fault of the request, and another value is one', () => {
  const spec = writeSpec(exchangeText.replace('enum: [60, 300,', 'enum: [60, 300, 900,'));
  const read = (interval: number) =>
    answer(spec, `/products/BTC-USD/candles?granularity=${interval}&start=2026-03-11&region=us`, []);
  expect([900, 901, 3600].map((interval) => findTrigger(spec, target, read(interval)))).toEqual([
    undefined,
    'interval-unknown',
    undefined,
  ]);
  expect(read(900).requested).toMatchObject({ interval: '900', proper: false });
});
