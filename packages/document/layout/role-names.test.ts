import { expect, test } from '@playwright/test';
import { bareName, findNamed } from './role-names.ts';

test('averages weighted by volume and counts of trades are known by their usual names', () => {
  const names = ['weighted_avg_price', 'transactionCount', 'Executions', 'weighted', 'transaction_fee'];
  const bare = names.map(bareName);
  expect(findNamed(bare, 'average')).toEqual([0]);
  expect(findNamed(bare, 'trades')).toEqual([1, 2]);
});
