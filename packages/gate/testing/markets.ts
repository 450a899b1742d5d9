import { isoTime, type SampleRow } from './tables.ts';

/** A kind of healthy market. */
export type MarketKind = {
  readonly name: string;
  /** Interval in seconds. */
  readonly step: number;
  /** Usual move of a row, as a share, and size of the last digit of prices. */
  readonly move: number;
  readonly tick: number;
  readonly price: number;
  /** Usual volume, and how many times of it are usual, too; volumes are multiples of the lot. */
  readonly volume: number;
  readonly spread: number;
  readonly lot: number;
  /** Share of rows without a trade, which stand still. */
  readonly idle?: number;
  /** Returns whether the market is open at a time. */
  readonly isOpen?: (at: Date) => boolean;
  /** Returns the factor of volume and movement at a time. */
  readonly activity?: (at: Date) => number;
};

const isWeekday = (at: Date): boolean => at.getUTCDay() % 6 !== 0;
const isForexTime = (at: Date): boolean => {
  const [weekday, hour] = [at.getUTCDay(), at.getUTCHours()];
  return weekday === 0 ? hour >= 22 : weekday === 5 ? hour < 22 : weekday !== 6;
};
const countMinutes = (at: Date): number => at.getUTCHours() * 60 + at.getUTCMinutes();
const isBetween =
  (from: number, to: number) =>
  (at: Date): boolean =>
    isWeekday(at) && countMinutes(at) >= from && countMinutes(at) < to;
/** Twice as lively at the open and the close as between. */
const smile = (at: Date): number => {
  const share = (countMinutes(at) - 810) / 390;
  return 1 + 3 * (2 * share - 1) ** 2;
};
const beforeOpen = (at: Date): number => (countMinutes(at) < 810 ? 0.04 : smile(at));

const [minute, hour, day] = [60, 3600, 86_400];
const coin = { tick: 0.01, price: 40_000, volume: 30, spread: 3, lot: 0.00001 };
const share = { tick: 0.01, price: 120, volume: 2e6, spread: 1.6, lot: 1 };

/** Kinds of healthy markets on which rules must be silent. */
export const marketKinds: readonly MarketKind[] = [
  { name: 'coin by the minute', step: minute, move: 0.0005, ...coin },
  { name: 'coin by the hour', step: hour, move: 0.004, ...coin },
  { name: 'coin by the day', step: day, move: 0.025, ...coin },
  {
    ...{ name: 'quiet coin', step: 5 * minute, move: 0.003, tick: 0.0001, price: 0.8, volume: 900 },
    ...{ spread: 20, lot: 0.1, idle: 0.6 },
  },
  {
    ...{ name: 'wild coin by the day', step: day, move: 0.06, tick: 1e-8, price: 0.0004, volume: 2e8 },
    ...{ spread: 5, lot: 1 },
  },
  {
    ...{ name: 'stable coin', step: hour, move: 0.00008, tick: 0.0001, price: 1, volume: 2e6 },
    ...{ spread: 3, lot: 0.01 },
  },
  {
    ...{ name: 'cheap coin of few ticks', step: minute, move: 0.01, tick: 1e-8, price: 6e-7, volume: 50_000 },
    ...{ spread: 6, lot: 1, idle: 0.3 },
  },
  {
    ...{ name: 'currency by the minute', step: minute, move: 0.00006, tick: 0.00001, price: 1.1, volume: 80 },
    ...{ spread: 2, lot: 1, isOpen: isForexTime },
  },
  {
    ...{ name: 'currency by the hour', step: hour, move: 0.0005, tick: 0.001, price: 150, volume: 3000 },
    ...{ spread: 1.8, lot: 1, isOpen: isForexTime },
  },
  { name: 'share by the day', step: day, move: 0.011, ...share, isOpen: isWeekday },
  {
    ...{ name: 'share by five minutes', step: 5 * minute, move: 0.0012, ...share, volume: 30_000 },
    ...{ isOpen: isBetween(810, 1200), activity: smile },
  },
  {
    ...{ name: 'share with hours before the open', step: minute, move: 0.0006, ...share, volume: 40_000 },
    ...{ isOpen: isBetween(720, 1200), activity: beforeOpen },
  },
  {
    ...{ name: 'penny share', step: day, move: 0.04, tick: 0.005, price: 0.06, volume: 40_000, spread: 8 },
    ...{ lot: 100, isOpen: isWeekday },
  },
  {
    ...{ name: 'idle share', step: day, move: 0.02, tick: 0.1, price: 30, volume: 500, spread: 6, lot: 10 },
    ...{ idle: 0.25, isOpen: isWeekday },
  },
  {
    ...{ name: 'index', step: day, move: 0.008, tick: 0.01, price: 4000, volume: 0, spread: 1, lot: 1 },
    ...{ isOpen: isWeekday },
  },
  {
    ...{ name: 'index by the minute', step: minute, move: 0.0003, tick: 0.01, price: 4000, volume: 0 },
    ...{ spread: 1, lot: 1, isOpen: isBetween(540, 960) },
  },
  {
    ...{ name: 'future by the hour', step: hour, move: 0.002, tick: 0.25, price: 5000, volume: 9000 },
    ...{ spread: 2, lot: 1, isOpen: (at) => isForexTime(at) && at.getUTCHours() !== 21 },
  },
  {
    ...{ name: 'bond future', step: 15 * minute, move: 0.0003, tick: 1 / 32, price: 118, volume: 4000 },
    ...{ spread: 3, lot: 1, isOpen: isForexTime },
  },
  {
    ...{ name: 'commodity by the week', step: 7 * day, move: 0.03, tick: 0.01, price: 80, volume: 1e6 },
    ...{ spread: 1.4, lot: 1 },
  },
  {
    ...{ name: 'power by the hour', step: hour, move: 0.05, tick: 0.01, price: 60, volume: 4000 },
    ...{ spread: 1.5, lot: 0.1 },
  },
];

