import type { KnownStatus, Observation, Run } from '@candleproof/law/judge/verdict';
import { thousands } from '@candleproof/law/reading/words';
import {
  besideFirst,
  causeSentence,
  type FindingCause,
  findCauses,
  headlineWithCause,
} from '../words/causes.ts';
import { markdownCode, markdownText } from '../words/escape.ts';
import {
  baselineEntries,
  baselineStatus,
  describeAcceptance,
  formatExtent,
  placeName,
} from '../words/finding-words.ts';
import { plural } from '../words/format.ts';
import { openingSentences } from '../words/headline.ts';
import {
  describeTransients,
  formatCounts,
  formatKeyQuota,
  formatRequests,
  groupUnjudged,
} from '../words/tally.ts';
import { describeOperation } from '../words/wording.ts';

/** Causes that a job page shows; the HTML report has all. */
const mostCauses = 50;

/** Characters of a headline or sentence; rule names need more room than a table cell has. */
const longestHead = 400;

const signs = { conformant: '✅', nonconformant: '❌', inconclusive: '⚠️' } as const;

/** Renders a run as Markdown for the summary page of a CI job; text of the target is inert there. */
export function renderSummary(run: Run): string {
  const { verdict, target } = run;
  const causes = findCauses(run);
  const parts = [
    `## ${signs[verdict]} ${markdownText(headlineWithCause(run, causes), longestHead)}: ${markdownCode(target.name)}`,
    `${openingSentences(run)
      .map((sentence) => markdownText(sentence, longestHead))
      .join(' ')} Target ${markdownCode(target.baseUrl)}.`,
    counts(run),
    ...notJudged(run),
    ...baselineNews(run),
    ...causesTable(causes, run),
    ...observationsTable(run.observations),
  ];
  return `${parts.join('\n\n')}\n`;
}

function counts(run: Run): string {
  const { rules } = run;
  const [transient, key] = [describeTransients(run), formatKeyQuota(run)];
  return [
    `- **Musts:** ${formatCounts(rules, 'must')}`,
    `- **Shoulds:** ${formatCounts(rules, 'should')}`,
    `- **Requests:** ${formatRequests(run)}`,
    ...(key === undefined ? [] : [`- **Key:** ${key}`]),
    ...(transient === undefined ? [] : [`- **Transient failures:** ${markdownText(transient)}`]),
  ].join('\n');
}

/** Lists unjudged rules under the reason that they share: none of them has passed. */
function notJudged({ rules }: Run): string[] {
  const open = [...groupUnjudged(rules)];
  if (open.length === 0) return [];
  const lines = open.map(
    ([reason, all]) =>
      `- ${markdownText(reason, longestHead)}: ${all.map(({ id }) => markdownCode(id)).join(', ')}`,
  );
  const count = open.flatMap(([, all]) => all).length;
  return [
    `<details><summary>${plural(count, 'rule')} not judged</summary>\n\n${lines.join('\n')}\n\n</details>`,
  ];
}

function causesTable(causes: readonly FindingCause[], run: Run): string[] {
  if (causes.length === 0) return [];
  const rows = causes.slice(0, mostCauses).map((cause) => row(cause, run));
  const rest = causes.length - mostCauses;
  return [
    `### ${plural(causes.length, 'cause')}, ${plural(run.findings.length, 'finding')}`,
    ['| Level | Rule | Where | Expected | Actual | Count |', '|---|---|---|---|---|--:|', ...rows].join('\n'),
    ...(rest > 0 ? [`And ${plural(rest, 'more cause')} in the HTML report.`] : []),
  ];
}

/** Reports a cause by its first finding, and names what else it breaks. */
function row(cause: FindingCause, run: Run): string {
  const [{ finding }] = cause.findings;
  const { level, rule, expected, actual, count, extent, intermittent } = finding;
  const notes = [intermittent && 'intermittent', baselineStatus(finding, run)].filter(Boolean);
  const beside = besideFirst(cause);
  const cells = [
    [level, ...notes].join(', '),
    `${markdownCode(rule)}<br>${markdownText(causeSentence(cause, run))}${beside && `<br>${markdownText(beside, longestHead)}`}`,
    `${markdownCode(describeOperation(finding).request)}<br>${markdownCode(placeName(finding))}`,
    markdownCode(expected),
    markdownCode(actual),
    extent ? formatExtent(finding) : thousands(count),
  ];
  return `| ${cells.join(' | ')} |`;
}

function observationsTable(observations: readonly Observation[]): string[] {
  if (observations.length === 0) return [];
  const changed = observations.filter((observation) => observation.changed).length;
  const title = `${plural(observations.length, 'observation')}${changed > 0 ? `, ${changed} changed` : ''}`;
  const rows = observations.map(
    ({ question, answer, changed }) =>
      `| ${markdownText(question)} | ${markdownCode(answer)} | ${changed ? '**changed**' : ''} |`,
  );
  const table = ['| Question | Answer | |', '|---|---|---|', ...rows].join('\n');
  return [`<details><summary>${title}</summary>\n\n${table}\n\n</details>`];
}

const most = 10;
/**
 * Compares a run with its baseline, as an open Markdown list: new items first, accepted ones after. Empty without a
 * baseline or a change.
 */
function baselineNews(run: Run): string[] {
  const changed = run.observations.filter((observation) => observation.changed);
  const strayPins = run.baseline?.strayPins ?? [];
  const lines = [
    ...newsLines('Expired, counts again', entryLines('expired', run)),
    ...newsLines('Gone, take it off the baseline', entryLines('surprised', run)),
    ...newsLines('Changed answer', changed.map(changeLine)),
    ...newsLines('Names no rule', entryLines('no such rule', run)),
    ...newsLines(
      'Names no question',
      strayPins.map((pin) => markdownCode(pin)),
    ),
    ...newsLines('Known failing', entryLines('known', run)),
    ...newsLines('Known, not met this time', entryLines('unexercised', run)),
  ];
  return lines.length > 0 ? [`### Against the baseline\n\n${lines.join('\n')}`] : [];
}

function newsLines(title: string, lines: readonly string[]): string[] {
  const reported = lines.slice(0, most).map((line) => `- **${title}:** ${line}`);
  const rest = lines.length - most;
  return rest > 0 ? [...reported, `- **${title}:** and ${thousands(rest)} more`] : reported;
}

function entryLines(status: KnownStatus, run: Run): string[] {
  return baselineEntries(status, run).map(
    (baselineEntry) =>
      `${markdownCode(baselineEntry.fingerprint.trimEnd())} ${markdownText(describeAcceptance(baselineEntry))}`,
  );
}

function changeLine({ question, answer, before }: Observation): string {
  return `${markdownText(question)} Now ${markdownCode(answer)}${before === undefined ? '' : `, before ${markdownCode(before)}`}`;
}
