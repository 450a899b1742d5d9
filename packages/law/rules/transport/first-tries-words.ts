import type { Answer } from '../../reading/reading.ts';
import { thousands } from '../../reading/thousands.ts';

/** Times that a sentence names. */
const mostTimes = 3;

/** `2 of 48 proper requests were not answered at first, at 10:02:07 and 10:02:11.` */
export function failedSentence(answers: readonly Answer[], requests: number): string {
  const were = answers.length === 1 ? 'was' : 'were';
  return `${thousands(answers.length)} of ${thousands(requests)} proper requests ${were} not answered at first${listTimes(answers)}.`;
}

/** `Proper requests were refused 3 times (status 401), while others were answered, at 10:02:07, …` */
export function refusedSentence(answers: readonly Answer[]): string {
  const statuses = [...new Set(answers.map(({ status }) => status))].join(', ');
  return `Proper requests were refused ${thousands(answers.length)} times (status ${statuses}), while others were answered${listTimes(answers)}.`;
}

/** Lists when requests were sent, in UTC; nothing if a recording does not tell. */
function listTimes(answers: readonly Answer[]): string {
  if (answers.some(({ exchange }) => exchange.recorder?.timesUnknown)) return '';
  const instants = answers.map(({ exchange }) => exchange.startedAt).sort();
  const isOneDay = instants.every((instant) => instant.slice(0, 10) === instants[0]?.slice(0, 10));
  const all = instants.map((instant) => (isOneDay ? instant.slice(11, 19) : `${instant.slice(0, 19)}Z`));
  const rest = all.length - mostTimes;
  const named = rest > 0 ? [...all.slice(0, mostTimes), `${thousands(rest)} more`] : all;
  const [last = '', ...others] = named.toReversed();
  return `, at ${others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : last}`;
}
