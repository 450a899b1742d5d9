import { expect, test } from '@playwright/test';
import { listInstants } from './instants.ts';

const at = (seconds: number): string =>
  new Date(Date.parse('2026-03-11T10:02:07.120Z') + seconds * 1000).toISOString();

test('few instants are named in order, by their time alone if they are of one day', () => {
  expect(listInstants([at(0)])).toBe('10:02:07');
  expect(listInstants([at(4), at(0)])).toBe('10:02:07 and 10:02:11');
  expect(listInstants([at(0), at(1), at(86_400)])).toBe(
    '2026-03-11T10:02:07Z, 2026-03-11T10:02:08Z and 2026-03-12T10:02:07Z',
  );
});

test('of many instants the first three are named and the others counted', () => {
  expect(listInstants([0, 1, 2, 3, 4].map(at))).toBe('10:02:07, 10:02:08, 10:02:09 and 2 more');
  expect(listInstants([0, 1, 2, 3].map(at), 2_003)).toBe('10:02:07, 10:02:08, 10:02:09 and 2,000 more');
});
