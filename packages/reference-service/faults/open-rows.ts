import { all, bendAt, delayData, hasInterval, isHistory, isOpen, type Place } from './bending/places.ts';
import { declareFaults } from './fault.ts';

const HOUR = 3600;

export const openRowFaults = declareFaults('open', {
  'F193 open-day-is-dated-earlier': {
    title: 'the open DAY row of a history ends two hours before its last minute',
    breaks: ['candle/open-end-is-its-last-observation'],
    sizes: { unit: 'seconds', usual: 2 * HOUR, scale: [600, HOUR, 2 * HOUR] },
    make: (seconds) =>
      bendAt('candle', all(isHistory, hasInterval('DAY')), (candle, requested) => {
        const { startTimestampSeconds: start, timestampSeconds: end } = candle;
        return isOpen(candle, requested)
          ? { ...candle, timestampSeconds: Math.max(start, end - seconds) }
          : candle;
      }),
  },
  'F194 weeks-from-a-cache': {
    title: 'WEEK histories come from a cache that is twenty minutes old',
    breaks: ['candle/open-rows-are-of-one-time'],
    sizes: { unit: 'seconds', usual: 1200, scale: [600, 1200, HOUR] },
    // The query is not read yet when the time is chosen.
    make: (seconds) =>
      delayData(
        all(isHistory, ({ request }) => request.target.includes('interval=WEEK')),
        seconds,
      ),
  },
  'F195 histories-go-back': {
    title: 'a history that is requested again comes from a replica that is fifteen minutes behind',
    breaks: ['history/open-candle-only-grows'],
    sizes: { unit: 'seconds behind', usual: 900, scale: [600, 900, HOUR] },
    make: (seconds) => {
      const answered = new Set<string>();
      const isAgain: Place = ({ request: { target } }) => answered.size === answered.add(target).size;
      return delayData(all(isHistory, isAgain), seconds);
    },
  },
});
