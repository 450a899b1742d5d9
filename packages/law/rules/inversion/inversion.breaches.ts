import type { Exchange } from '../../reading/exchange.ts';
import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  damageExchange,
  everyRow,
  type Fields,
  fields,
  rows,
  withoutRequests,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

export const hours = { at: 'week HOUR inverted' } as const;
export const row = 3;

const scaleField = (field: string, factor: number) => (record: Fields) => ({
  [field]: Number(record[field]) * factor,
});

/** The first of two equal requests states the default and shows another average than the second. */
function respellFirst(recorded: NamedRecording): NamedRecording {
  const changeUrl = (change: (url: string) => string) => (exchange: Exchange) => ({
    ...exchange,
    request: { ...exchange.request, url: change(exchange.request.url) },
  });
  const spelt = damageExchange(
    recorded,
    'week HOUR',
    changeUrl((url) => `${url}&inverted=false`),
  );
  const other = all(
    changeUrl((url) => url.replace('&inverted=false', '')),
    fields(row, scaleField('avg', 1 + 1e-12)),
  );
  return damageExchange(spelt, 'week HOUR spelt', other);
}

/** Makes every price negative, with the highest as the lowest. */
function invertPrices({ open, high, low, close, avg }: Fields): Fields {
  return {
    open: -Number(open),
    high: -Number(low),
    low: -Number(high),
    close: -Number(close),
    avg: -Number(avg),
  };
}

/** Changes every inverted row of a history. */
function changeInverted(change: (record: Fields) => Fields): (recorded: NamedRecording) => NamedRecording {
  return (recorded) =>
    ['week HOUR inverted', 'week DAY inverted', 'recent WEEK inverted'].reduce(
      (changed, name) => damageExchange(changed, name, everyRow(change)),
      recorded,
    );
}

const asDefault = 'inversion/left-out-means-false';
const first = 'inversion/first-and-last-are-inverse';
const extremes = 'inversion/extremes-are-swapped';

function product(rule: string, field: string, other: string): BreachCase {
  return {
    ...hours,
    rule,
    what: `an inverted ${field} that is a millionth off`,
    damage: fields(row, scaleField(field, field === 'low' ? 1 - 1e-6 : 1 + 1e-6)),
    pointer: `/*/${field}`,
    expected: `${other} × inverted ${field} = 1, as in the pool's other candles`,
    actual: /^(1\.00000[01]|0\.99999)\d*$/,
    drawn: 2,
  };
}

