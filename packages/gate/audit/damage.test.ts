import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import * as fc from 'fast-check';
import { type Mark, mergeMarks } from './damage.ts';

const hour = 3600;
const rungs = { hour: { name: 'HOUR', seconds: 3600 }, day: { name: 'DAY', seconds: 86_400 } };

function mark(at: number, changes: Partial<Mark> = {}): Mark {
  return {
    pool: 1,
    interval: 'hour',
    from: at * hour,
    to: (at + 1) * hour,
    kind: 'gap',
    detail: `${at}`,
    ...changes,
  };
}

const spans = (marks: readonly Mark[]): string[] =>
  mergeMarks('t', marks, rungs).map(({ from, to, kind, rules }) =>
    [from / hour, to / hour, kind, ...rules].join(' '),
  );

test('neighbours of one kind are one range, from the first to the last', () => {
  expect(spans([mark(3), mark(1), mark(2), mark(7)])).toEqual(['1 4 gap', '7 8 gap']);
});

test('several rules of one place are one line, and part neighbours that break others', () => {
  const high = { kind: 'impossible', rule: 'candle/high-is-highest' } as const;
  const low = { kind: 'impossible', rule: 'candle/low-is-lowest' } as const;
  expect(spans([mark(1, high), mark(1, low), mark(2, high), mark(3, high)])).toEqual([
    '1 2 impossible candle/high-is-highest candle/low-is-lowest',
    '2 4 impossible candle/high-is-highest',
  ]);
});

test('kinds, pools and intervals are never joined', () => {
  const marks = [mark(1), mark(2, { kind: 'spike' }), mark(2, { pool: 2 }), mark(2, { interval: 'day' })];
  expect(
    mergeMarks('t', marks, rungs).map(({ pool, interval, certainty }) => `${pool} ${interval} ${certainty}`),
  ).toEqual(['1 HOUR breach', '1 HOUR suspicion', '1 DAY breach', '2 HOUR breach']);
});

test('ranges cover exactly the hours that were marked, in any order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60), { maxLength: 40 }), (hours) => {
      const covered = mergeMarks(
        't',
        hours.map((at) => mark(at)),
        rungs,
      ).flatMap(({ from, to }) => Array.from({ length: (to - from) / hour }, (_, at) => from / hour + at));
      expect(covered).toEqual(hours.toSorted((a, b) => a - b));
    }),
  );
});
