import { backsOffFromServerErrors, easesOffWhenItsKeyIsRefused } from './backs-off.ts';
import type { ClientRule } from './client-rule.ts';
import { fewEqualRequests } from './equal-bytes.ts';
import { keyInItsHeaderAlone } from './key-place.ts';
import { keepsParametersWithinTheDocument } from './parameters.ts';
import { recovers } from './recovers.ts';
import { waitsAsRetryAfterSays } from './waits.ts';
import { staysWithinItsQuota } from './within-quota.ts';

/** What clients are judged by, in the order in which findings are reported. */
export const clientRules: readonly ClientRule[] = [
  waitsAsRetryAfterSays,
  backsOffFromServerErrors,
  staysWithinItsQuota,
  keyInItsHeaderAlone,
  keepsParametersWithinTheDocument,
  recovers,
  easesOffWhenItsKeyIsRefused,
  fewEqualRequests,
];
