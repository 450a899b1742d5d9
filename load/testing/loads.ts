import fc from 'fast-check';
import type { Load } from '../bill.ts';

const perMinute = fc.integer({ min: 0, max: 6000 });

/** Arbitrary loads of a few stages, including jumps and pauses. */
export const loads: fc.Arbitrary<Load> = fc.record({
  startPerMinute: perMinute,
  stages: fc.array(fc.record({ perMinute, seconds: fc.integer({ min: 0, max: 40 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
});
