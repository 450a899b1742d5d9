import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  answeredList,
  type Distort,
  damageExchange,
  type Fields,
  fields,
  withoutRequests,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

/** The third of seven days: made of hours, and one part of its week. */
export const row = 2;

/** Every request for the days of the closed week. */
export const ofDays = [
  'week DAY',
  'week DAY inverted',
  'week DAY spelt otherwise',
  'one DAY',
  'no DAY',
] as const;

/** Days that one answer alone shows, so that no second one contradicts it. */
export function days(damage: Distort): (recorded: NamedRecording) => NamedRecording {
  const others = ['week DAY inverted', 'week DAY spelt otherwise', 'one DAY'];
  return (recorded) => damageExchange(withoutRequests(recorded, ...others), 'week DAY', damage);
}

const scaleField = (field: string, factor: number) => (record: Fields) => ({
  [field]: Number(record[field]) * factor,
});

/** Makes a breach of one price. */
export function price(
  rule: string,
  field: string,
  change: (record: Fields) => Fields,
  expected: RegExp,
): BreachCase {
  return {
    rule,
    what: `${field} of a day`,
    whole: days(fields(row, change)),
    pointer: `/*/${field}`,
    expected,
    actual: /^[\d.]+$/,
    drawn: 25,
  };
}

/** Makes a day whose average is this far beyond the least or the greatest of its hours. */
function exceedBound(bound: 'least' | 'most', share: number): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const hours = answeredList(recorded, 'week HOUR').slice(24 * row, 24 * (row + 1));
    const averages = hours.map((hour) => Number(hour.avg));
    const avg = bound === 'least' ? Math.min(...averages) * (1 - share) : Math.max(...averages) * (1 + share);
    return days(fields(row, { avg }))(recorded);
  };
}

const within = {
  ...price(
    'rollup/average-is-within-its-parts',
    'avg',
    () => ({}),
    /^within \[0\.\d+, 0\.\d+\], the averages of its parts$/,
  ),
};

export const rollUpBreaches: readonly BreachCase[] = [
  price(
    'rollup/open-is-the-first',
    'open',
    scaleField('open', 1 + 1e-9),
    /^0\.\d+, where its first part opens$/,
  ),
  price(
    'rollup/close-is-the-last',
    'close',
    scaleField('close', 1 + 1e-9),
    /^0\.\d+, where its last part closes$/,
  ),
  price(
    'rollup/high-is-the-highest',
    'high',
    scaleField('high', 1 + 1e-9),
    /^0\.\d+, the highest of its parts$/,
  ),
  price('rollup/low-is-the-lowest', 'low', scaleField('low', 1 - 1e-9), /^0\.\d+, the lowest of its parts$/),
  {
    ...price(
      'candle/high-is-highest',
      'high',
      ({ open, close }) => ({ high: Math.max(Number(open), Number(close)) * (1 - 1e-9) }),
      /^at least 0\.\d+$/,
    ),
    what: 'a high of a day below its own open or close, which says nothing of its parts',
    drawn: 6,
  },
  ...(['low', 'high'] as const).map(
    (field): BreachCase => ({
      ...within,
      what: `an average as the ${field}`,
      whole: days(fields(row, (record) => ({ avg: record[field] }))),
    }),
  ),
  ...(['least', 'most'] as const).map(
    (bound): BreachCase => ({
      ...within,
      what: `an average just beyond the ${bound} of its parts`,
      whole: exceedBound(bound, 2e-9),
    }),
  ),
  {
    rule: 'rollup/close-is-the-last',
    what: 'close of a week of which only the hours were requested',
    whole: (recorded) =>
      damageExchange(
        withoutRequests(recorded, ...ofDays, 'recent WEEK inverted'),
        'recent WEEK',
        fields(-2, scaleField('close', 1 + 1e-9)),
      ),
    pointer: '/*/close',
    expected: /^0\.\d+, where its last part closes$/,
    actual: /^0\.\d+$/,
    drawn: 25,
  },
];

export const rollUpNearMisses: readonly NearMiss[] = [
  {
    rule: 'rollup/open-is-the-first',
    what: 'a double that differs in its last place',
    whole: days(fields(row, scaleField('open', 1 + 2e-16))),
  },
  {
    rule: 'rollup/open-is-the-first',
    what: 'a large double that differs in its last place',
    world: { priceLevel: 5e4 },
    whole: days(fields(row, scaleField('open', 1 + 2e-16))),
  },
  ...(['least', 'most'] as const).map(
    (bound): NearMiss => ({
      rule: 'rollup/average-is-within-its-parts',
      what: `an average a few digits beyond the ${bound} of its parts`,
      whole: exceedBound(bound, 5e-10),
    }),
  ),
];
