import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { type Fields, fields } from '../../worlds/damage.ts';

const must = 'candle/open-end-is-its-last-observation';
const should = 'candle/open-rows-are-of-one-time';

const openHour = { at: 'recent HOUR of 1', pointer: '/*/timestampSeconds' } as const;
const expected = /^about 2026-03-18T10:37:00Z, the last observation that another row of the pool shows$/;

/** Ends the open row some seconds before its last observation. */
const endEarlier = (seconds: number) => (record: Fields) => ({
  timestampSeconds: Number(record.timestampSeconds) - seconds,
});

/** Makes the open hour that of half an hour ago, as a cache would give it. */
const halfAnHourAgo = fields(-1, ({ timestampSeconds, open, liquidity }) => ({
  timestampSeconds: Number(timestampSeconds) - 1800,
  close: open,
  liquidity: String(Number(liquidity) - 1000),
}));

export const openEndBreaches: readonly BreachCase[] = [
  {
    ...openHour,
    rule: must,
    what: 'an open hour with the price of now that is dated half an hour ago',
    damage: fields(-1, endEarlier(1800)),
    expected,
    actual: '2026-03-18T10:07:00Z',
  },
  {
    ...openHour,
    rule: must,
    at: 'recent WEEK',
    what: 'an open week with the price of now that is dated two days ago',
    damage: fields(-1, endEarlier(2 * 86_400)),
    expected,
    actual: '2026-03-16T10:37:00Z',
  },
  {
    ...openHour,
    rule: should,
    what: 'an open hour of half an hour ago',
    damage: halfAnHourAgo,
    expected,
    actual: '2026-03-18T10:07:00Z',
  },
  {
    ...openHour,
    rule: should,
    at: 'recent WEEK inverted',
    what: 'an open inverted week that is dated two days ago, beside plain rows alone',
    damage: fields(-1, endEarlier(2 * 86_400)),
    expected,
    actual: '2026-03-16T10:37:00Z',
  },
];

export const openEndNearMisses: readonly NearMiss[] = [
  {
    rule: should,
    what: 'an open hour of four minutes ago',
    at: openHour.at,
    damage: fields(-1, endEarlier(240)),
  },
  {
    rule: must,
    what: 'open candles that end with their interval',
    world: { openEnd: 'interval end' },
    outcome: 'unexercised',
  },
  {
    rule: should,
    what: 'requests two minutes apart',
    world: { pace: 120 },
    outcome: 'unexercised',
  },
];
