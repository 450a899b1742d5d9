import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { type Distort, fields, withExchanges } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const rule = 'latest/usd-volumes-nest';

const changeUsd = (change: (usd: number) => number) =>
  fields(0, ({ volumeUsd }) => ({ volumeUsd: String(Math.round(change(Number(volumeUsd)) * 100) / 100) }));

/** Reports the volumes in USD of all latest candles as doubles; that of the day is moved by a share of it. */
function inDoubles(share: number): (recorded: NamedRecording) => NamedRecording {
  const change =
    (factor: number): Distort =>
    (exchange) =>
      exchange.response?.status === 200
        ? fields(0, ({ volumeUsd }) => ({ volumeUsd: String(Number(volumeUsd) * 1.1 * factor) }))(exchange)
        : exchange;
  return (recorded) =>
    withExchanges(recorded, (exchanges) =>
      exchanges.map((exchange, at) => {
        const name = recorded.names[at] ?? '';
        return /^latest \w+( again| inverted| spelt)?$/.test(name)
          ? change(name === 'latest DAY' ? 1 + share : 1)(exchange)
          : exchange;
      }),
    );
}

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
  {
    rule,
    what: 'a day in doubles further from its hour than adding them goes',
    world: atMidnight,
    whole: inDoubles(1e-11),
    operation: 'getLatestV1PoolCandle',
    pointer: '/volumeUsd',
    expected: /^[\d.]+, as the shorter interval that began with it$/,
    actual: /^[\d.]+$/,
  },
];

export const latestUsdNearMisses: readonly NearMiss[] = [
  ...[-1e-14, 1e-14].map(
    (share): NearMiss => ({
      rule,
      what: 'a day whose doubles were added in another order',
      world: atMidnight,
      whole: inDoubles(share),
    }),
  ),
  {
    rule,
    what: 'a day whose worth was rounded the other way',
    world: atMidnight,
    at: 'latest DAY',
    damage: changeUsd((usd) => usd + 0.01),
  },
  { rule, what: 'a week that was priced anew', at: 'latest WEEK', damage: changeUsd((usd) => usd * 0.98) },
];
