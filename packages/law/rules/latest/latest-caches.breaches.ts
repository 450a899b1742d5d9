import type { NearMiss } from '../../worlds/breach-case.ts';
import { type Distort, damageExchange, fields, text } from '../../worlds/damage.ts';
import { type NamedRecording, record } from '../../worlds/recorded.ts';

/** Answers these requests for latest candles with what a cache kept some seconds before. */
function keptBefore(seconds: number, names: readonly string[]): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const before = record({ ...recorded.world, now: recorded.world.now - seconds });
    return names.reduce((changed, name) => {
      const kept = before.recording.exchanges[before.names.indexOf(name)]?.response?.body?.text ?? '';
      return damageExchange(changed, name, text(kept));
    }, recorded);
  };
}

/** Ends the latest candle in the second of its answer. */
const endNow: Distort = (exchange) => {
  const date = exchange.response?.headers.find(([name]) => name.toLowerCase() === 'date')?.[1];
  return fields(0, { timestampSeconds: Date.parse(date ?? '') / 1000 })(exchange);
};

export const latestCacheNearMisses: readonly NearMiss[] = [
  ...[60, 240].map(
    (seconds): NearMiss => ({
      rule: 'latest/intervals-agree',
      what: `a day and a week from a cache ${seconds} s older, whose ends say so`,
      whole: keptBefore(seconds, ['latest DAY', 'latest WEEK']),
    }),
  ),
  {
    rule: 'candle/times-are-whole-minutes',
    what: 'a latest candle that ends in the second of the request',
    at: 'latest HOUR of 2',
    damage: endNow,
  },
];
