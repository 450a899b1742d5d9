import { expect, test } from '@playwright/test';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import { damageExchange, fields, withExchanges } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

test('the lag of the latest candle is reported in classes', () => {
  expect(answerInWorld('latest/lag')).toBe('within five minutes');
  expect(answerInWorld('latest/lag', { lag: 260 })).toBe('within five minutes; or within ten minutes');
  expect(answerInWorld('latest/lag', { lag: 1500 })).toBe('within an hour');
  expect(answerInWorld('latest/lag', { lag: 9000 })).toBe('more than an hour');
});

test('a silent pool beside a living one is no lag', () => {
  const old = { timestampSeconds: 1_700_000_000, startTimestampSeconds: 1_699_999_200 };
  const silent = damageExchange(record(usualWorld), 'latest HOUR of 2', fields(0, old));
  const latest = withExchanges(silent, (all) =>
    all.filter((exchange) => exchange.request.url.includes('/latest/')),
  );
  expect(findAnswer('latest/lag', latest)).toBe('within five minutes');
  expect(findAnswer('latest/silent-pool', latest)).toBe('its last candle, however old');
});

test('a living pool tells nothing of silent ones', () => {
  expect(answerInWorld('latest/silent-pool')).toBeUndefined();
});