export const inversionBreaches: readonly BreachCase[] = [
  {
    ...hours,
    rule: asDefault,
    at: 'week HOUR spelt',
    what: 'an average in its twelfth digit',
    damage: fields(row, scaleField('avg', 1 + 1e-12)),
    pointer: '/*/avg',
    expected: /^0\.\d+, as without the parameter$/,
    actual: /^0\.\d+$/,
    drawn: 2,
  },
  {
    rule: asDefault,
    at: 'latest HOUR spelt',
    what: 'a latest average in its twelfth digit',
    damage: fields(0, scaleField('avg', 1 + 1e-12)),
    pointer: '/avg',
    expected: /^0\.\d+, as without the parameter$/,
    actual: /^0\.\d+$/,
  },
  {
    ...hours,
    rule: 'inversion/same-candles',
    what: 'one inverted hour less at the edge',
    damage: rows((list) => list.slice(1)),
    expected: 'the 168 closed candles of the plain answer',
    actual: '167 closed candles, 167 of them the same intervals',
  },
  {
    ...hours,
    rule: 'inversion/same-candles',
    what: 'an inverted hour of the next week in place of the first',
    damage: rows((list) => [
      ...list.slice(1),
      {
        ...list.at(-1),
        volume: '7',
        startTimestampSeconds: Number(list.at(-1)?.startTimestampSeconds) + 3600,
        timestampSeconds: Number(list.at(-1)?.timestampSeconds) + 3600,
      },
    ]),
    expected: 'the 168 closed candles of the plain answer',
    actual: '168 closed candles, 167 of them the same intervals',
  },
  {
    ...hours,
    rule: 'candle/high-is-highest',
    what: 'an inverted high below its open, which is no matter of inversion',
    damage: fields(row, ({ low, open, close }) => {
      const high = (Number(low) + Math.min(Number(open), Number(close))) / 2;
      return { high, avg: high };
    }),
    pointer: '/*/high',
    expected: /^at least \d+\.\d+$/,
    actual: /^\d+\.\d+$/,
  },
  {
    rule: asDefault,
    what: 'another average without the parameter, requested later',
    whole: respellFirst,
    pointer: '/*/avg',
    expected: /^0\.\d+, as without the parameter$/,
    actual: /^0\.\d+$/,
    also: ['history/closed-candles-stay'],
  },
  {
    ...hours,
    rule: 'inversion/same-candles',
    what: 'inverted hours that are stamped in another way',
    damage: fields(row, ({ timestampSeconds }) => ({ timestampSeconds: Number(timestampSeconds) - 60 })),
    pointer: '/*/timestampSeconds',
    expected: /^\d+, as the plain candle$/,
    actual: /^\d+$/,
    also: ['candle/closed-lasts-its-interval'],
  },
  {
    rule: first,
    what: 'inverted prices that are all below zero',
    whole: changeInverted(invertPrices),
    pointer: '/*/open',
    count: 168 + 7 + 2,
    expected: 'open × inverted open above zero',
    actual: /^-(1|0\.99)/,
    also: [extremes, 'candle/prices-are-positive'],
  },
  {
    ...product(first, 'open', 'open'),
    what: 'an inverted open that is a millionth off, above its high',
    damage: fields(row, ({ open }) => ({
      open: Number(open) * (1 + 1e-6),
      high: Number(open),
      avg: Number(open),
    })),
    also: ['candle/high-is-highest'],
  },
  {
    rule: first,
    what: 'inverted candles that all open, close and are lowest at nothing',
    whole: changeInverted(() => ({ open: 0, low: 0, close: 0 })),
    pointer: '/*/open',
    count: 168 + 7 + 2,
    expected: 'open × inverted open above zero',
    actual: '0',
    also: [extremes, 'candle/prices-are-positive'],
  },
  product(first, 'open', 'open'),
  product(first, 'close', 'close'),
  product(extremes, 'high', 'low'),
  product(extremes, 'low', 'high'),
  {
    rule: 'inversion/usd-stays',
    what: 'a volume worth a dollar more',
    drawn: 2,
    whole: (recorded) =>
      damageExchange(
        withoutRequests(recorded, 'week DAY inverted'),
        hours.at,
        fields(row, ({ volumeUsd }) => ({ volumeUsd: String(Number(volumeUsd) + 1) })),
      ),
    pointer: '/*/volumeUsd',
    expected: /^[\d.]+, as without inversion$/,
    actual: /^[\d.]+$/,
  },
  {
    rule: 'inversion/usd-stays',
    at: 'latest HOUR inverted',
    what: 'a latest liquidity in the other token',
    damage: fields(0, { liquidityUsd: '5' }),
    pointer: '/liquidityUsd',
    expected: /^[\d.]+, as without inversion$/,
    actual: '5',
  },
  {
    ...hours,
    rule: 'inversion/tinybars-stay',
    what: 'liquidity restated',
    damage: fields(row, ({ liquidity }) => ({ liquidity: `${liquidity}0` })),
    pointer: '/*/liquidity',
    expected: /^\d+, as without inversion$/,
    actual: /^\d+$/,
  },
  {
    rule: 'inversion/tinybars-stay',
    at: 'latest HOUR inverted',
    what: 'a latest volume in the other token',
    damage: fields(0, { volume: '5' }),
    pointer: '/volume',
    expected: /^\d+, as without inversion$/,
    actual: '5',
  },
];

export const inversionNearMisses: readonly NearMiss[] = [
  {
    ...hours,
    rule: asDefault,
    at: 'week HOUR spelt',
    what: 'the fields in another order',
    damage: rows((list) => list.map((candle) => Object.fromEntries(Object.entries(candle).reverse()))),
  },
  {
    ...hours,
    rule: first,
    what: 'a double in its last places',
    damage: fields(row, scaleField('open', 1 + 1e-10)),
  },
  {
    ...hours,
    rule: extremes,
    what: 'a double in its last places',
    damage: fields(row, scaleField('high', 1 + 1e-10)),
  },
];
