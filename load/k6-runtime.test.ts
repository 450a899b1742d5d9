import { expect, test } from '@playwright/test';
import { PlainUrl } from './k6-runtime.ts';

const addresses = [
  'https://127.0.0.1:8443/v2/pools/1?from=1&to=2&interval=HOUR&inverted=true',
  'http://host',
  'https://target.invalid/a%20b?interval=%48OUR&x=1&x=2&empty=&bare',
  'https://host/path?',
];

test('an address is read as a URL is', () => {
  for (const address of addresses) {
    const [ours, theirs] = [new PlainUrl(address), new URL(address)];
    for (const name of ['protocol', 'host', 'pathname', 'search'] as const)
      expect(ours[name], `${name} of ${address}`).toBe(theirs[name]);
    expect(ours.searchParams.size).toBe(theirs.searchParams.size);
    for (const name of theirs.searchParams.keys())
      expect(ours.searchParams.getAll(name)).toEqual(theirs.searchParams.getAll(name));
  }
});

test('invalid addresses are rejected', () => {
  for (const text of ['', 'host', '/path', 'https://', 'https:// host/']) {
    expect(PlainUrl.canParse(text)).toBe(URL.canParse(text));
    expect(PlainUrl.parse(text)).toBeNull();
  }
});
