import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  damageExchange,
  everyRow,
  type Fields,
  fields,
  replaceRequest,
  value,
  withoutRequests,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { changePrices, halfMore, onlyDays } from './inversion-scale.breaches.ts';

const first = 'inversion/first-and-last-are-inverse';
const asDefault = 'inversion/left-out-means-false';

/** Moves a range by a second. */
function later(url: string): string {
  return url.replace(/(from|to)=(\d+)/g, (_, name, seconds) => `${name}=${Number(seconds) + 1}`);
}

/** Gives the inverted days a range that begins and ends a second later than that of the plain ones. */
function askLater(recorded: NamedRecording): NamedRecording {
  const others = withoutRequests(onlyDays(recorded), 'one DAY', 'no DAY', 'week DAY spelt otherwise');
  return replaceRequest(others, 'week DAY inverted', 'week DAY inverted', later);
}

/** Gives the answer that spells the default out a range that begins and ends a second later. */
function spellLater(recorded: NamedRecording): NamedRecording {
  return replaceRequest(recorded, 'week HOUR spelt', 'week HOUR spelt', later);
}

const sole = {
  rule: first,
  pointer: '/*/open',
  count: 7,
  drawn: 2,
  expected: 'open × inverted open to be one constant, not the square of a plain price',
  actual: /^0\.00\d+$/,
} as const;

export const inversionPairBreaches: readonly BreachCase[] = [
  {
    rule: first,
    what: 'inverted days half as high again, beside hours and weeks of their pool',
    whole: (recorded) => damageExchange(recorded, 'week DAY inverted', halfMore),
    pointer: '/*/open',
    count: 7,
    expected: "open × inverted open = 1, as in the pool's other candles",
    actual: /^1\.(5|49999)/,
    also: [
      'inversion/averages-are-within-bounds',
      'inversion/extremes-are-swapped',
      'rollup/average-is-within-its-parts',
      'rollup/average-is-the-mean',
      'rollup/close-is-the-last',
      'rollup/high-is-the-highest',
      'rollup/low-is-the-lowest',
      'rollup/open-is-the-first',
    ],
  },
  {
    ...sole,
    what: 'days that are not inverted, the only inverted answer of their pool',
    whole: (recorded) => {
      const plain = recorded.recording.exchanges[recorded.names.indexOf('week DAY')]?.response?.body?.text;
      return damageExchange(
        onlyDays(recorded),
        'week DAY inverted',
        value(() => JSON.parse(plain ?? '[]')),
      );
    },
  },
  {
    rule: first,
    what: 'inverted days of a range that begins a second later, half as high again from the fourth on',
    whole: (recorded) =>
      damageExchange(
        askLater(recorded),
        'week DAY inverted',
        everyRow((record, row) => changePrices((price) => (row > 3 ? price * 1.5 : price))(record)),
      ),
    pointer: '/*/open',
    count: 3,
    expected: "open × inverted open = 1, as in the pool's other candles",
    actual: /^1\.(5|49999)/,
    also: ['inversion/averages-are-within-bounds', 'inversion/extremes-are-swapped'],
  },
  {
    rule: 'inversion/same-candles',
    what: 'an inverted day less, of a range that begins a second later',
    whole: (recorded) =>
      damageExchange(
        askLater(recorded),
        'week DAY inverted',
        value((list) => (list as Fields[]).toSpliced(3, 1)),
      ),
    expected: 'the 5 closed candles of the plain answer',
    actual: '4 closed candles, 4 of them the same intervals',
    also: ['history/complete'],
  },
  {
    rule: asDefault,
    what: 'another average where the default is spelt out, of a range that begins a second later',
    whole: (recorded) =>
      damageExchange(
        spellLater(recorded),
        'week HOUR spelt',
        fields(30, ({ avg }) => ({ avg: Number(avg) * (1 + 1e-12) })),
      ),
    pointer: '/*/avg',
    expected: /^0\.\d+, as without the parameter$/,
    actual: /^0\.\d+$/,
    drawn: 2,
  },
];

export const inversionPairNearMisses: readonly NearMiss[] = [
  {
    rule: first,
    what: 'inverted days of a range that begins a second later',
    whole: askLater,
    evidence: 1,
  },
  {
    rule: first,
    what: 'a price that never moves, the same on both sides',
    world: { prices: 'flat', priceLevel: 5, constant: 42.25 },
    whole: (recorded) => onlyDays(recorded),
    outcome: 'inconclusive',
    reason: /shows one price alone, the same with and without inversion$/,
  },
  {
    rule: asDefault,
    what: 'the default spelt out, of a range that begins a second later',
    whole: spellLater,
    evidence: 2,
  },
];
