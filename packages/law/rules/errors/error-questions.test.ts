import { expect, test } from '@playwright/test';
import { findContradicted, pinAfter } from '../../judge/baseline.ts';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import { all, damageExchange, header, status, text, withExchanges } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

const healthy = record(usualWorld);

/** Returns the catalogue's part for one fault. */
function findPart(fault: string, recorded = healthy): string | undefined {
  return findAnswer('errors/catalogue', recorded)
    ?.split(', ')
    .find((part) => part.startsWith(`${fault} `));
}

test('each fault is reported with status, label and form of its answer', () => {
  expect(findPart('from-left-out')).toBe('from-left-out 400 json object');
  expect(findPart('path-unknown')).toBe('path-unknown 404 html text');
  expect(findPart('method-head')).toBe('method-head 200 empty');
  expect(findPart('unkeyed-pool-unknown')).toBe('unkeyed-pool-unknown 401 json object');
});

test('a refusal without the quota headers is reported as such', () => {
  const bare = damageExchange(healthy, 'pool-unknown', header('x-ratelimit-reset', undefined));
  expect(findPart('pool-unknown', bare)).toBe('pool-unknown 404 json object without quota');
});

test('a spent quota and a gateway in trouble are no answer to a fault', () => {
  for (const code of [429, 503]) {
    expect(findPart('from-left-out', damageExchange(healthy, 'from-left-out', status(code)))).toBeUndefined();
  }
});

test('a list for a faulty request is reported as one', () => {
  expect(findPart('from-after-to', record({ ...usualWorld, lenient: true }))).toBe(
    'from-after-to 200 json list',
  );
});

test('a run that requested other faults changes no pin, another answer does', () => {
  const whole = findAnswer('errors/catalogue', healthy) ?? '';
  const fewer = withExchanges(healthy, (exchanges) =>
    exchanges.filter(({ request }) => !/from=|TOKENS|no-such/.test(request.url) || /MONTH/.test(request.url)),
  );
  const part = findAnswer('errors/catalogue', fewer) ?? '';
  expect(part.length).toBeLessThan(whole.length);
  expect(findContradicted('errors/catalogue', whole, part)).toBeUndefined();
  expect(pinAfter('errors/catalogue', whole, part).split(', ').sort()).toEqual(whole.split(', ').sort());
  const other =
    findAnswer('errors/catalogue', damageExchange(healthy, 'interval-unknown', status(422))) ?? '';
  expect(findContradicted('errors/catalogue', whole, other)).toBe(whole);
});

test('members of an error are named, and no text of a target is', () => {
  expect(answerInWorld('errors/members')).toBe('400 message, 404 message');
  const odd = damageExchange(healthy, 'pool-unknown', text('{"code":1,"a, b":2,"detail":"secret"}'));
  expect(findAnswer('errors/members', odd)).toBe('400 message, 404 code + detail');
});

test('members of a refusal by a gateway are none of the API', () => {
  const bare = ['limit', 'remaining', 'additional-total', 'reset'].map((name) =>
    header(`x-ratelimit-${name}`, undefined),
  );
  const ofGateway = damageExchange(healthy, 'pool-unknown', all(...bare, text('{"error":"no route"}')));
  expect(findAnswer('errors/members', ofGateway)).toBe('400 message');
});

test('spellings of inverted mean what the candle shows', () => {
  expect(answerInWorld('inversion/spellings')).toBe('in-capitals refused (400)');
  expect(answerInWorld('inversion/spellings', { lenient: true })).toBe('in-capitals means true');
});

test('a query on the token list is ignored, refused or heeded', () => {
  expect(answerInWorld('tokens/queries')).toBe('refused (400)');
  expect(answerInWorld('tokens/queries', { lenient: true })).toBe('ignored');
  const short = damageExchange(
    record({ ...usualWorld, lenient: true }),
    'tokens-query',
    text((body) => JSON.stringify(JSON.parse(body).slice(0, 1))),
  );
  expect(findAnswer('tokens/queries', short)).toBe('heeded');
});

test('a service out of order says when to come back, or does not', () => {
  const out = (...wait: string[]) =>
    findAnswer(
      'errors/retry-after',
      damageExchange(healthy, 'from-left-out', all(status(503), header('retry-after', wait))),
    );
  expect([out(), out('30'), out('Wed, 18 Mar 2026 11:00:00 GMT')]).toEqual(['no', 'in seconds', 'as a date']);
  expect(answerInWorld('errors/retry-after')).toBeUndefined();
});
