import type { KnownStatus, Observation, Run } from '../../contract/judge/verdict.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { acceptanceInWords, entriesThatAre } from '../words/standing.ts';
import { code, prose } from './markdown.ts';

/** Lines of one kind that are listed one by one. */
const most = 10;

/**
 * How a run stands to its baseline, as a Markdown list to be seen without unfolding anything: what is news before what is
 * as agreed. Nothing where there is no baseline and no change.
 */
export function newsOf(run: Run): string[] {
  const lines = [
    ...some('Expired, counts again', entries('expired', run)),
    ...some('Gone, take it off the baseline', entries('surprised', run)),
    ...some('Changed answer', run.observations.filter((each) => each.changed).map(change)),
    ...some('Names no rule', entries('no such rule', run)),
    ...some('Names no question', run.baseline?.strayPins.map((each) => code(each)) ?? []),
    ...some('Known failing', entries('known', run)),
    ...some('Known, not looked at', entries('unexercised', run)),
  ];
  return lines.length > 0 ? [`### Against the baseline\n\n${lines.join('\n')}`] : [];
}

function some(title: string, lines: readonly string[]): string[] {
  const reported = lines.slice(0, most).map((each) => `- **${title}:** ${each}`);
  const rest = lines.length - most;
  return rest > 0 ? [...reported, `- **${title}:** and ${thousands(rest)} more`] : reported;
}

function entries(status: KnownStatus, run: Run): string[] {
  return entriesThatAre(status, run).map(
    (each) => `${code(each.fingerprint.trimEnd())} ${prose(acceptanceInWords(each))}`,
  );
}

function change({ question, answer, before }: Observation): string {
  return `${prose(question)} Now ${code(answer)}${before === undefined ? '' : `, before ${code(before)}`}`;
}
