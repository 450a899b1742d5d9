import { expect, test } from '@playwright/test';
import {
  foldedAddress,
  isServed,
  pageAddress,
  partAddress,
  readPageState,
  stateAddress,
} from './page-state.ts';

test('the query of a URL holds the choices of a reader', () => {
  const query = 'target=testnet&window=7d&open=quota,watch-2';
  const state = readPageState(query, 60);
  expect(state).toEqual({ refresh: 60, target: 'testnet', window: '7d', open: ['quota', 'watch-2'] });
  expect(stateAddress(state)).toBe(`?${new URLSearchParams(query)}`);
});

test('ids that no part has are ignored, and repeated ones count once', () => {
  expect(readPageState('open=quota,<b>,quota,Quota').open).toEqual(['quota']);
});

test('a link to a part keeps it open, and the part that contains it, on a page that reloads', () => {
  const live = readPageState('open=quota', 60);
  expect(partAddress(live, 'evidence-1', 'incidents')).toBe(
    '?open=quota%2Cincidents%2Cevidence-1#evidence-1',
  );
  expect(partAddress({ ...live, refresh: undefined }, 'evidence-1', 'incidents')).toBe('#evidence-1');
  expect(foldedAddress(readPageState('open=quota,incidents', 60), 'quota')).toBe('?open=incidents');
});

test('a served page is a query, and a page of a written report is a file', () => {
  const served = readPageState('window=7d&open=quota');
  expect(pageAddress(served, 'testnet')).toBe('?target=testnet&window=7d');
  const written = { files: new Map([['testnet', 'testnet.html']]), open: [] };
  expect(pageAddress(written, 'testnet')).toBe('testnet.html');
  expect(pageAddress(written)).toBe('index.html');
  expect([served, written, undefined].map(isServed)).toEqual([true, false, false]);
});
