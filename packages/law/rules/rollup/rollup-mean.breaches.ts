import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  answeredList,
  damageExchange,
  everyRow,
  type Fields,
  fields,
  withoutRequests,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { days } from './rollup.breaches.ts';

const rule = 'rollup/average-is-the-mean';

/** Means of something other than the minutely prices. */
const means: Readonly<Record<string, (record: Fields) => number>> = {
  'a typical price': ({ high, low, close }) => (Number(high) + Number(low) + Number(close)) / 3,
  'a mean of open, high, low and close': ({ open, high, low, close }) =>
    (Number(open) + Number(high) + Number(low) + Number(close)) / 4,
  'a middle of high and low': ({ high, low }) => (Number(high) + Number(low)) / 2,
};

const typicalPrice = means['a typical price'] as (record: Fields) => number;

const middle = ({ high, low }: Fields): Fields => ({ avg: (Number(high) + Number(low)) / 2 });

/** Every request for the hours of the first pool. */
const ofHours = [
  'recent HOUR of 1',
  'week HOUR',
  'week HOUR inverted',
  'week HOUR spelt',
  'week HOUR first half',
  'week HOUR second half',
] as const;

/** Returns the finding's words for a known formula. */
function nameFormula(what: string): RegExp {
  if (what === 'a typical price') return /^0\.\d+, which is \(high \+ low \+ close\) \/ 3$/;
  if (what === 'a middle of high and low') return /^0\.\d+, which is \(high \+ low\) \/ 2$/;
  return /^0\.\d+, which is \(open \+ high \+ low \+ close\) \/ 4$/;
}

function meanBy(parts: readonly Fields[], weight: (part: Fields, at: number) => number): number {
  const total = parts.reduce((sum, part, at) => sum + weight(part, at), 0);
  return parts.reduce((sum, part, at) => sum + Number(part.avg) * weight(part, at), 0) / total;
}

/** The hours of the week's last day with other averages in every answer; its five-minute candles are reported too. */
function hoursOfLastDay(
  recorded: NamedRecording,
  averageOf: (parts: readonly Fields[]) => number,
): NamedRecording {
  const fives = answeredList(recorded, 'week FIVEMIN');
  const changed = everyRow(({ startTimestampSeconds: start }) => {
    const at = fives.findIndex((five) => five.startTimestampSeconds === start);
    return at < 0 ? {} : { avg: averageOf(fives.slice(at, at + 12)) };
  });
  const telling = ['week HOUR', 'week HOUR spelt', 'week HOUR second half'];
  return telling.reduce(
    (all, request) => damageExchange(all, request, changed),
    withoutRequests(
      recorded,
      'week HOUR inverted',
      'week DAY',
      'week DAY inverted',
      'week DAY spelt otherwise',
      'one DAY',
    ),
  );
}

export const meanBreaches: readonly BreachCase[] = [
  ...Object.entries(means).map(
    ([what, mean]): BreachCase => ({
      rule,
      what,
      world: { seed: 3 },
      whole: days(everyRow((record) => ({ avg: mean(record) }))),
      pointer: '/*/avg',
      expected: /^0\.\d+, the mean of its 24 parts$/,
      actual: nameFormula(what),
      drawn: 25,
    }),
  ),
  {
    rule,
    what: 'hours that are no mean over any minutes of theirs',
    whole: (recorded) =>
      hoursOfLastDay(recorded, (parts) => meanBy(parts, (_, at) => 1 + 3 * ((at * 0.618034) % 1))),
    pointer: '/*/avg',
    expected: /^0\.\d+, the mean of its 12 parts$/,
    actual: /^0\.\d+$/,
    count: 3,
    drawn: 13,
  },
  {
    rule,
    what: 'a typical price of days of which only five minutes were requested',
    world: { seed: 3, scope: { weeks: 3, fineDays: 7 } },
    whole: (recorded) =>
      days(everyRow((record) => ({ avg: typicalPrice(record) })))(withoutRequests(recorded, ...ofHours)),
    pointer: '/*/avg',
    expected: /^0\.\d+, the mean of its 288 parts$/,
    actual: nameFormula('a typical price'),
    drawn: 25,
  },
  {
    rule,
    what: 'a typical price of five whole days, all that a young pool has',
    world: { seed: 3, poolsV2: [1], ages: [7.95 * 86_400] },
    whole: days(everyRow((record) => ({ avg: typicalPrice(record) }))),
    pointer: '/*/avg',
    expected: /^0\.\d+, the mean of its 24 parts$/,
    actual: nameFormula('a typical price'),
  },
];

export const meanNearMisses: readonly NearMiss[] = [
  {
    rule,
    what: 'hours of whose parts many minutes are missing',
    whole: (recorded) =>
      hoursOfLastDay(recorded, (parts) =>
        meanBy(parts, (part, at) => 1 + ((Number(part.startTimestampSeconds) / 300 + at * at) % 5)),
      ),
    evidence: 3,
  },
  ...[0, 2, 3].map(
    (day): NearMiss => ({ rule, what: `day ${day} alone off the mean`, whole: days(fields(day, middle)) }),
  ),
  {
    rule,
    what: 'days that an outage may have moved a little',
    whole: days(
      everyRow(({ avg, high, low }) => ({ avg: Number(avg) + (Number(high) - Number(low)) / 1000 })),
    ),
    reason: 'averages differ from the mean by what an outage explains',
    evidence: 3,
  },
  {
    rule,
    what: 'prices in so few digits that the mean of their means is another',
    world: { digits: 3 },
    outcome: 'unexercised',
  },
];
