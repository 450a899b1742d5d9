import { expect, test } from '@playwright/test';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import { all, type Distort, header, status, withExchanges } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

const usual = record(usualWorld);

function everywhere(id: string, damage: Distort): string | undefined {
  return findAnswer(
    id,
    withExchanges(usual, (exchanges) => exchanges.map(damage)),
  );
}

test('caching is reported by operation, in names and without numbers', () => {
  expect(answerInWorld('transport/caching')).toBe('tokens none, history none, latest none');
  expect(answerInWorld('transport/caching', { compressed: true })).toContain('history gzip');
  const cached = all(
    header('etag', 'W/"a"'),
    header('cache-control', 'Public, max-age=17, secret=1'),
    header('vary', 'Origin, X-Api-Key'),
    header('age', '12'),
  );
  expect(everywhere('transport/caching', cached)).toContain(
    'tokens max-age + public + varies by origin + varies by x-api-key + weak ETag',
  );
});

test('the distance of the clocks is reported in classes', () => {
  expect(answerInWorld('transport/clock')).toBe('within five seconds');
  const late =
    (seconds: number): Distort =>
    (exchange) => ({
      ...exchange,
      startedAt: new Date(Date.parse(exchange.startedAt) + seconds * 1000).toISOString(),
    });
  expect(everywhere('transport/clock', late(30))).toBe('within a minute');
  expect(everywhere('transport/clock', late(-900))).toBe('more than a minute apart');
});

test('a rate limit is reported only by a run that meets it', () => {
  expect(answerInWorld('transport/rate-limit')).toBeUndefined();
  expect(everywhere('transport/rate-limit', status(429))).toBe('429, without Retry-After');
  expect(everywhere('transport/rate-limit', all(status(429), header('retry-after', '9')))).toBe(
    '429, Retry-After in seconds',
  );
});

test('headers that announce an end are named', () => {
  expect(answerInWorld('transport/deprecation')).toBe('none');
  const leaving = all(
    header('deprecation', '@1767225600'),
    header('sunset', 'Sat, 01 Aug 2026 00:00:00 GMT'),
  );
  expect(everywhere('transport/deprecation', leaving)).toBe('deprecation and sunset');
});
