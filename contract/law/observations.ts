import { refusalQuestions } from './authentication/refusal-questions.ts';
import { amountQuestions } from './candle/amount-questions.ts';
import { candleQuestions } from './candle/candle-questions.ts';
import { samplingQuestions } from './candle/sampling-questions.ts';
import { errorQuestions } from './errors/error-questions.ts';
import { historyQuestions } from './history/history-questions.ts';
import { inversionQuestions } from './inversion/inversion-questions.ts';
import { latestQuestions } from './latest/latest-questions.ts';
import { refusalQuotaQuestions } from './quota/quota-questions.ts';
import type { Question } from './rule.ts';
import { tokenQuestions } from './tokens/token-questions.ts';
import { serviceQuestions } from './transport/service-questions.ts';
import { transportQuestions } from './transport/transport-questions.ts';

/** The questions that the document leaves open, in the order of a report. */
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
