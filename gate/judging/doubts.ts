import type { Doubt } from './detector.ts';
import { gapDoubt, stepDoubt } from './missing-intervals.ts';
import { moveDoubts } from './moves.ts';
import { repeatedDayDoubt } from './repeated-days.ts';
import { repeatDoubts } from './repeats.ts';
import { roundedDoubt } from './rounded-prices.ts';
import { lineDoubt } from './straight-lines.ts';
import { swappedDoubt } from './swapped-ends.ts';
import { totalDoubt } from './volume-total.ts';
import { volumeDoubts } from './volumes.ts';

/** All that rows can be suspected of. */
export const doubts: readonly Doubt[] = [
  ...[
    ...Object.values(moveDoubts),
    ...Object.values(repeatDoubts),
    repeatedDayDoubt,
    lineDoubt,
    roundedDoubt,
  ],
  ...[swappedDoubt, ...Object.values(volumeDoubts), totalDoubt, gapDoubt, stepDoubt],
];
