import { isDeepStrictEqual } from 'node:util';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { useFolder } from '../results/testing/stores.ts';
import { type Episode, targets } from '../testing/truth/episodes.ts';
import { playTruth } from '../testing/truth/play.ts';
import { truthRows } from '../testing/truth/rows.ts';

/** One of each kind. */
const short: readonly Episode[] = [
  { kind: 'refuse', target: 'mainnet', begin: 120, length: 90 },
  { kind: 'foreign', requests: 1234, begin: 260, length: 1 },
  { kind: 'hang', target: 'testnet', begin: 300, length: 65 },
  { kind: 'clock', by: 600_000, begin: 450, length: 60 },
  { kind: 'lose', target: 'mainnet', begin: 600, length: 70 },
  { kind: 'stop', begin: 750, length: 100 },
  { kind: 'clock', by: -300_000, begin: 900, length: 90 },
  { kind: 'flap', target: 'testnet', begin: 1100, length: 240 },
  { kind: 'restart', begin: 1400, length: 1 },
  { kind: 'limit', target: 'mainnet', begin: 1450, length: 120 },
  { kind: 'wrong', target: 'testnet', begin: 1650, length: 100 },
  { kind: 'full', begin: 1810, length: 90 },
  { kind: 'restate', begin: 2000, length: 1 },
  { kind: 'turn', begin: 2340, length: 1 },
  // 2,520 to 2,640 s after 00:15 in London.
  { kind: 'maintain', from: '00:57', to: '00:59', begin: 2520, length: 120 },
];

const long: readonly Episode[] = [
  ...short,
  { kind: 'replace', begin: 2800, length: 700 },
  { kind: 'refuse', target: 'testnet', begin: 3700, length: 400 },
  { kind: 'lose', target: 'testnet', begin: 4300, length: 200 },
  { kind: 'foreign', requests: 7, begin: 4700, length: 1 },
  { kind: 'hang', target: 'mainnet', begin: 4800, length: 180 },
  { kind: 'restart', begin: 5200, length: 1 },
  { kind: 'flap', target: 'mainnet', begin: 5300, length: 600 },
  { kind: 'limit', target: 'testnet', begin: 6100, length: 300 },
  { kind: 'wrong', target: 'mainnet', begin: 6700, length: 60 },
  { kind: 'stop', begin: 7000, length: 900 },
  { kind: 'full', begin: 8100, length: 240 },
  { kind: 'foreign', requests: 90_000, begin: 8500, length: 1 },
  { kind: 'stop', begin: 9100, length: 6 },
  { kind: 'clock', by: -2_700_000, begin: 9300, length: 90 },
  { kind: 'refuse', target: 'mainnet', begin: 9700, length: 31 },
  // The clocks of London were set back in between.
  { kind: 'maintain', from: '02:02', to: '02:08', begin: 10_020, length: 360 },
];

/** Compares everything that two monitors report of a time with the front's records. */
async function compare(episodes: readonly Episode[], after = 180): Promise<void> {
  const last = Math.max(...episodes.map(({ begin, length }) => begin + length));
  await useFolder(async (folder) => {
    const played = await playTruth(folder, episodes, last + after);
    const rows = await truthRows(played, episodes);
    const wrong = rows.filter(({ truth, reported }) => !isDeepStrictEqual(truth, reported));
    const description = `${rows.length - wrong.length} of ${rows.length} rows true`;
    test.info().annotations.push({ type: 'truth', description });
    expect(wrong).toEqual([]);
  });
}

test('two monitors of one key report a scripted time as the front knows it', () => compare(short));

test('two monitors report 31 episodes as the front knows them', { tag: '@thorough' }, async () => {
  test.setTimeout(600_000);
  expect(long).toHaveLength(31);
  await compare(long, 400);
});

/** Draws episodes that follow each other, each with a pause after it, of every kind and length. */
function drawn(seed: number, count: number): Episode[] {
  const [kinds] = fc.sample(
    fc.array(
      fc.record({
        kind: fc.constantFrom('refuse', 'hang', 'lose', 'flap', 'limit', 'wrong', 'stop', 'restart', 'clock'),
        target: fc.constantFrom(...targets),
        length: fc.integer({ min: 4, max: 12 }),
        minutes: fc.integer({ min: -45, max: 45 }).filter((offset) => Math.abs(offset) > 5),
      }),
      { minLength: count, maxLength: count },
    ),
    { seed, numRuns: 1 },
  );
  return (kinds ?? []).map(({ kind, target, length, minutes }, n): Episode => {
    const time = { begin: (n + 1) * 420, length: length * 15 };
    if (kind === 'clock') return { kind, by: minutes * 60_000, ...time, length: 90 };
    if (kind === 'limit') return { kind, target, ...time, length: 150 };
    return kind === 'stop' || kind === 'restart' ? { kind, ...time } : { kind, target, ...time };
  });
}

for (const seed of [1, 2, 3, 4, 5]) {
  const title = `two monitors report 31 episodes drawn by ${seed} as the front knows them`;
  test(title, { tag: '@thorough' }, async () => {
    test.setTimeout(600_000);
    await compare(drawn(seed, 31));
  });
}
