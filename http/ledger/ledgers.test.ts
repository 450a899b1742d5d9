import { expect, test } from '@playwright/test';
import { KEY } from '../testing/targets.ts';
import { accountId } from './ledger-store.ts';

test('names of accounts differ by key and by origin', () => {
  const names = [
    ['https://a.example', 'k1'],
    ['https://a.example', 'k2'],
    ['https://b.example', 'k1'],
  ] as const;
  expect(new Set(names.map(([origin, key]) => accountId(origin, key))).size).toBe(3);
  expect(accountId('https://target.example:443/v1/', KEY)).toBe(accountId('https://target.example', KEY));
  expect(accountId('https://a.example', KEY)).toMatch(/^[0-9a-f]{20}$/);
});
