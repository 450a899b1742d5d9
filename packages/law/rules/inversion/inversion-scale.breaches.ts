import type { Exchange } from '../../reading/exchange.ts';
import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  damageExchange,
  everyRow,
  type Fields,
  value,
  withExchanges,
  withoutRequests,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const power = 'inversion/constant-is-a-power-of-ten';
const digits = 'inversion/prices-keep-their-digits';

const prices = ['open', 'high', 'low', 'close', 'avg'] as const;

/** Changes all prices of a row. */
export const changePrices =
  (change: (price: number) => number) =>
  (record: Fields): Fields =>
    Object.fromEntries(prices.map((price) => [price, change(Number(record[price]))]));

export const halfMore = everyRow(changePrices((price) => price * 1.5));

/** Keeps the closed week's days as the only inverted answer of their pool. */
export function onlyDays(recorded: NamedRecording): NamedRecording {
  return withoutRequests(recorded, 'week HOUR inverted', 'recent WEEK inverted', 'latest HOUR inverted');
}

const roundTo = (places: number) => everyRow(changePrices((price) => Number(price.toPrecision(places))));

/** Changes the prices of every candle of a run, plain and inverted. */
function changeAll(recorded: NamedRecording, change: (price: number) => number): NamedRecording {
  const record = changePrices(change);
  const damage = value((content) => {
    if (Array.isArray(content)) return content.map((row: Fields) => ({ ...row, ...record(row) }));
    return { ...(content as Fields), ...record(content as Fields) };
  });
  const holdsCandles = ({ response }: Exchange): boolean => response?.body?.text.includes('"avg"') === true;
  return withExchanges(recorded, (all) =>
    all.map((exchange) => (holdsCandles(exchange) ? damage(exchange) : exchange)),
  );
}

export const inversionScaleBreaches: readonly BreachCase[] = [
  {
    rule: power,
    what: 'inverted prices that hold a ten-thousandth more',
    world: { constant: 1.0001 },
    everyOperation: true,
    pointer: '/*/open',
    drawn: 2,
    expected: 'open × inverted open = 1, or another power of ten',
    actual: '1.0001, in all of the pool’s candles',
  },
  {
    rule: power,
    what: 'inverted days half as high again, the only inverted answer of their pool',
    whole: (recorded) => damageExchange(onlyDays(recorded), 'week DAY inverted', halfMore),
    pointer: '/*/open',
    expected: 'open × inverted open = 1, or another power of ten',
    actual: '1.5, in all of the pool’s candles',
  },
  {
    rule: digits,
    what: 'inverted hours of three digits',
    whole: (recorded) =>
      damageExchange(
        withoutRequests(recorded, 'week DAY inverted', 'recent WEEK inverted'),
        'week HOUR inverted',
        roundTo(3),
      ),
    pointer: '/*/close',
    drawn: 2,
    expected: /^a close that gives 0\.0\d{14,} back$/,
    actual: /^1\d\.\d, which gives 0\.0\d{3,5}$/,
  },
];

export const inversionScaleNearMisses: readonly NearMiss[] = [
  { rule: power, what: 'both sides in tinybars', world: { constant: 1e16 } },
  { rule: power, what: 'a constant that five digits leave between 0.9999 and 1.0001', world: { digits: 5 } },
  { rule: digits, what: 'five digits on both sides', world: { digits: 5 } },
  {
    rule: digits,
    what: 'four decimals on both sides, which leave a small price three digits',
    world: { priceLevel: 20 },
    whole: (recorded) => changeAll(recorded, (price) => Number(price.toFixed(4))),
  },
];
