import { hostile } from '@candleproof/reports/testing/hostile';
import { expect, test } from '@playwright/test';
import { rootFrom } from './pages/site-page.ts';
import { findingAnchor, ruleAnchor } from './paths.ts';
import { contentId, slugify } from './records.ts';

test('a plain target name is its folder, any other one gets a folder of its own', () => {
  expect(['main', '127.0.0.1', 'test-net'].map(slugify)).toEqual(['main', '127.0.0.1', 'test-net']);
  const odd = ['Main', 'MAIN', '..', '.', '', 'a/b', 'a b', '../../etc', 'main.', ...Object.values(hostile)];
  const slugs = odd.map(slugify);
  for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9][a-z0-9-]*-[0-9a-f]{8}$/);
  expect(new Set(slugs).size).toBe(odd.length);
});

test('an anchor is an id whatever a fingerprint holds, and no two are one', () => {
  const rule = 'candle/high-is-highest';
  expect(findingAnchor(`${rule} listTokens /*/high `)).toBe(`finding/${rule}+listTokens+/*/high`);
  expect(ruleAnchor(rule)).toBe(`rule/${rule}`);
  const odd = [...Object.values(hostile), 'a'.repeat(1e6), `${'a'.repeat(1e6)}b`].map((text) =>
    findingAnchor(`r o /${text}`),
  );
  for (const text of odd) expect(text).toMatch(/^finding\/[A-Za-z0-9/*+_.:-]{1,180}$/);
  expect(new Set(odd).size).toBe(odd.length);
});

test('content has one name, and a page knows its way to the root', () => {
  expect(contentId({ a: 1 })).toBe(contentId({ a: 1 }));
  expect(contentId({ a: 1 })).not.toBe(contentId({ a: 2 }));
  expect(['', 'rules/', 't/main/runs/1/'].map(rootFrom)).toEqual(['./', '../', '../../../../']);
});
