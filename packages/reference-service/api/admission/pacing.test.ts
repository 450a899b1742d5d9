import { expect, test } from '@playwright/test';
import { buildRig } from '../../testing/rig.ts';
import { clientAddress, clientNetwork, normalizeAddress } from './pacing.ts';

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
  expect(rig.ask('/tokens', { client: '192.0.2.7' })).not.toHaveProperty('delivery', expect.anything());
  expect(rig.ask('/tokens', { apiKey: undefined, client: '192.0.2.7' })).not.toHaveProperty(
    'delivery',
    expect.anything(),
  );
  expect(wrong(1, '192.0.2.8')).toEqual([0]);
  expect(Math.max(...wrong(200))).toBe(10_000);
  rig.now += 80_000;
  expect(wrong(20).every((delay) => delay === 0)).toBe(true);
});

test('the wrong keys of a dozen consecutive checks are not delayed', () => {
  const rig = buildRig({ now: NOW });
  for (let trial = 0; trial < 12 * 20; trial++)
    expect(rig.ask('/tokens', { apiKey: 'wrong' })).not.toHaveProperty('delivery', expect.anything());
});

test('a wrong key is not a guess where no key is needed', () => {
  const rig = buildRig({ now: NOW, profile: 'testnet' });
  for (let trial = 0; trial < 400; trial++)
    expect(rig.ask('/tokens', { apiKey: 'wrong' })).not.toHaveProperty('delivery', expect.anything());
});

const trusted = new Set(['10.0.0.1', '10.0.0.2', '2001:db8::1']);

const cases: [what: string, peer: string, forwarded: string | undefined, client: string][] = [
  ['without a proxy', '192.0.2.7', undefined, '192.0.2.7'],
  ['a header of no proxy', '192.0.2.7', '203.0.113.9', '192.0.2.7'],
  ['one proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a mapped proxy', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['what the client made up before', '10.0.0.1', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['two proxies', '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['no address but a proxy', '10.0.0.1', '10.0.0.2', '10.0.0.1'],
  ['no address at all', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6 with a port', '2001:db8:0:0::1', '[2001:DB8:5::0:7]:4711', '2001:db8:5::7'],
  ['a proxy of itself', '10.0.0.1', undefined, '10.0.0.1'],
];

for (const [what, peer, forwarded, client] of cases) {
  test(`${what}: the client is ${client}`, () => {
    expect(clientAddress(normalizeAddress(peer) ?? '', forwarded, trusted)).toBe(client);
  });
}

test('invalid addresses are undefined', () => {
  for (const text of ['', 'unknown', '1.2.3', '256.1.1.1', 'host.example', '[::1', '_hidden'])
    expect(normalizeAddress(text), text).toBeUndefined();
});

test('all addresses of an IPv6 /64 network are one client', () => {
  const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2:0:0:0:5'];
  expect(new Set(addresses.map((text) => clientNetwork(normalizeAddress(text) ?? '')))).toEqual(
    new Set(['2001:db8:1:2::']),
  );
  expect(clientNetwork('2001:db8::1')).toBe('2001:db8:0:0::');
  expect(clientNetwork('192.0.2.7')).toBe('192.0.2.7');
});
