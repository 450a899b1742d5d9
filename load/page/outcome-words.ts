import { thousands } from '@candleproof/law/reading/words';
import { formatRate } from '@candleproof/reports/words/format';
import type { LoadRun } from '../load-run.ts';
import { minJudged } from '../verdict.ts';

/** Words, for the verdict's line of terminal and page, that too few answers were judged; empty if enough were. */
export function openQuestion({ verdict, rightUnderLoad, figures: { judged } }: LoadRun): string {
  if (verdict !== 'conformant' || rightUnderLoad !== 'unexercised') return '';
  return `, right under load not decided (${thousands(judged)} of ${thousands(minJudged)} answers judged)`;
}

/** `right and fast up to 40 requests/s`; only `fast` if too few answers were judged to say that they are right. */
export function describeSustained({ rightUnderLoad }: LoadRun, perSecond: number): string {
  return `${rightUnderLoad === 'unexercised' ? 'fast' : 'right and fast'} up to ${formatRate(perSecond)} requests/s`;
}
