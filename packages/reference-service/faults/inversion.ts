import type { Distortion } from '../api/distortion.ts';
import type { CandleRecord } from '../api/records.ts';
import { type Interval, LENGTH } from '../market/candle.ts';
import { multiplyUsd, multiplyWhole } from './bending/bent-candles.ts';
import { extremesSwapped } from './extremes.ts';
import { declareFaults } from './fault.ts';

const FIRST_AND_LAST = 'inversion/first-and-last-are-inverse';

export const inversionFaults = declareFaults('inversion', [
  {
    id: 'inversion-is-ignored',
    number: 'F66',
    title: 'inverted=true is ignored',
    breaks: [FIRST_AND_LAST],
    make: () => bendFromPlain((candle) => candle),
  },
  {
    id: 'inversion-keeps-extremes',
    number: 'F67',
    title: 'inverted answers hold 1/high as high and 1/low as low',
    breaks: ['candle/high-is-highest', 'candle/low-is-lowest'],
    make: () => bendInverted(extremesSwapped),
  },
  {
    id: 'only-close-is-inverted',
    number: 'F68',
    title: 'of an inverted candle, close alone is inverted',
    breaks: [FIRST_AND_LAST],
    make: () => bendFromPlain((candle) => ({ ...candle, close: 1 / candle.close })),
  },
  {
    id: 'inverse-of-the-average',
    number: 'F69',
    title: 'the average of inverted prices is reported as the inverse of their average',
    breaks: ['inversion/average-is-of-inverses'],
    make: () => bendFromPlain((candle) => ({ ...invertCandle(candle), avg: 1 / candle.avg })),
  },
  {
    id: 'average-stays-plain',
    number: 'F70',
    title: 'inverted answers keep the plain average',
    breaks: ['candle/average-is-within-range'],
    make: () => bendFromPlain((candle) => ({ ...invertCandle(candle), avg: candle.avg })),
  },
  {
    id: 'amounts-are-restated',
    number: 'F71',
    title: 'inverted answers tell volume and liquidity in the other token',
    breaks: ['inversion/tinybars-stay'],
    alters: ['inversion/amounts'],
    make: () => bendInverted((candle) => revalueAmounts(candle, candle.close)),
  },
  {
    id: 'inversion-flips-the-sign',
    number: 'F72',
    title: 'inverted prices are the plain ones with a minus',
    breaks: ['candle/prices-are-positive'],
    make: () => bendFromPlain(negative),
  },
  {
    id: 'inverted-by-another-price',
    number: 'F73',
    title: 'inverted prices are divided by the average of their own row',
    breaks: [FIRST_AND_LAST],
    make: () => bendInverted((candle) => scaleCandle(candle, 1 / candle.avg)),
  },
  {
    id: 'false-counts-as-true',
    number: 'F74',
    title: 'inverted=false inverts, too',
    breaks: ['inversion/left-out-means-false'],
    make: () => ({
      poolQuery: (poolQuery, { request }) =>
        /[?&]inverted=/.test(request.target) ? { ...poolQuery, inverted: true } : poolQuery,
    }),
  },
  {
    id: 'histories-are-never-inverted',
    number: 'F75',
    title: 'inverted=true works for latest candles alone',
    breaks: [FIRST_AND_LAST],
    make: () => ({
      poolQuery: (poolQuery, { operation }) =>
        operation === 'listV2PoolCandles' ? { ...poolQuery, inverted: false } : poolQuery,
    }),
  },
  {
    id: 'inverted-histories-lack-a-row',
    number: 'F142',
    title: 'inverted histories lack the bucket at 12:00 UTC',
    breaks: ['inversion/same-candles'],
    make: () => ({
      rows: (rows, { poolQuery }) =>
        poolQuery?.inverted ? rows.filter((row) => row.startTimestampSeconds % DAY !== DAY / 2) : rows,
    }),
  },
  {
    id: 'inverted-extremes-are-widened',
    number: 'F143',
    title: 'high of inverted candles is a thousandth higher than 1/low',
    breaks: ['inversion/extremes-are-swapped'],
    sizes: { unit: 'millionths', usual: 1000, scale: [0.001, 1, 1000] },
    make: (size) => bendInverted((candle) => ({ ...candle, high: candle.high * (1 + size * 1e-6) })),
  },
  {
    id: 'inverted-average-is-the-open',
    number: 'F144',
    title: 'avg of inverted candles is their open',
    breaks: ['inversion/averages-are-within-bounds'],
    make: () => bendInverted((candle) => ({ ...candle, avg: candle.open })),
  },
  {
    id: 'open-row-stays-plain',
    number: 'F178',
    title: 'the open row of an inverted history is not inverted',
    breaks: ['inversion/open-candle-is-inverse'],
    make: () => ({
      rows: (rows, { poolQuery }) =>
        poolQuery?.inverted
          ? rows.map((row) => (isOpen(row, poolQuery.interval) ? invertBack(row) : row))
          : rows,
    }),
  },
  {
    id: 'inverted-dollars',
    number: 'F145',
    title: 'liquidityUsd of inverted candles is restated at their close',
    breaks: ['inversion/usd-stays'],
    make: () =>
      bendInverted((candle) => ({ ...candle, liquidityUsd: multiplyUsd(candle.liquidityUsd, candle.close) })),
  },
  {
    id: 'inverted-days-half-more',
    number: 'F187',
    title: 'prices of inverted DAY candles are half as high again',
    breaks: [FIRST_AND_LAST],
    sizes: { unit: 'times', usual: 1.5, scale: [1.000001, 1.01, 1.5] },
    make: (size) => ({
      candle: (candle, { poolQuery }) =>
        poolQuery?.inverted && poolQuery.interval === 'DAY' ? scaleCandle(candle, size) : candle,
    }),
  },
  {
    id: 'inverted-with-a-fee',
    number: 'F188',
    title: 'prices of inverted candles are a thousandth higher than the inverse',
    breaks: ['inversion/constant-is-a-power-of-ten'],
    sizes: { unit: 'millionths', usual: 1000, scale: [1, 100, 1000] },
    make: (size) => bendInverted((candle) => scaleCandle(candle, 1 + size * 1e-6)),
  },
  {
    id: 'inverted-in-three-digits',
    number: 'F189',
    title: 'prices of inverted candles have three significant digits',
    breaks: ['inversion/prices-keep-their-digits'],
    sizes: { unit: 'digits', usual: 3, scale: [7, 5, 3] },
    make: (size) => {
      const places = Math.min(100, Math.max(1, Math.round(size)));
      return bendInverted((candle) => mapPrices(candle, (price) => Number(price.toPrecision(places))));
    },
  },
]);

