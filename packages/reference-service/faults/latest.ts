import { bucketStart, LENGTH } from '../market/candle.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import { bendCandles, type CandlePlace } from './bending/bent-candles.ts';
import { invertPrices, multiplyAmount, scalePrices } from './bending/bent-values.ts';
import { all, bendAt, delayData, hasInterval, isHistory, isLatest } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const MINUTE = 60;

export const latestFaults = declareFaults('latest', {
  'F60 stale-latest': {
    title: 'the latest candle comes from a cache that is ten minutes old',
    breaks: ['latest/is-the-newest'],
    alters: ['latest/lag'],
    sizes: { unit: 'seconds', usual: 600, scale: [60, 120, 300, 600, 900, 1800, 86_400] },
    make: (seconds) => delayData(isLatest, seconds),
  },
  'F61 latest-is-closed': {
    title: 'the latest candle is the last closed one',
    breaks: ['latest/is-the-newest'],
    make: () => ({
      latestStart: (start, { poolQuery }) => (poolQuery ? start - LENGTH[poolQuery.interval] : start),
    }),
  },
  'F62 latest-rolls-late': {
    title: 'when a longer bucket than FIVEMIN begins, the one before is served for another five minutes',
    breaks: ['latest/intervals-agree'],
    shows: 'moved clock',
    sizes: { unit: 'seconds', usual: 300, scale: [60, 120, 300, 900] },
    make: (seconds) => ({
      latestStart: (start, { poolQuery, now }) => {
        const length = poolQuery ? LENGTH[poolQuery.interval] : 0;
        return length > seconds && now / 1000 < start + seconds ? start - length : start;
      },
    }),
  },
  'F63 replicas-out-of-step': {
    title: 'every second latest candle comes from a replica that is two minutes behind',
    breaks: ['latest/never-goes-back'],
    sizes: { unit: 'seconds behind', usual: 120, scale: [60, 120, 600] },
    make: (seconds) => {
      let turn = 0;
      return delayData((requested) => isLatest(requested) && ++turn % 2 === 0, seconds);
    },
  },
  'F64 volume-of-the-minute': {
    title: 'the latest candle holds the volume of its last minute alone',
    breaks: ['latest/only-grows'],
    shows: 'two checks',
    make: () =>
      bendCandles((candle, place, requested) =>
        isLatest(requested) ? lastMinuteCandle(candle, place) : candle,
      ),
  },
  'F65 latest-is-always-hour': {
    title: 'the latest candle is an HOUR candle, whatever interval is requested',
    breaks: ['candle/lasts-at-most-its-interval'],
    make: () => bendAt('poolQuery', isLatest, (poolQuery) => ({ ...poolQuery, interval: 'HOUR' })),
  },
  'F175 latest-day-is-worth-little': {
    title: 'volumeUsd of the latest DAY candle is a hundredth',
    breaks: ['latest/usd-volumes-nest'],
    sizes: { unit: 'times', usual: 0.01, scale: [0.05, 0.03, 0.01] },
    make: (size) => multiplyAmount('volumeUsd', all(isLatest, hasInterval('DAY')), () => size),
  },
  'F60b feed-of-v-one-stands-still': {
    title: 'the source of all V1 pools has stood still for half an hour',
    breaks: ['latest/is-observed'],
    alters: ['latest/lag'],
    sizes: { unit: 'seconds', usual: 1800, scale: [660, 900, 1800, 7200] },
    make: (seconds) => delayData(isLatest, seconds),
  },
});

function lastMinuteCandle(candle: DatedCandle, { source, pool }: CandlePlace): DatedCandle {
  const { lastSample } = candle;
  const start = lastSample - (lastSample % LENGTH.FIVEMIN);
  const by = source.at(pool, 'FIVEMIN', start, lastSample);
  const before = lastSample === start ? undefined : source.at(pool, 'FIVEMIN', start, lastSample - MINUTE);
  if (!by) return candle;
  return {
    ...candle,
    volume: by.volume - (before?.volume ?? 0n),
    volumeUsdCents: by.volumeUsdCents - (before?.volumeUsdCents ?? 0n),
  };
}

export const pastFaults = declareFaults('closed', {
  'F87 prices-are-recomputed': {
    title: 'with each minute, closed candles are recomputed a ten-thousandth off',
    breaks: ['history/closed-candles-stay'],
    shows: 'two checks',
    sizes: { unit: 'millionths', usual: 100, scale: [0.001, 1, 100, 10_000] },
    make: (size) => ({
      candle: (candle, { now }) =>
        scalePrices(candle, 1 + size * 1e-6 * (Math.floor(now / (MINUTE * 1000)) % 60)),
    }),
  },
  'F130 upside-down-before-a-migration': {
    title: 'candles that began more than six days before today tell their prices the other way round',
    breaks: ['rollup/close-is-the-last'],
    sizes: { unit: 'days', usual: 6, scale: [30, 20, 10, 6] },
    make: (days) => {
      let migrated: number | undefined;
      return bendCandles((candle, { now }) => {
        migrated ??= bucketStart(now - days * 86_400, 'DAY', 0);
        return candle.start < migrated ? turnUpsideDown(candle) : candle;
      });
    },
  },
  'F135 history-lags': {
    title: 'histories are brought up to date fifteen minutes late',
    breaks: ['history/complete'],
    sizes: { unit: 'seconds', usual: 900, scale: [60, 120, 300, 600, 900, 3600] },
    make: (seconds) => delayData(isHistory, seconds),
  },
});

function turnUpsideDown(candle: DatedCandle): DatedCandle {
  const { priceSum, inverseSum } = candle;
  return { ...invertPrices(candle), priceSum: inverseSum, inverseSum: priceSum };
}
