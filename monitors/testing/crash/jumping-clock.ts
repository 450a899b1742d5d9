import type { MovedClock } from '../watched-service.ts';

/** A clock that is set by hand and of which every reading takes a millisecond: no two instants are the same. */
export function jumpingClock(start: number): MovedClock {
  let now = start;
  const advance = (): number => ++now;
  return {
    now: advance,
    steady: advance,
    uptime: advance,
    sleep: () => Promise.resolve(),
    set: (instant) => {
      now = Math.max(now, instant);
    },
    step: (ms) => {
      now += ms;
    },
  };
}
