import { expect, test } from '@playwright/test';
import { LruCache } from './lru-cache.ts';

const countHeld = (kept: LruCache<string>, names: string): string =>
  [...names].filter((name) => kept.get(name) !== undefined).join('');

test('the least recently used value is evicted first', () => {
  const kept = new LruCache<string>({ most: 2 });
  kept.set('a', '1');
  kept.set('b', '2');
  expect(kept.get('a')).toBe('1');
  kept.set('c', '3');
  expect(countHeld(kept, 'abc')).toBe('ac');
});

test('a new value replaces the old one', () => {
  const kept = new LruCache<string>({ most: 2 });
  for (const value of ['1', '2', '3']) kept.set('a', value);
  kept.set('b', '4');
  expect([kept.get('a'), kept.get('b')]).toEqual(['3', '4']);
});

test('values stay within the bound and a value that is too heavy is not cached', () => {
  const kept = new LruCache<string>({ most: 6, heaviest: 4, weigh: (value) => value.length });
  kept.set('a', 'xxx');
  kept.set('b', 'xxx');
  kept.set('c', 'xxxxx');
  expect(countHeld(kept, 'abc')).toBe('ab');
  kept.set('d', 'xxxx');
  expect(countHeld(kept, 'abcd')).toBe('d');
  kept.set('d', 'xxxxx');
  kept.set('a', 'xxx');
  kept.set('b', 'xxx');
  expect(countHeld(kept, 'abd')).toBe('ab');
});
