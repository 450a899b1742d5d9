import { expect, test } from '@playwright/test';
import { isPrivateHost } from './private-address.ts';

const privateHosts =
  '127.0.0.1 127.9.9.9 2130706433 0x7f.1 0 0.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 [::1] [::] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [fc00::1] [fdff::1] [fe80::1] [febf::1] localhost LOCALHOST localhost. api.localhost a.b.localhost.';
const publicHosts =
  '8.8.8.8 9.255.255.255 11.0.0.1 172.15.255.255 172.32.0.1 192.167.1.1 192.169.0.1 169.253.0.1 126.0.0.1 128.0.0.1 [2001:db8::1] [::2] [::ffff:8.8.8.8] [fec0::1] [fbff::1] api.binance.com localhost.example.com notlocalhost 10.0.0.1.example.com';

for (const [hosts, isPrivate] of [
  [privateHosts, true],
  [publicHosts, false],
] as const)
  for (const host of hosts.split(' '))
    test(`https://${host} is ${isPrivate ? 'private' : 'public'}`, () => {
      expect(isPrivateHost(`https://${host}:8443/v1`)).toBe(isPrivate);
    });
