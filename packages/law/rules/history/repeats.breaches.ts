import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { type Distort, damageExchange, fields, replaceRequest, rows } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const grows = 'history/open-candle-only-grows';
const stays = 'history/closed-candles-stay';

/** Requests one history once more, later in the run, and damages that answer. */
const repeat =
  (name: string, damage: Distort, reworded?: (url: string) => string) =>
  (recorded: NamedRecording): NamedRecording => {
    const first = reworded ? replaceRequest(recorded, name, name, reworded) : recorded;
    return damageExchange(replaceRequest(first, 'no DAY', name), 'no DAY', damage);
  };

/** Ends the range three hours later, so that it holds the whole open hour. */
const toLater = (url: string): string => url.replace(/to=(\d+)/, (_, to) => `to=${Number(to) + 3 * 3600}`);

const last = (count: number): Distort => rows((list) => list.slice(0, list.length - count));
const unchanged: Distort = (exchange) => exchange;

export const repeatBreaches: readonly BreachCase[] = [
  {
    rule: grows,
    what: 'an open hour that ends a minute earlier when it is requested again',
    whole: repeat(
      'recent HOUR of 2',
      fields(-1, ({ timestampSeconds }) => ({ timestampSeconds: Number(timestampSeconds) - 60 })),
    ),
    pointer: '/*/timestampSeconds',
    expected: '2026-03-18T10:37:00Z or later, as before',
    actual: '2026-03-18T10:36:00Z',
    drawn: 2,
  },
  {
    rule: grows,
    what: 'an open hour that opens elsewhere when it is requested again',
    whole: repeat(
      'recent HOUR of 2',
      fields(-1, ({ open }) => ({ open: Number(open) * (1 + 1e-12) })),
    ),
    pointer: '/*/open',
    expected: /^0\.\d+, as before$/,
    actual: /^0\.\d+$/,
  },
  {
    rule: grows,
    what: 'no open hour when a range that holds all of it is requested again',
    whole: repeat('recent HOUR of 2', last(1), toLater),
    expected: 'the candle from 2026-03-18T10:00:00Z, as in an answer before',
    actual: 'no such candle',
  },
  {
    rule: stays,
    what: 'no hour at the edge of the range when it is requested again',
    whole: repeat(
      'week HOUR',
      rows((list) => list.slice(1)),
    ),
    expected:
      'the candles at the edges of the range as in the answer before: 2026-03-09T00:00:00Z, 2026-03-15T23:00:00Z',
    actual: '2026-03-15T23:00:00Z',
    also: ['history/edges-are-alike', 'inversion/same-candles'],
  },
];

export const repeatNearMisses: readonly NearMiss[] = [
  {
    rule: grows,
    what: 'the same open hour again',
    whole: repeat('recent HOUR of 2', unchanged),
    evidence: 1,
  },
  {
    rule: grows,
    what: 'no open hour when a range that ends within it is requested again',
    whole: repeat('recent HOUR of 2', last(1)),
    outcome: 'unexercised',
  },
  {
    rule: grows,
    what: 'the next minute in the open hour',
    whole: repeat(
      'recent HOUR of 2',
      fields(-1, ({ timestampSeconds, volume }) => ({
        timestampSeconds: Number(timestampSeconds) + 60,
        volume: String(Number(volume) + 7),
      })),
    ),
    evidence: 1,
  },
];
