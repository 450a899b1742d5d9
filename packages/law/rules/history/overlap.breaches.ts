import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { damageExchange, type Fields, fields, rows, withoutRequests } from '../../worlds/damage.ts';
import { makeMarket } from '../../worlds/market.ts';
import { baseUrl, type NamedRecording } from '../../worlds/recorded.ts';
import { answerValue } from '../../worlds/server.ts';

const history = { operation: 'listV2PoolCandles' } as const;

/** The first half of the week, and the fifth of its last hours; the whole week reports both too. */
const firstHalf = { at: 'week HOUR first half', ...history } as const;
const secondHalf = { at: 'week HOUR second half', ...history } as const;

const changeTwelfthDigit = ({ avg }: Fields): Fields => ({ avg: Number(avg) * (1 + 1e-12) });

const spelling = 'history/spelling-changes-nothing';
const respelt = { at: 'week DAY spelt otherwise', ...history } as const;

/** Replaces a request by another one for the second pool's recent hours, over a different range. */
function repeatRequest(recorded: NamedRecording, change: (row: Fields) => Fields): NamedRecording {
  const { world, recording, names } = recorded;
  const { url } = recording.exchanges[names.indexOf('recent HOUR of 2')]?.request ?? { url: '' };
  const later = url.replace(/from=(\d+)/, (_, from) => `from=${Number(from) + 9000}`);
  const list = answerValue(world, makeMarket(world), later.slice(baseUrl.length), world.now + 5);
  return damageExchange(recorded, 'no DAY', (exchange) => {
    const requested = { ...exchange, request: { ...exchange.request, url: later } };
    return fields(-2, change)(rows(() => list as Fields[])(requested));
  });
}

/** The hour of the whole week that ends after its first half, with the liquidity of that time. */
function halfAnHour(row: number): (recorded: NamedRecording) => NamedRecording {
  const half = ({ timestampSeconds }: Fields): Fields => ({
    timestampSeconds: Number(timestampSeconds) - 1800,
    liquidity: '1',
    liquidityUsd: '0',
  });
  return (recorded) =>
    damageExchange(
      withoutRequests(recorded, 'week HOUR inverted', 'week HOUR spelt'),
      'week HOUR',
      fields(row, half),
    );
}

/** The hours of the closed week again, for a range whose end has a fraction, which this service takes for its second. */
const oddRange = { world: { lenient: true }, at: 'to-with-fraction', ...history } as const;

