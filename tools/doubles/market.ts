export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The row of an interval. Prices are in ticks and amounts in lots: integers, so that sums are exact. */
export type Bar = {
  /** Unix milliseconds; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Ticks times lots. */
  readonly quote: number;
  readonly trades: number;
  /** The buyers' share of both. */
  readonly takerVolume: number;
  readonly takerQuote: number;
};

type Trade = {
  readonly time: number;
  readonly price: number;
  readonly amount: number;
  readonly isBuy: boolean;
};

export type TradedMarketOptions = {
  readonly seed: number;
  /** Unix milliseconds: the first trade, and the instant before which the last one lies. */
  readonly listed: number;
  readonly until: number;
  /** Ticks at the first trade. */
  readonly price: number;
  readonly tradesPerMinute: number;
  /** Instants at which no one trades. */
  readonly isQuiet?: (time: number) => boolean;
};

/** One market: the same options give the same trades. */
export class TradedMarket {
  readonly listed: number;
  readonly #trades: readonly Trade[];

  constructor(options: TradedMarketOptions) {
    this.listed = options.listed;
    this.#trades = [...makeTrades(options)];
  }

  /** Returns the bar of the trades from one instant up to another; undefined if there are none. */
  bar(start: number, end: number, until = end): Bar | undefined {
    const traded = this.#trades.slice(this.#firstFrom(start), this.#firstFrom(Math.min(end, until)));
    const [first] = traded;
    const last = traded.at(-1);
    if (!first || !last) return undefined;
    const prices = { high: first.price, low: first.price };
    const sums = { volume: 0, quote: 0, takerVolume: 0, takerQuote: 0 };
    for (const { price, amount, isBuy } of traded) {
      prices.high = Math.max(prices.high, price);
      prices.low = Math.min(prices.low, price);
      sums.volume += amount;
      sums.quote += price * amount;
      sums.takerVolume += isBuy ? amount : 0;
      sums.takerQuote += isBuy ? price * amount : 0;
    }
    return { start, end, open: first.price, close: last.price, ...prices, ...sums, trades: traded.length };
  }

  /** Price of the last trade before an instant. */
  priceBefore(time: number): number | undefined {
    return this.#trades[this.#firstFrom(time) - 1]?.price;
  }

  #firstFrom(time: number): number {
    let low = 0;
    let high = this.#trades.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#trades[middle]?.time ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Lots. */
const largestAmount = 200_000;

function* makeTrades(options: TradedMarketOptions): Generator<Trade> {
  const { listed, until, tradesPerMinute, isQuiet = () => false } = options;
  const random = randomFrom(options.seed);
  let { price } = options;
  for (let time = listed; time < until; ) {
    if (time === listed || !isQuiet(time)) {
      const amount = 1 + Math.floor(random() ** 3 * largestAmount);
      yield { time, price, amount, isBuy: random() < 0.5 };
      price = Math.max(1, Math.round(price * (1 + (random() - 0.5) / 500)));
    }
    time += Math.ceil((-Math.log(1 - random()) * minuteMs) / tradesPerMinute);
  }
}

/** The same row with each price changed alike. */
export function withPrices(row: Bar, change: (price: number) => number): Bar {
  const { open, high, low, close } = row;
  return { ...row, open: change(open), high: change(high), low: change(low), close: change(close) };
}

/** Numbers from 0 up to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
