import { amountQuestions } from './questions/amounts.ts';
import { candleQuestions } from './questions/candles.ts';
import { errorQuestions } from './questions/errors.ts';
import { historyQuestions } from './questions/history.ts';
import { inversionQuestions } from './questions/inversion.ts';
import { latestQuestions } from './questions/latest.ts';
import { refusalQuestions } from './questions/refusals.ts';
import { refusalQuotaQuestions } from './questions/refusals-quota.ts';
import { samplingQuestions } from './questions/sampling.ts';
import { serviceQuestions } from './questions/service.ts';
import { tokenQuestions } from './questions/tokens.ts';
import { transportQuestions } from './questions/transport.ts';
import type { Question } from './rule.ts';

/** The register of what the document leaves open, in the order in which a report shows it. */
export const questions: readonly Question[] = [
  ...historyQuestions,
  ...candleQuestions,
  ...samplingQuestions,
  ...amountQuestions,
  ...inversionQuestions,
  ...latestQuestions,
  ...tokenQuestions,
  ...transportQuestions,
  ...serviceQuestions,
  ...refusalQuestions,
  ...refusalQuotaQuestions,
  ...errorQuestions,
];
