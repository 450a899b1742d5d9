import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { everyRow, type Fields, fields } from '../../worlds/damage.ts';

/** A closed candle of a pool that nothing else is requested of, with the fields of a market of trades. */
const inHistory = { at: 'recent HOUR of 2', world: { trading: true } } as const;
const row = 5;
const amounts = 'candle/amounts-are-not-negative';
const vwap = 'candle/vwap-is-within-range';
const closed = 'candle/is-marked-closed-when-over';

function tradingBreach(
  rule: string,
  what: string,
  change: Fields | ((record: Fields) => Fields),
  [field, expected, actual]: readonly [string, string | RegExp, string | RegExp],
): BreachCase {
  const damage = fields(row, change);
  return { ...inHistory, rule, what, damage, pointer: `/*/${field}`, expected, actual };
}

export const tradingBreaches: readonly BreachCase[] = [
  tradingBreach(amounts, 'a worth below zero', { quoteVolume: '-1' }, ['quoteVolume', '0 or more', '"-1"']),
  tradingBreach(amounts, 'fewer trades than none', { trades: -1 }, ['trades', '0 or more', '-1']),
  tradingBreach(vwap, 'a mean above the high', ({ high }) => ({ vwap: Number(high) * 1.01 }), [
    'vwap',
    /^within \[/,
    /^0\.\d+$/,
  ]),
  tradingBreach(closed, 'an old hour that is marked as open', { closed: 'false' }, [
    'closed',
    'closed: its interval is over',
    'false',
  ]),
  {
    ...inHistory,
    rule: closed,
    what: 'the running hour marked as closed',
    damage: fields(-1, { closed: 1 }),
    pointer: '/*/closed',
    expected: 'open: its interval is running',
    actual: '1',
  },
];

export const tradingNearMisses: readonly NearMiss[] = [
  { ...inHistory, rule: amounts, what: 'no trades', damage: fields(row, { quoteVolume: '-0', trades: 0 }) },
  {
    ...inHistory,
    rule: vwap,
    what: 'means of few digits',
    damage: everyRow(({ vwap: mean }) => ({ vwap: Number(Number(mean).toPrecision(4)) })),
  },
  {
    ...inHistory,
    rule: vwap,
    what: 'any mean beside no volume',
    damage: fields(row, { vwap: 77, volume: '0', volumeUsd: '0' }),
  },
  {
    ...inHistory,
    rule: closed,
    what: 'marks as text and numbers',
    damage: everyRow(({ closed: mark }, at) => ({ closed: at % 2 === 0 ? String(mark) : Number(mark) })),
  },
];
