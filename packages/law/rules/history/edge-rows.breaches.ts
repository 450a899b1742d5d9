import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { rows } from '../../worlds/damage.ts';

const rule = 'history/edges-are-alike';

export const edgeRowBreaches: readonly BreachCase[] = [
  {
    rule,
    at: 'week DAY',
    what: 'the day that ends where the week does',
    damage: rows((list) => list.slice(0, -1)),
    pointer: '',
    expected: /^the row from 2026-03-15T00:00:00Z: \d+ of \d+ answers hold rows that end at to$/,
    actual: 'no such row, though another answer or a shorter interval shows it',
    also: ['history/spelling-changes-nothing', 'inversion/same-candles'],
  },
  {
    rule,
    at: 'recent WEEK inverted',
    world: { openInHistory: true },
    what: 'the open week of an inverted history, where others hold their open candle',
    damage: rows((list) => list.slice(0, -1)),
    pointer: '',
    expected: /: \d+ of \d+ answers hold rows that contain now$/,
    actual: 'no such row, though another answer or a shorter interval shows it',
  },
];

export const edgeRowNearMisses: readonly NearMiss[] = [
  {
    rule,
    at: 'recent HOUR of 2',
    what: 'an hour less at the end of a range that ends within an open one',
    damage: rows((list) => list.slice(0, -1)),
  },
];