const DAY = 86_400;

/** Bends inverted candles. */
function bendInverted(bent: (candle: CandleRecord) => CandleRecord): Distortion {
  return { candle: (candle, { poolQuery }) => (poolQuery?.inverted ? bent(candle) : candle) };
}

/** Makes inverted candles from the plain ones. */
function bendFromPlain(bent: (plain: CandleRecord) => CandleRecord): Distortion {
  return { ...bendInverted(bent), poolQuery: (poolQuery) => ({ ...poolQuery, inverted: false }) };
}

function isOpen({ startTimestampSeconds, timestampSeconds }: CandleRecord, interval: Interval): boolean {
  return timestampSeconds < startTimestampSeconds + LENGTH[interval];
}

/** Inverted once more, but for what a mean does not give back. */
function invertBack(candle: CandleRecord): CandleRecord {
  return { ...invertCandle(candle), avg: 1 / candle.avg };
}

function invertCandle(candle: CandleRecord): CandleRecord {
  const { open, high, low, close } = candle;
  return { ...candle, open: 1 / open, high: 1 / low, low: 1 / high, close: 1 / close };
}

function revalueAmounts(candle: CandleRecord, price: number): CandleRecord {
  const { volume, liquidity } = candle;
  return { ...candle, volume: multiplyWhole(volume, price), liquidity: multiplyWhole(liquidity, price) };
}

function negative(candle: CandleRecord): CandleRecord {
  return extremesSwapped(scaleCandle(candle, -1));
}

function scaleCandle(candle: CandleRecord, by: number): CandleRecord {
  return mapPrices(candle, (price) => price * by);
}

function mapPrices(candle: CandleRecord, change: (price: number) => number): CandleRecord {
  const { open, high, low, close, avg } = candle;
  return {
    ...candle,
    open: change(open),
    high: change(high),
    low: change(low),
    close: change(close),
    avg: change(avg),
  };
}
