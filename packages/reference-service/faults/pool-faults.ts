import type { DatedCandle } from '../store/candle-reading.ts';
import { bendCandles, type CandlePlace } from './bending/bent-candles.ts';
import { isLatest } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const FIRST = 1;

/** Places of the simulated pools in the store: both of V1, then both of V2. */
const PLACES = { firstOfV2: 3, secondOfV2: 4 };

export const poolFaults = declareFaults('pool', {
  'F58 pool-is-ignored': {
    title: 'whichever pool is requested, pool 1 is served',
    breaks: ['candle/pool-is-as-asked'],
    make: () => ({ poolQuery: (poolQuery) => ({ ...poolQuery, poolId: FIRST }) }),
  },
  'F59 pool-is-pretended': {
    title: 'whichever pool is requested, the data of pool 1 is served under its number',
    breaks: ['history/pools-differ'],
    make: () => ({
      poolQuery: (poolQuery) => ({ ...poolQuery, poolId: FIRST }),
      candle: (candle, { poolQuery }) => ({ ...candle, poolId: poolQuery?.poolId ?? candle.poolId }),
    }),
  },
  'F163 latest-has-prices-of-version-two': {
    title: 'the latest candles of V1 have the prices of the first pool of V2, and amounts of their own',
    breaks: ['history/pools-share-no-column'],
    make: () =>
      bendCandles((candle, place, requested) => (isLatest(requested) ? withPrices(candle, place) : candle)),
  },
  'F164 volume-of-the-neighbor': {
    title: 'the volume of the second pool of V2 is that of the first',
    breaks: ['history/pools-share-no-column'],
    make: () =>
      bendCandles((candle, place) => (place.pool === PLACES.secondOfV2 ? withTrades(candle, place) : candle)),
  },
});

function withPrices(candle: DatedCandle, place: CandlePlace): DatedCandle {
  const other = firstPoolCandle(candle, place);
  if (!other) return candle;
  const { samples, open, high, low, close, priceSum, inverseSum } = other;
  return { ...candle, samples, open, high, low, close, priceSum, inverseSum };
}

function withTrades(candle: DatedCandle, place: CandlePlace): DatedCandle {
  const other = firstPoolCandle(candle, place);
  return other ? { ...candle, volume: other.volume, volumeUsdCents: other.volumeUsdCents } : candle;
}

/** The same bucket of the first pool of V2. */
function firstPoolCandle(
  { start }: DatedCandle,
  { source, interval, now }: CandlePlace,
): DatedCandle | undefined {
  return source.at(PLACES.firstOfV2, interval, start, now);
}
