import { expect, test } from '@playwright/test';
import { clientAddress, clientNetwork, normalizeAddress } from './client-address.ts';

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
