import type { CandleRecord } from '../api/records.ts';
import { LENGTH } from '../market/candle.ts';
import { declareFaults } from './fault.ts';

export const timeFaults = declareFaults('time', [
  {
    id: 'ends-a-second-early',
    number: 'F41',
    class: 'bucket',
    title: 'every second closed candle ends one second early',
    breaks: ['candle/closed-lasts-its-interval'],
    sizes: { unit: 'seconds', usual: 1, scale: [1, 60] },
    make: (size) => ({
      rows: (rows, { poolQuery }) =>
        rows.map((row) => {
          const { startTimestampSeconds: start, timestampSeconds: end } = row;
          const length = poolQuery ? LENGTH[poolQuery.interval] : 0;
          const isEarly = end - start === length && Math.floor(start / length) % 2 === 1;
          return isEarly ? { ...row, timestampSeconds: end - size } : row;
        }),
    }),
  },
  {
    id: 'swapped-times',
    number: 'F42',
    class: 'bucket',
    title: 'start and end are swapped',
    breaks: ['candle/starts-before-it-ends'],
    make: () => ({
      candle: (candle) => ({
        ...candle,
        startTimestampSeconds: candle.timestampSeconds,
        timestampSeconds: candle.startTimestampSeconds,
      }),
    }),
  },
  {
    id: 'times-in-milliseconds',
    number: 'F43',
    title: 'the times of a candle are in milliseconds',
    breaks: ['candle/times-are-seconds'],
    make: () => ({
      candle: (candle) => ({
        ...candle,
        startTimestampSeconds: candle.startTimestampSeconds * 1000,
        timestampSeconds: candle.timestampSeconds * 1000,
      }),
    }),
  },
  {
    id: 'two-kinds-of-open-end',
    number: 'F44',
    title: 'an open candle ends now at its last minute, now at the end of its bucket',
    breaks: ['candle/open-ends-are-alike'],
    make: () => {
      let turn = 0;
      return {
        candle: (candle, { poolQuery, now }) => {
          const end = candle.startTimestampSeconds + (poolQuery ? LENGTH[poolQuery.interval] : 0);
          if (end <= now / 1000) return candle;
          turn += 1;
          return turn % 2 === 0 ? { ...candle, timestampSeconds: end } : candle;
        },
      };
    },
  },
  {
    id: 'sliding-window',
    number: 'F45',
    title: 'the latest candle starts one interval before its end, wherever that is',
    breaks: ['history/aligned'],
    make: () => ({
      candle: (candle, { operation, poolQuery }) =>
        operation === 'getLatestV1PoolCandle' && poolQuery
          ? slideTimes(candle, LENGTH[poolQuery.interval])
          : candle,
    }),
  },
  {
    id: 'half-minutes',
    number: 'F150',
    title: 'start and end of a candle are half a minute late',
    breaks: ['candle/times-are-whole-minutes'],
    sizes: { unit: 'seconds', usual: 30, scale: [1, 30] },
    make: (seconds) => ({
      candle: ({ startTimestampSeconds: start, timestampSeconds: end, ...rest }) => ({
        ...rest,
        startTimestampSeconds: start + seconds,
        timestampSeconds: end + seconds,
      }),
    }),
  },
]);

function slideTimes(candle: CandleRecord, length: number): CandleRecord {
  return { ...candle, startTimestampSeconds: candle.timestampSeconds - length };
}
