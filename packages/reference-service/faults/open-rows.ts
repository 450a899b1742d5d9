import type { RequestContext } from '../api/distortion.ts';
import { LENGTH } from '../market/candle.ts';
import { declareFaults } from './fault.ts';

const HOUR = 3600;

export const openRowFaults = declareFaults('open', [
  {
    id: 'open-day-is-dated-earlier',
    number: 'F193',
    title: 'the open DAY row of a history ends two hours before its last minute',
    breaks: ['candle/open-end-is-its-last-observation'],
    sizes: { unit: 'seconds', usual: 2 * HOUR, scale: [600, HOUR, 2 * HOUR] },
    make: (seconds) => ({
      candle: (candle, requested) => {
        const { startTimestampSeconds: start, timestampSeconds: end } = candle;
        const isOpen = requested.now / 1000 < start + LENGTH.DAY;
        return isDayOfHistory(requested) && isOpen
          ? { ...candle, timestampSeconds: Math.max(start, end - seconds) }
          : candle;
      },
    }),
  },
  {
    id: 'weeks-from-a-cache',
    number: 'F194',
    title: 'WEEK histories come from a cache that is twenty minutes old',
    breaks: ['candle/open-rows-are-of-one-time'],
    sizes: { unit: 'seconds', usual: 1200, scale: [600, 1200, HOUR] },
    make: (seconds) => ({
      // The query is not read yet when the time is chosen.
      asOf: (now, { operation, request }) =>
        operation === 'listV2PoolCandles' && request.target.includes('interval=WEEK')
          ? now - seconds * 1000
          : now,
    }),
  },
  {
    id: 'histories-go-back',
    number: 'F195',
    title: 'a history that is requested again comes from a replica that is fifteen minutes behind',
    breaks: ['history/open-candle-only-grows'],
    sizes: { unit: 'seconds behind', usual: 900, scale: [600, 900, HOUR] },
    make: (seconds) => {
      const answered = new Set<string>();
      return {
        asOf: (now, { operation, request }) => {
          if (operation !== 'listV2PoolCandles') return now;
          const isAgain = answered.has(request.target);
          answered.add(request.target);
          return isAgain ? now - seconds * 1000 : now;
        },
      };
    },
  },
]);

function isDayOfHistory({ operation, poolQuery }: RequestContext): boolean {
  return operation === 'listV2PoolCandles' && poolQuery?.interval === 'DAY';
}
