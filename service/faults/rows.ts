import { LENGTH } from '../market/interval.ts';
import type { Fault } from './fault.ts';

const DAY = 86_400;
const NOON = 43_200;

export const noonIsMissing: Fault = {
  id: 'noon-is-missing',
  number: 'F51',
  class: 'rows',
  title: 'the bucket at 12:00 UTC is missing from every HOUR and FIVEMIN history',
  breaks: ['history/complete'],
  distortion: {
    rows: (rows, { question, now }) => {
      if (question?.interval !== 'HOUR' && question?.interval !== 'FIVEMIN') return rows;
      const end = now / 1000 - LENGTH[question.interval];
      return rows.filter(({ startTimestampSeconds: start }) => start % DAY !== NOON || start > end);
    },
  },
};

export const latestIsClosed: Fault = {
  id: 'latest-is-closed',
  number: 'F61',
  class: 'latest',
  title: 'the latest candle is the last closed one',
  breaks: ['latest/is-the-newest'],
  distortion: {
    latestStart: (start, { question }) => (question ? start - LENGTH[question.interval] : start),
  },
};

export const dailyVolumeTwice: Fault = {
  id: 'daily-volume-twice',
  number: 'F79',
  class: 'volume',
  title: 'DAY candles count the volume of both legs',
  breaks: ['rollup/volume-is-summed'],
  distortion: {
    candle: (candle, { question }) =>
      question?.interval === 'DAY' ? { ...candle, volume: String(BigInt(candle.volume) * 2n) } : candle,
  },
};

const TEN_MINUTES = 600_000;

export const staleLatest: Fault = {
  id: 'stale-latest',
  number: 'F60',
  class: 'latest',
  title: 'the latest candle comes from a cache that is ten minutes old',
  breaks: ['latest/is-the-newest'],
  distortion: {
    asOf: (now, { operation }) => (operation === 'getLatestV1PoolCandle' ? now - TEN_MINUTES : now),
  },
};
