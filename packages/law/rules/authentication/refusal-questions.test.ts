import { expect, test } from '@playwright/test';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import { all, count, damageExchange, header, status, text, withExchanges } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

const healthy = record(usualWorld);

test('a wrong key is refused like a missing one, or otherwise', () => {
  expect(answerInWorld('authentication/missing-and-wrong-key')).toBe('in the same way');
  const other = damageExchange(healthy, 'trial random', text('{"reason":"unknown"}'));
  expect(findAnswer('authentication/missing-and-wrong-key', other)).toBe('in another way');
  const empty = damageExchange(healthy, 'trial empty', status(400));
  expect(findAnswer('authentication/missing-and-wrong-key', empty)).toBe('in the same way');
});

test('it is reported whether pools are looked for before the key', () => {
  expect(answerInWorld('authentication/order-of-checks')).toBe(
    'interval-unknown after the key, pool-unknown after the key',
  );
  const leaking = damageExchange(healthy, 'pool-unknown unkeyed', status(404));
  expect(findAnswer('authentication/order-of-checks', leaking)).toBe(
    'interval-unknown after the key, pool-unknown before the key (404)',
  );
  expect(answerInWorld('authentication/order-of-checks', { keyless: true })).toBeUndefined();
});

test('what counts is reported for each status, with the key and without', () => {
  expect(answerInWorld('quota/what-counts')).toBe(
    '304-to-our-key not counted, 400-to-our-key not counted, 401-without-a-key not counted, 404-to-our-key not counted, head-200-to-our-key not counted, post-405-to-our-key not counted',
  );
  const counting = answerInWorld('quota/what-counts', { refusalsCount: true });
  expect(counting).toContain('404-to-our-key counted');
  expect(counting).toContain('401-without-a-key counted');
  expect(answerInWorld('quota/what-counts', { foreign: 3 })).toBeUndefined();
});

test('other headers of rate limits are named, the documented ones are not', () => {
  expect(answerInWorld('quota/other-headers')).toBe('none');
  const both = withExchanges(healthy, (exchanges) =>
    exchanges.map(all(header('ratelimit-policy', '1'), header('x-rate-limit-window', '2'))),
  );
  expect(findAnswer('quota/other-headers', both)).toBe('ratelimit-policy and x-rate-limit-window');
});

test('requests beyond the limit are reported as served or refused', () => {
  const quota = { limit: 140, used: 135, zone: 0, early: 1, servedBeyond: true } as const;
  expect(answerInWorld('quota/over-limit', { quota })).toBe('served');
  expect(answerInWorld('quota/over-limit', { quota: { ...quota, servedBeyond: false } })).toBe(
    'refused with 429 without Retry-After',
  );
  expect(answerInWorld('quota/over-limit')).toBeUndefined();
});

test('the age of a cached candle is reported in classes', () => {
  expect(answerInWorld('transport/age')).toBe('not reported');
  const aged = (seconds: string) =>
    findAnswer('transport/age', damageExchange(healthy, 'latest DAY', header('age', seconds)));
  expect(['0', '12', '600', 'old'].map(aged)).toEqual([
    'fresh',
    'up to a minute',
    'more than a minute',
    'not reported',
  ]);
});

test('a key that is spent says nothing of requests that are too fast', () => {
  const fast = damageExchange(
    healthy,
    'week DAY',
    all(
      status(429),
      header('retry-after', '1'),
      count('x-ratelimit-remaining', () => 0),
    ),
  );
  expect(findAnswer('quota/over-limit', fast)).toBeUndefined();
});
