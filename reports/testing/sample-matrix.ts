import type { Kill, KillMatrix, Witness } from '../kill-matrix/facts.ts';
import { hostile } from './hostile.ts';

const must: Witness = { id: 'history/candles-meet-the-range', level: 'must' };
const observe: Witness = { id: 'authentication/missing-and-wrong-key', level: 'observe' };

function kill(index: number, changes: Partial<Kill> = {}): Kill {
  return {
    id: `bucket-by-the-wrong-midnight-${index}`,
    number: `F${index}`,
    class: `class ${index % 25}`,
    title: 'the buckets of a history are counted from the range that is requested',
    scene: 'one check',
    breaks: [must],
    foundBy: [must, observe],
    requests: 49,
    milliseconds: 1482.4,
    budgets: { 11: index % 3 > 0, 48: true },
    ...changes,
  };
}

/**
 * Returns a matrix of this many faults: one found by many rules, one with a size, one undetected, one with hostile
 * words.
 */
export function sampleMatrix(faults: number): KillMatrix {
  const special: readonly Partial<Kill>[] = [
    { foundBy: Array.from({ length: 23 }, () => must) },
    { limit: { unit: 'seconds behind', usual: 120, smallest: 60, foundBy: [must] } },
    { foundBy: [], budgets: { 11: false, 48: false } },
    { title: hostile.attribute, class: hostile.script },
  ];
  return {
    startedAt: '2026-11-21T00:00:00.000Z',
    finishedAt: '2026-11-21T00:03:00.000Z',
    versions: { candleproof: '1.2.3', catalogue: '000000000001' },
    kills: Array.from({ length: faults }, (_, index) => kill(index, special[index])),
    unbuilt: [{ id: 'one-factor', title: 'all candles are off by one factor', reason: 'They agree.' }],
    rules: [
      { ...must, faults: ['F0', 'F1'] },
      { id: 'latest/is-the-newest', level: 'must', faults: [], reason: 'It takes a clock.' },
    ],
    healthy: { runs: 15, accusedRuns: 0, accused: [], atMost: 1 - 0.05 ** (1 / 15) },
  };
}
