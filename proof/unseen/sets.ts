import { conditionalFaults } from './conditional-faults.ts';
import type { UnseenFault } from './fault.ts';
import { fifthConditions } from './fifth-conditions.ts';
import { fifthHealthy } from './fifth-healthy.ts';
import { fifthOdd } from './fifth-odd.ts';
import { fifthPlain } from './fifth-plain.ts';
import { fourthConditions } from './fourth-conditions.ts';
import { fourthHealthy } from './fourth-healthy.ts';
import { fourthOdd } from './fourth-odd.ts';
import { fourthPlain } from './fourth-plain.ts';
import { type HealthyOddity, healthy } from './healthy.ts';
import { oddFaults } from './odd-faults.ts';
import { plainFaults } from './plain-faults.ts';
import { secondHealthy } from './second-healthy.ts';
import { secondManners } from './second-manners.ts';
import { secondMemory } from './second-memory.ts';
import { secondRanges } from './second-ranges.ts';
import { secondValues } from './second-values.ts';
import { thirdConditions } from './third-conditions.ts';
import { thirdHealthy } from './third-healthy.ts';
import { thirdManners } from './third-manners.ts';
import { thirdPlain } from './third-plain.ts';

export type UnseenSet = {
  readonly faults: readonly UnseenFault[];
  readonly healthy: readonly HealthyOddity[];
};

/** The sets of faults by name; each was written without a look at the law of its time. */
export const unseenSets: Readonly<Record<string, UnseenSet>> = {
  first: { faults: [...plainFaults, ...conditionalFaults, ...oddFaults], healthy },
  second: {
    faults: [...secondValues, ...secondRanges, ...secondMemory, ...secondManners],
    healthy: secondHealthy,
  },
  third: { faults: [...thirdPlain, ...thirdConditions, ...thirdManners], healthy: thirdHealthy },
  fourth: { faults: [...fourthPlain, ...fourthConditions, ...fourthOdd], healthy: fourthHealthy },
  fifth: { faults: [...fifthPlain, ...fifthConditions, ...fifthOdd], healthy: fifthHealthy },
};
