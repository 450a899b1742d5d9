import type { Distortion } from '../api/distortion.ts';
import type { CandleRecord } from '../api/records.ts';
import {
  invertPrices,
  multiplyAmount,
  multiplyWhole,
  roundPrices,
  scalePrices,
} from './bending/bent-values.ts';
import { all, bendAt, dropRows, hasInterval, isHistory, isInverted, isOpen } from './bending/places.ts';
import { extremesSwapped } from './extremes.ts';
import { declareFaults } from './fault.ts';

const FIRST_AND_LAST = 'inversion/first-and-last-are-inverse';

export const inversionFaults = declareFaults('inversion', {
  'F66 inversion-is-ignored': {
    title: 'inverted=true is ignored',
    breaks: [FIRST_AND_LAST],
    make: () => bendFromPlain((candle) => candle),
  },
  'F67 inversion-keeps-extremes': {
    title: 'inverted answers hold 1/high as high and 1/low as low',
    breaks: ['candle/high-is-highest', 'candle/low-is-lowest'],
    make: () => bendInverted(extremesSwapped),
  },
  'F68 only-close-is-inverted': {
    title: 'of an inverted candle, close alone is inverted',
    breaks: [FIRST_AND_LAST],
    make: () => bendFromPlain((candle) => ({ ...candle, close: 1 / candle.close })),
  },
  'F69 inverse-of-the-average': {
    title: 'the average of inverted prices is reported as the inverse of their average',
    breaks: ['inversion/average-is-of-inverses'],
    make: () => bendFromPlain((candle) => ({ ...invertPrices(candle), avg: 1 / candle.avg })),
  },
  'F70 average-stays-plain': {
    title: 'inverted answers keep the plain average',
    breaks: ['candle/average-is-within-range'],
    make: () => bendFromPlain((candle) => ({ ...invertPrices(candle), avg: candle.avg })),
  },
  'F71 amounts-are-restated': {
    title: 'inverted answers tell volume and liquidity in the other token',
    breaks: ['inversion/tinybars-stay'],
    alters: ['inversion/amounts'],
    make: () => bendInverted((candle) => revalueAmounts(candle, candle.close)),
  },
  'F72 inversion-flips-the-sign': {
    title: 'inverted prices are the plain ones with a minus',
    breaks: ['candle/prices-are-positive'],
    make: () => bendFromPlain(negative),
  },
  'F73 inverted-by-another-price': {
    title: 'inverted prices are divided by the average of their own row',
    breaks: [FIRST_AND_LAST],
    make: () => bendInverted((candle) => scalePrices(candle, 1 / candle.avg)),
  },
  'F74 false-counts-as-true': {
    title: 'inverted=false inverts, too',
    breaks: ['inversion/left-out-means-false'],
    make: () => ({
      poolQuery: (poolQuery, { request }) =>
        /[?&]inverted=/.test(request.target) ? { ...poolQuery, inverted: true } : poolQuery,
    }),
  },
  'F75 histories-are-never-inverted': {
    title: 'inverted=true works for latest candles alone',
    breaks: [FIRST_AND_LAST],
    make: () => bendAt('poolQuery', isHistory, (poolQuery) => ({ ...poolQuery, inverted: false })),
  },
  'F142 inverted-histories-lack-a-row': {
    title: 'inverted histories lack the bucket at 12:00 UTC',
    breaks: ['inversion/same-candles'],
    make: () =>
      dropRows((row, requested) => isInverted(requested) && row.startTimestampSeconds % DAY === DAY / 2),
  },
  'F143 inverted-extremes-are-widened': {
    title: 'high of inverted candles is a thousandth higher than 1/low',
    breaks: ['inversion/extremes-are-swapped'],
    sizes: { unit: 'millionths', usual: 1000, scale: [0.001, 1, 1000] },
    make: (size) => bendInverted((candle) => ({ ...candle, high: candle.high * (1 + size * 1e-6) })),
  },
  'F144 inverted-average-is-the-open': {
    title: 'avg of inverted candles is their open',
    breaks: ['inversion/averages-are-within-bounds'],
    make: () => bendInverted((candle) => ({ ...candle, avg: candle.open })),
  },
  'F178 open-row-stays-plain': {
    title: 'the open row of an inverted history is not inverted',
    breaks: ['inversion/open-candle-is-inverse'],
    make: () =>
      bendAt('rows', isInverted, (rows, requested) =>
        rows.map((row) => (isOpen(row, requested) ? invertBack(row) : row)),
      ),
  },
  'F145 inverted-dollars': {
    title: 'liquidityUsd of inverted candles is restated at their close',
    breaks: ['inversion/usd-stays'],
    make: () => multiplyAmount('liquidityUsd', isInverted, ({ close }) => close),
  },
  'F187 inverted-days-half-more': {
    title: 'prices of inverted DAY candles are half as high again',
    breaks: [FIRST_AND_LAST],
    sizes: { unit: 'times', usual: 1.5, scale: [1.000001, 1.01, 1.5] },
    make: (size) =>
      bendAt('candle', all(isInverted, hasInterval('DAY')), (candle) => scalePrices(candle, size)),
  },
  'F188 inverted-with-a-fee': {
    title: 'prices of inverted candles are a thousandth higher than the inverse',
    breaks: ['inversion/constant-is-a-power-of-ten'],
    sizes: { unit: 'millionths', usual: 1000, scale: [1, 100, 1000] },
    make: (size) => bendInverted((candle) => scalePrices(candle, 1 + size * 1e-6)),
  },
  'F189 inverted-in-three-digits': {
    title: 'prices of inverted candles have three significant digits',
    breaks: ['inversion/prices-keep-their-digits'],
    sizes: { unit: 'digits', usual: 3, scale: [7, 5, 3] },
    make: (size) => bendInverted((candle) => roundPrices(candle, size)),
  },
});

const DAY = 86_400;

/** Bends inverted candles. */
function bendInverted(bent: (candle: CandleRecord) => CandleRecord): Distortion {
  return bendAt('candle', isInverted, bent);
}

/** Makes inverted candles from the plain ones. */
function bendFromPlain(bent: (plain: CandleRecord) => CandleRecord): Distortion {
  return { ...bendInverted(bent), poolQuery: (poolQuery) => ({ ...poolQuery, inverted: false }) };
}

/** Inverted once more, but for what a mean does not give back. */
function invertBack(candle: CandleRecord): CandleRecord {
  return { ...invertPrices(candle), avg: 1 / candle.avg };
}

function revalueAmounts(candle: CandleRecord, price: number): CandleRecord {
  const { volume, liquidity } = candle;
  return { ...candle, volume: multiplyWhole(volume, price), liquidity: multiplyWhole(liquidity, price) };
}

function negative(candle: CandleRecord): CandleRecord {
  return extremesSwapped(scalePrices(candle, -1));
}
