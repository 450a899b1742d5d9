import type { HealthyOddity, UnseenFault } from './fault.ts';
import { fifthConditions } from './fifth-conditions.ts';
import { fifthHealthy } from './fifth-healthy.ts';
import { fifthOdd } from './fifth-odd.ts';
import { fifthPlain } from './fifth-plain.ts';
import { fourthConditions } from './fourth-conditions.ts';
import { fourthHealthy } from './fourth-healthy.ts';
import { fourthOdd } from './fourth-odd.ts';
import { fourthPlain } from './fourth-plain.ts';
import { secondHealthy } from './second-healthy.ts';
import { secondManners } from './second-manners.ts';
import { secondMemory } from './second-memory.ts';
import { secondRanges } from './second-ranges.ts';
import { secondValues } from './second-values.ts';

export type UnseenSet = {
  readonly faults: readonly UnseenFault[];
  readonly healthy: readonly HealthyOddity[];
};

/**
 * The sets of faults by name; each was written without a look at the law of its time. The first and the third, which the
 * law has learned whole, are gone.
 */
export const unseenSets: Readonly<Record<string, UnseenSet>> = {
  second: {
    faults: [...secondValues, ...secondRanges, ...secondMemory, ...secondManners],
    healthy: secondHealthy,
  },
  fourth: { faults: [...fourthPlain, ...fourthConditions, ...fourthOdd], healthy: fourthHealthy },
  fifth: { faults: [...fifthPlain, ...fifthConditions, ...fifthOdd], healthy: fifthHealthy },
};
