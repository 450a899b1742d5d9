import { candleQuestions } from './questions/candles.ts';
import { serviceQuestions } from './questions/service.ts';
import type { Question } from './rule.ts';

/** The register of what the document leaves open, in the order in which a report shows it. */
export const questions: readonly Question[] = [...candleQuestions, ...serviceQuestions];
