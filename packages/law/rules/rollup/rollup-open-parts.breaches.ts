import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { type Fields, fields } from '../../worlds/damage.ts';

const rule = 'rollup/open-is-made-of-its-parts';

function open(field: string, change: (record: Fields) => unknown, expected: RegExp): BreachCase {
  return {
    rule,
    at: 'recent HOUR of 1',
    what: `${field} of an open hour that is not of its parts`,
    damage: fields(-1, (record) => ({ [field]: change(record) })),
    pointer: `/*/${field}`,
    expected,
    actual: /^[\d.]+$/,
    drawn: 9,
  };
}

export const openPartBreaches: readonly BreachCase[] = [
  open('volume', ({ volume }) => String(2 * Number(volume)), /^\d+, the sum of its 8 parts$/),
  open('open', ({ high, low }) => (Number(high) + Number(low)) / 2, /, where its first part opens$/),
  open('high', ({ high }) => Number(high) * 1.001, /, the highest of its parts$/),
  open('low', ({ low }) => Number(low) * 0.999, /, the lowest of its parts$/),
  open('avg', ({ high }) => high, /^within \[/),
];

export const openPartNearMisses: readonly NearMiss[] = [
  {
    rule,
    what: 'an open hour in which another trade came in',
    at: 'recent HOUR of 1',
    damage: fields(-1, ({ volume, liquidity }) => ({
      volume: String(Number(volume) + 5),
      liquidity: String(Number(liquidity) + 5),
    })),
    outcome: 'unexercised',
  },
  {
    rule,
    what: 'an open hour that ends where its interval will',
    world: { openEnd: 'interval end' },
    at: 'recent HOUR of 1',
    damage: fields(-1, ({ volume }) => ({ volume: String(Number(volume) + 5) })),
    outcome: 'unexercised',
  },
];