/** A row of a market with its quote volume and trades. */
export type MarketRow = SampleRow & { readonly quote: number; readonly trades: number };

/** Makes rows of a healthy market: fat tails, waves of volatility, prices in ticks, volumes in lots. */
export function makeMarket(kind: MarketKind, seed: number, count: number): MarketRow[] {
  const draw = makeDraw(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
  const fat = (): number => normal() / Math.sqrt((-Math.log(draw()) - Math.log(draw())) / 2);
  const round = (price: number): number =>
    Number((Math.max(1, Math.round(price / kind.tick)) * kind.tick).toPrecision(12));
  let time = 1_609_718_400 + Math.floor(draw() * 400) * 7 * day * Number(kind.step < 7 * day);
  let price = kind.price;
  let close = round(price);
  const rows: MarketRow[] = [];
  for (; rows.length < count; time += kind.step) {
    const at = new Date(time * 1000);
    if (kind.isOpen && !kind.isOpen(at)) continue;
    const isIdle = draw() < (kind.idle ?? 0);
    const wave = Math.exp(0.7 * Math.sin(rows.length / 400)) * Math.sqrt(kind.activity?.(at) ?? 1);
    const open = isIdle ? close : round(price * (1 + kind.move * 0.2 * normal()));
    // A market returns to its price, so that long tables keep the size of their ticks.
    const pull = 0.01 * Math.log(kind.price / price);
    if (!isIdle) price *= Math.exp(kind.move * wave * Math.max(-12, Math.min(12, fat())) + pull);
    close = isIdle ? close : round(price);
    const [top, bottom] = [Math.max(open, close), Math.min(open, close)];
    const wick = (): number => (isIdle ? 0 : kind.move * wave * Math.abs(normal()) * 0.6);
    const [high, low] = [
      Math.max(top, isIdle ? top : round(top * (1 + wick()))),
      Math.min(bottom, isIdle ? bottom : round(bottom * (1 - wick()))),
    ];
    const lots = (kind.volume * (kind.activity?.(at) ?? 1) * kind.spread ** normal()) / kind.lot;
    const volume = isIdle
      ? 0
      : Number((Math.max(kind.volume > 0 ? 1 : 0, Math.round(lots)) * kind.lot).toPrecision(12));
    const average = low + (high - low) * draw();
    const trades = volume > 0 ? 1 + Math.floor(40 * draw()) : 0;
    rows.push({ time, open, high, low, close, volume, quote: volume * average, trades });
  }
  return rows;
}

function makeDraw(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

/** Formats rows as CSV with quote volume and trades. */
export function formatMarket(rows: readonly MarketRow[]): string {
  const lines = rows.map(({ time, open, high, low, close, volume, quote, trades }) =>
    [isoTime(time), open, high, low, close, volume, Number(quote.toFixed(8)), trades].join(','),
  );
  return ['open_time,open,high,low,close,volume,quote_volume,count', ...lines, ''].join('\n');
}
