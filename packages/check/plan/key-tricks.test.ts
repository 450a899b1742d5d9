import { withoutKey } from '@candleproof/law/rules/refusal-needs';
import { expect, test } from '@playwright/test';
import { listTricks } from './key-tricks.ts';

test('each trick without a key stands in two requests, which no other trick shares both of', () => {
  const requests = withoutKey.map((need) => listTricks(need).map(([name]) => name));
  const places = new Map<string, string>();
  for (const name of new Set(requests.flat())) {
    const found = requests.flatMap((names, at) => (names.includes(name) ? [at] : []));
    expect(found).toHaveLength(2);
    places.set(name, found.join());
  }
  // The lines of one trick go together.
  const lines = ['x-real-ip', 'forwarded'];
  const alone = [...places].filter(([name]) => !lines.includes(name)).map(([, found]) => found);
  expect(new Set(alone).size).toBe(alone.length);
  expect(requests.slice(0, 3)).toEqual([[], [], []]);
});

test('a header in which the document puts the key is no trick', () => {
  const place = { scheme: 'bearer', in: 'header', name: 'authorization', prefix: 'Bearer ' } as const;
  const names = withoutKey.flatMap((need) => listTricks(need, [place]).map(([name]) => name));
  expect(names).not.toContain('authorization');
  expect(names).toContain('cookie');
});

test('a request with a key carries no trick', () => {
  expect(listTricks({ role: 'tokens' })).toEqual([]);
  expect(listTricks({ role: 'latest', interval: 'hour', pools: 'each' })).toEqual([]);
});
