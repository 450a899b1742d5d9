import { shiftTimes } from './bending/bent-values.ts';
import { bendAt, intervalLength, isLatest, isOpen } from './bending/places.ts';
import { declareFaults } from './fault.ts';

export const timeFaults = declareFaults('time', {
  'F41 ends-a-second-early': {
    class: 'bucket',
    title: 'every second closed candle ends one second early',
    breaks: ['candle/closed-lasts-its-interval'],
    sizes: { unit: 'seconds', usual: 1, scale: [1, 60] },
    make: (size) => ({
      rows: (rows, requested) =>
        rows.map((row) => {
          const { startTimestampSeconds: start, timestampSeconds: end } = row;
          const length = intervalLength(requested);
          const isEarly = end - start === length && Math.floor(start / length) % 2 === 1;
          return isEarly ? { ...row, timestampSeconds: end - size } : row;
        }),
    }),
  },
  'F42 swapped-times': {
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
  'F43 times-in-milliseconds': {
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
  'F44 two-kinds-of-open-end': {
    title: 'an open candle ends now at its last minute, now at the end of its bucket',
    breaks: ['candle/open-ends-are-alike'],
    make: () => {
      let turn = 0;
      return {
        candle: (candle, requested) => {
          if (!isOpen(candle, requested) || ++turn % 2 === 1) return candle;
          return { ...candle, timestampSeconds: candle.startTimestampSeconds + intervalLength(requested) };
        },
      };
    },
  },
  'F45 sliding-window': {
    title: 'the latest candle starts one interval before its end, wherever that is',
    breaks: ['history/aligned'],
    make: () =>
      bendAt('candle', isLatest, (candle, requested) => ({
        ...candle,
        startTimestampSeconds: candle.timestampSeconds - intervalLength(requested),
      })),
  },
  'F150 half-minutes': {
    title: 'start and end of a candle are half a minute late',
    breaks: ['candle/times-are-whole-minutes'],
    sizes: { unit: 'seconds', usual: 30, scale: [1, 30] },
    make: (seconds) => ({ candle: (candle) => shiftTimes(candle, seconds) }),
  },
});
