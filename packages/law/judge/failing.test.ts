import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import { type Distort, damageExchange, everyRow, status } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const healthy = record(usualWorld);

/** Lists the failings of a recording in which some answers are damaged, with the places where they were met. */
function listFailings(isDamaged: (name: string) => boolean, distort: Distort, rule: string): string[] {
  const broken = healthy.names
    .filter(isDamaged)
    .reduce<NamedRecording>((recorded, name) => damageExchange(recorded, name, distort), healthy);
  const found = judgeIt(broken).findings.filter((finding) => finding.rule === rule);
  const places = found.flatMap((finding) => finding.places ?? []);
  return [...new Set(places.map(({ failing, met }) => `${failing.replace(rule, '')}: ${met.join(', ')}`))];
}

const otherPool: Distort = everyRow(() => ({ poolId: 77 }));
const pool = 'candle/pool-is-as-asked';

/** A field of every row that differs from row to row, as the first broken one would. */
const nowHigh: Distort = everyRow((_, row) => (row % 2 === 0 ? { low: 1e9 } : { low: 1e9, open: 2e9 }));

test('what is broken in all that was judged is a failing of its whole operation', () => {
  const isHistory = (name: string): boolean => /^(recent|week|one) /.test(name) && !/unkeyed/.test(name);
  expect(listFailings(isHistory, otherPool, pool)).toEqual([
    expect.stringMatching(/^ listV2PoolCandles: .*HOUR inverted, HOUR plain/),
  ]);
});

test('what keeps to a direction or an interval says so', () => {
  const isInverted = (name: string): boolean => /^(recent|week) \w+ inverted/.test(name);
  expect(listFailings(isInverted, otherPool, pool)).toEqual([
    expect.stringMatching(/^ listV2PoolCandles inverted: /),
  ]);
  expect(listFailings((name) => /^(week|recent) FIVEMIN$/.test(name), otherPool, pool)).toEqual([
    expect.stringMatching(/^ listV2PoolCandles FIVEMIN(, WEEK)?: FIVEMIN plain$/),
  ]);
});

test('a failing does not name the field that was met first', () => {
  const failings = listFailings((name) => name === 'week HOUR', nowHigh, 'candle/low-is-lowest');
  expect(failings).toEqual([expect.stringMatching(/^ listV2PoolCandles[^/]*: HOUR plain$/)]);
});

test('a wrong key that is let in is a failing whatever operation it was tried on', () => {
  const rule = 'authentication/wrong-keys-are-refused';
  expect(listFailings((name) => /^trial (random|empty)$/.test(name), status(200), rule)).toEqual([
    expect.stringMatching(/^ faulty-requests: /),
  ]);
});