export const overlapBreaches: readonly BreachCase[] = [
  {
    ...oddRange,
    rule: 'history/closed-candles-stay',
    what: 'a liquidity that differs in the answer to an odd range',
    damage: fields(10, ({ liquidity }) => ({ liquidity: `${liquidity}.0` })),
    pointer: '/*/liquidity',
    expected: /^\d+, as for 2026-03-09T00:00:00Z to 2026-03-16T00:00:00Z$/,
    actual: /^\d+\.0$/,
  },
  {
    ...oddRange,
    rule: 'history/one-candle-per-interval',
    what: 'an hour twice in the answer to an odd range',
    damage: rows((list) => list.flatMap((row, at) => (at === 7 ? [row, row] : [row]))),
    pointer: '/*/startTimestampSeconds',
    expected: 'a start at least 3600 s after the one before',
    actual: /^2026-03-09T0\d:00:00Z after 2026-03-09T0\d:00:00Z$/,
  },
  {
    ...oddRange,
    rule: 'candle/documented-types',
    what: 'a volume as a number in the answer to an odd range',
    damage: fields(7, ({ volume }) => ({ volume: Number(volume) })),
    pointer: '/*/volume',
    expected: 'type string',
    actual: /^\d+$/,
    also: ['history/closed-candles-stay'],
  },
  {
    ...firstHalf,
    rule: 'history/closed-candles-stay',
    what: 'an average of the first half in its twelfth digit',
    damage: fields(10, changeTwelfthDigit),
    pointer: '/*/avg',
    expected: /^0\.\d+, as for 2026-03-09T00:00:00Z to 2026-03-16T00:00:00Z$/,
    actual: /^0\.\d+$/,
    drawn: 2,
  },
  {
    ...secondHalf,
    rule: 'history/closed-candles-stay',
    what: 'a liquidity of the second half that is reported with a decimal',
    damage: fields(10, ({ liquidity }) => ({ liquidity: `${liquidity}.0` })),
    pointer: '/*/liquidity',
    expected: /^\d+, as for 2026-03-09T00:00:00Z to 2026-03-16T00:00:00Z$/,
    actual: /^\d+\.0$/,
  },
  {
    ...history,
    rule: 'history/wider-range-holds-more',
    at: 'week HOUR',
    what: 'a cap that keeps the newest hundred of the whole week',
    damage: rows((list) => list.slice(-100)),
    expected: 'the candles that the answer for 2026-03-09T00:00:00Z to 2026-03-12T00:30:00Z holds',
    actual: '67 missing: 2026-03-09T01:00:00Z, 2026-03-09T02:00:00Z, 2026-03-09T03:00:00Z, …',
    also: ['inversion/same-candles'],
  },
  {
    ...secondHalf,
    rule: 'history/split-loses-nothing',
    what: 'an hour near the boundary',
    damage: rows((list) => list.toSpliced(3, 1)),
    expected: 'the candles that the answer for 2026-03-09T00:00:00Z to 2026-03-16T00:00:00Z holds',
    actual: '1 missing: 2026-03-12T02:00:00Z',
    drawn: 11,
  },
  {
    ...firstHalf,
    rule: 'history/split-loses-nothing',
    what: 'the last hour that the range holds wholly',
    damage: rows((list) => list.filter((row) => Number(row.startTimestampSeconds) < 1_773_270_000)),
    expected: 'the candles that the answer for 2026-03-09T00:00:00Z to 2026-03-16T00:00:00Z holds',
    actual: '1 missing: 2026-03-11T23:00:00Z',
  },
  {
    ...respelt,
    rule: spelling,
    what: 'an average in its twelfth digit',
    damage: fields(2, changeTwelfthDigit),
    pointer: '/*/avg',
    expected: /^0\.\d+, as in the usual spelling$/,
    actual: /^0\.\d+$/,
    drawn: 2,
  },
  {
    ...respelt,
    rule: spelling,
    what: 'a day less at the edge',
    damage: rows((list) => list.slice(1)),
    expected: 'the same candles at the edges of the range: 2026-03-09T00:00:00Z, 2026-03-15T00:00:00Z',
    actual: '2026-03-15T00:00:00Z',
  },
  {
    ...respelt,
    rule: spelling,
    what: 'no day at either edge',
    damage: rows((list) => list.slice(1, -1)),
    expected: 'the same candles at the edges of the range: 2026-03-09T00:00:00Z, 2026-03-15T00:00:00Z',
    actual: 'none',
  },
  {
    ...history,
    rule: 'candle/closed-lasts-its-interval',
    what: 'an hour that was not over when it was first reported, and yet not the newest',
    whole: halfAnHour(-2),
    pointer: '/*/timestampSeconds',
    expected: /./,
    actual: '1800 s',
    also: ['history/closed-candles-stay'],
  },
];

export const overlapNearMisses: readonly NearMiss[] = [
  {
    ...oddRange,
    rule: 'history/wider-range-holds-more',
    what: 'an answer to an odd range that is cut off and has a gap',
    damage: rows((list) => list.slice(-100).toSpliced(50, 2)),
  },
  {
    ...oddRange,
    rule: 'history/complete',
    what: 'an answer to an odd range that holds one hour',
    damage: rows((list) => list.slice(9, 10)),
  },
  {
    ...oddRange,
    rule: 'history/aligned',
    what: 'hours that an odd range moves by half an hour',
    damage: rows((list) =>
      list.map((row) => ({
        ...row,
        startTimestampSeconds: Number(row.startTimestampSeconds) + 1800,
        timestampSeconds: Number(row.timestampSeconds) + 1800,
      })),
    ),
  },
  {
    ...firstHalf,
    rule: 'history/closed-candles-stay',
    what: 'the fields in another order',
    damage: rows((list) => list.map((row) => Object.fromEntries(Object.entries(row).reverse()))),
  },
  {
    rule: 'history/closed-candles-stay',
    what: 'an hour that was corrected three minutes after its end',
    world: { now: Date.parse('2026-03-18T10:03:05Z') / 1000 },
    whole: (recorded) => repeatRequest(recorded, changeTwelfthDigit),
    reason: 'the candle of 2026-03-18T09:00:00Z was corrected soon after its end',
  },
  {
    ...firstHalf,
    rule: 'history/split-loses-nothing',
    what: 'no hour that the boundary cuts',
    damage: rows((list) => list.slice(0, -1)),
  },
  {
    ...respelt,
    rule: spelling,
    what: 'the fields in another order',
    damage: rows((list) => list.map((row) => Object.fromEntries(Object.entries(row).reverse()))),
  },
  {
    rule: 'history/closed-candles-stay',
    what: 'the newest hour, which was not over when it was first reported',
    whole: halfAnHour(-1),
  },
];
