import { expect, test } from '@playwright/test';
import { judgeIt } from '../testing/breach-case.ts';
import { type Damage, fields, header, withExchanges } from '../testing/damage.ts';
import { type Recorded, record } from '../testing/recorded.ts';
import { usualWorld, type World } from '../testing/world.ts';

function answer(id: string, recorded: Recorded): string | undefined {
  return judgeIt(recorded).observations.find((each) => each.id === id)?.answer;
}

function inWorld(id: string, choice: Partial<World> = {}): string | undefined {
  return answer(id, record({ ...usualWorld, ...choice }));
}

function everywhere(id: string, damage: Damage): string | undefined {
  return answer(
    id,
    withExchanges(record(usualWorld), (all) => all.map(damage)),
  );
}

const refusals: [World['refusal'], string][] = [
  [usualWorld.refusal, '401 with an object of message'],
  [{ status: 403, mediaType: 'text/plain', body: 'No' }, '403 with a body that is no JSON'],
  [{ status: 400, mediaType: 'application/json', body: '[]' }, '400 with a list'],
  [{ status: 404, mediaType: 'application/json', body: '"no"' }, '404 with a plain value'],
  [{ status: 302, mediaType: 'text/html', body: '' }, '302 without a body'],
];

for (const [refusal, told] of refusals) {
  test(`a refusal is told as ${told}`, () => {
    expect(inWorld('authentication/refusal', { refusal })).toBe(told);
  });
}

test('a keyless service has no refusal to tell of', () => {
  expect(inWorld('authentication/refusal', { keyless: true })).toBeUndefined();
});

test('the end of the quota’s month tells its zone', () => {
  const quota = usualWorld.quota;
  expect(inWorld('quota/zone')).toBe('at 23:59:59.999 UTC');
  expect(inWorld('quota/zone', { quota: { ...quota, zone: -4 * 3600, early: 0 } })).toBe(
    'at 04:00:00.000 UTC',
  );
  expect(inWorld('quota/zone', { quota: { ...quota, zone: 5.5 * 3600, early: 1 } })).toBe(
    'at 18:29:59.999 UTC',
  );
});

test('the unit of token prices is confirmed, or how many depart from it', () => {
  expect(inWorld('tokens/unit-of-price')).toBe(
    'price is in hundred-millionths of one coin: every priceUsd agrees',
  );
  const off = withExchanges(record(usualWorld), (all) =>
    all.map((each, at) => (at === 7 ? fields(1, { priceUsd: 1e6 })(each) : each)),
  );
  expect(answer('tokens/unit-of-price', off)).toBe("1 of 4 tokens depart from price × one coin's USD");
});

test('caching headers are named where they come', () => {
  expect(inWorld('transport/caching')).toBe('none');
  expect(inWorld('transport/caching', { compressed: true })).toBe('content-encoding');
  expect(everywhere('transport/caching', header('etag', '"a"'))).toBe('etag');
});

test('leave for other origins is told with the origin', () => {
  expect(inWorld('transport/cross-origin')).toBe('not offered');
  expect(everywhere('transport/cross-origin', header('access-control-allow-origin', '*'))).toBe('*');
});

test('each HTTP version that answered is named', () => {
  expect(inWorld('transport/protocol')).toBe('HTTP/1.1');
});
