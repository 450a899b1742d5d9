import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { fields } from '../../worlds/damage.ts';

const rule = 'latest/usd-volumes-nest';

const changeUsd = (change: (usd: number) => number) =>
  fields(0, ({ volumeUsd }) => ({ volumeUsd: String(Math.round(change(Number(volumeUsd)) * 100) / 100) }));

/** A day whose hour began with it. */
const atMidnight = { now: Date.parse('2026-03-18T00:37:00Z') / 1000 };

export const latestUsdBreaches: readonly BreachCase[] = [
  {
    rule,
    what: 'a day that was worth a thousandth',
    at: 'latest DAY',
    damage: changeUsd((usd) => usd / 900),
    pointer: '/volumeUsd',
    expected: /^at least [\d.]+, the shorter interval's$/,
    actual: /^[\d.]+$/,
    drawn: 2,
    also: ['candle/usd-volumes-keep-their-magnitude'],
  },
  {
    rule,
    what: 'a day that was worth more than the hour that it began with',
    world: atMidnight,
    at: 'latest DAY',
    damage: changeUsd((usd) => usd + 0.03),
    pointer: '/volumeUsd',
    expected: /^[\d.]+, as the shorter interval that began with it$/,
    actual: /^[\d.]+$/,
  },
];

export const latestUsdNearMisses: readonly NearMiss[] = [
  {
    rule,
    what: 'a day whose worth was rounded the other way',
    world: atMidnight,
    at: 'latest DAY',
    damage: changeUsd((usd) => usd + 0.01),
  },
  { rule, what: 'a week that was priced anew', at: 'latest WEEK', damage: changeUsd((usd) => usd * 0.98) },
];
