import type { Answer } from '../../reading/reading.ts';
import { listInstants, thousands } from '../../reading/words.ts';

/** `2 of 48 proper requests were not answered at first, at 10:02:07 and 10:02:11.` */
export function failedSentence(answers: readonly Answer[], requests: number): string {
  const were = answers.length === 1 ? 'was' : 'were';
  return `${thousands(answers.length)} of ${thousands(requests)} proper requests ${were} not answered at first${nameTimes(answers)}.`;
}

/** `Proper requests were refused 3 times (status 401), while others were answered, at 10:02:07, …` */
export function refusedSentence(answers: readonly Answer[]): string {
  const statuses = [...new Set(answers.map(({ status }) => status))].join(', ');
  return `Proper requests were refused ${thousands(answers.length)} times (status ${statuses}), while others were answered${nameTimes(answers)}.`;
}

/** Names when requests were sent, in UTC; nothing if a recording does not tell. */
function nameTimes(answers: readonly Answer[]): string {
  if (answers.some(({ exchange }) => exchange.recorder?.timesUnknown)) return '';
  return `, at ${listInstants(answers.map(({ exchange }) => exchange.startedAt))}`;
}
