import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { type Fields, fields } from '../../worlds/damage.ts';

const rule = 'inversion/open-candle-is-inverse';

const invertedBreach = (change: (record: Fields) => Fields) => ({
  rule,
  at: 'recent WEEK inverted',
  damage: fields(-1, change),
});

export const openInversionBreaches: readonly BreachCase[] = [
  {
    ...invertedBreach(({ open, low, high, close, avg }) => ({
      open: 1 / Number(open),
      high: 1 / Number(low),
      low: 1 / Number(high),
      close: 1 / Number(close),
      avg: 1 / Number(avg),
    })),
    what: 'an open week that is not inverted',
    pointer: '/*/open',
    expected: /^about [\d.]+, the inverse of 0\.0/,
    actual: /^0\.0/,
    drawn: 2,
  },
  {
    ...invertedBreach(({ open, close, avg }) => ({
      low: Math.min(Number(open), Number(close), Number(avg)),
    })),
    what: 'an open week whose low is not that of the high',
    pointer: '/*/low',
    expected: /^at most [\d.]+, the inverse of the high$/,
    actual: /^[\d.]+$/,
  },
  {
    ...invertedBreach(({ open, close, avg }) => ({
      high: Math.max(Number(open), Number(close), Number(avg)),
    })),
    what: 'an open week whose high is not that of the low',
    pointer: '/*/high',
    expected: /^at least [\d.]+, the inverse of the low$/,
    actual: /^[\d.]+$/,
  },
];

export const openInversionNearMisses: readonly NearMiss[] = [
  {
    ...invertedBreach(({ high, low }) => ({ high: Number(high) * 1.01, low: Number(low) * 0.99 })),
    what: 'an open week that widened meanwhile',
    evidence: 1,
  },
  { rule, what: 'a history without open candles', world: { openInHistory: false }, outcome: 'unexercised' },
];
