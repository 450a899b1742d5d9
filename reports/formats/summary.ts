import type { Finding, Observation, Run } from '../../contract/judge/verdict.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { inOrder } from '../words/finding-order.ts';
import { headline, remarks } from '../words/headline.ts';
import { nextStep } from '../words/next-step.ts';
import { standingOf } from '../words/standing.ts';
import {
  countsInWords,
  keyInWords,
  leftOpen,
  plural,
  requestsInWords,
  seenInWords,
  sentenceOf,
  transientInWords,
  verdictSentence,
} from '../words/tally.ts';
import { operationWords } from '../words/wording.ts';
import { code, prose } from './markdown.ts';
import { newsOf } from './summary-news.ts';

/** Rows that a job page shows without ado; the HTML report has all. */
const mostFindings = 50;

/** Names of rules take more room than a cell has. */
const longestHead = 400;

const signs = { conformant: '✅', nonconformant: '❌', inconclusive: '⚠️' } as const;

/** A run as Markdown for the summary page of a CI job; no text of the target's comes alive there. */
export function renderSummary(run: Run): string {
  const { verdict, target } = run;
  const next = nextStep(run);
  const sentences = [verdictSentence(run), ...(next === undefined ? [] : [next]), ...remarks(run)];
  const parts = [
    `## ${signs[verdict]} ${prose(headline(run), longestHead)}: ${code(target.name)}`,
    `${sentences.map((each) => prose(each, longestHead)).join(' ')} Target ${code(target.baseUrl)}.`,
    counts(run),
    ...notJudged(run),
    ...newsOf(run),
    ...findingsTable(run),
    ...observationsTable(run.observations),
  ];
  return `${parts.join('\n\n')}\n`;
}

function counts(run: Run): string {
  const { rules } = run;
  const [passed, key] = [transientInWords(run), keyInWords(run)];
  return [
    `- **Musts:** ${countsInWords(rules, 'must')}`,
    `- **Shoulds:** ${countsInWords(rules, 'should')}`,
    `- **Requests:** ${requestsInWords(run)}`,
    ...(key === undefined ? [] : [`- **Key:** ${key}`]),
    ...(passed === undefined ? [] : [`- **Failed on the way:** ${prose(passed)}`]),
  ].join('\n');
}

/** Rules without a judgement, under the reason that they share: none of them has passed. */
function notJudged({ rules }: Run): string[] {
  const open = [...leftOpen(rules)];
  if (open.length === 0) return [];
  const lines = open.map(
    ([reason, all]) => `- ${prose(reason, longestHead)}: ${all.map(({ id }) => code(id)).join(', ')}`,
  );
  const count = open.flatMap(([, all]) => all).length;
  return [
    `<details><summary>${plural(count, 'rule')} not judged</summary>\n\n${lines.join('\n')}\n\n</details>`,
  ];
}

function findingsTable(run: Run): string[] {
  const findings = inOrder(run);
  if (findings.length === 0) return [];
  const rows = findings.slice(0, mostFindings).map((each) => row(each, run));
  const rest = findings.length - mostFindings;
  return [
    `### ${plural(findings.length, 'finding')}`,
    ['| Level | Rule | Where | Expected | Actual | Count |', '|---|---|---|---|---|--:|', ...rows].join('\n'),
    ...(rest > 0 ? [`And ${plural(rest, 'more finding')} in the HTML report.`] : []),
  ];
}

function row(finding: Finding, run: Run): string {
  const { level, rule, pointer, expected, actual, count, extent, intermittent } = finding;
  const notes = [intermittent && 'intermittent', standingOf(finding, run)].filter(Boolean);
  const cells = [
    [level, ...notes].join(', '),
    `${code(rule)}<br>${prose(sentenceOf(finding, run))}`,
    `${code(operationWords(finding).request)}<br>${code(pointer || 'the whole body')}`,
    code(expected),
    code(actual),
    extent ? seenInWords(finding) : thousands(count),
  ];
  return `| ${cells.join(' | ')} |`;
}

function observationsTable(observations: readonly Observation[]): string[] {
  if (observations.length === 0) return [];
  const changed = observations.filter((each) => each.changed).length;
  const title = `${plural(observations.length, 'observation')}${changed > 0 ? `, ${changed} changed` : ''}`;
  const rows = observations.map(
    ({ question, answer, changed }) =>
      `| ${prose(question)} | ${code(answer)} | ${changed ? '**changed**' : ''} |`,
  );
  const table = ['| Question | Answer | |', '|---|---|---|', ...rows].join('\n');
  return [`<details><summary>${title}</summary>\n\n${table}\n\n</details>`];
}
