import type { Finding, Run } from '../../contract/judge/verdict.ts';
import { markdownCode, markdownText } from '../words/escape.ts';
import { exchangeName, placeName } from '../words/findings.ts';
import { formatInstant } from '../words/instant.ts';
import { describeBreach, findRule, formatTimes } from '../words/tally.ts';
import { describeOperation, sectionName } from '../words/wording.ts';
import { curlLines } from './curl.ts';

const longestValue = 400;

/** A command that is cut asks for something else. */
const longestCommand = 4000;

/**
 * A finding as Markdown to paste into a report to the operator: what was requested, what the document says, what came,
 * and a line for any shell that asks again. No text of the target's comes alive in it, and nothing but its base URL tells who sent the request.
 */
export function bugReport(finding: Finding, run: Run): string {
  const { rule, level, expected, actual, count, intermittent } = finding;
  const { statement = '', why = '', section = '' } = findRule(run, rule) ?? {};
  const { title, request } = describeOperation(finding);
  const { candleproof, catalogue, specSha256 } = run.versions;
  const facts: [string, string][] = [
    ['Requested', `${title}, ${markdownCode(request, longestValue)}`],
    ['Expected', markdownCode(expected, longestValue)],
    ['Actual', markdownCode(actual, longestValue)],
    ['Where', findingPlace(finding)],
    ['Seen', `${formatTimes(count)}${intermittent ? ', and once not when requested again' : ''}`],
    [
      'When',
      `${markdownText(formatInstant(run.startedAt), 40)} to ${markdownText(formatInstant(run.finishedAt), 40)}`,
    ],
    ['Base URL', markdownCode(withoutSecrets(run.target.baseUrl), longestValue)],
    ['Rule', `${markdownCode(rule, longestValue)} (${level}, ${sectionName(section)})`],
    [
      'Judged by',
      `Candleproof ${markdownText(candleproof, 40)}, catalogue edition ${catalogue}, spec SHA-256 ${markdownCode(specSha256, 64)}`,
    ],
    ...curlLines(finding, run).map((curlLine): [string, string] => [
      'Ask again',
      markdownCode(curlLine, longestCommand),
    ]),
  ];
  const lines = [
    `### ${markdownText(describeBreach(finding, run), longestValue)}`,
    '',
    ...[statement, why]
      .filter((text) => text !== '')
      .flatMap((text) => [markdownText(text, longestValue), '']),
    ...facts.map(([name, value]) => `- **${name}:** ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first place beside the pointer, whose array positions are left open. */
function findingPlace(finding: Finding): string {
  const { pointer, examples } = finding;
  const [first] = examples;
  const place = markdownCode(placeName({ pointer }), longestValue);
  const exact = first && first.pointer !== pointer ? ` at ${markdownCode(first.pointer, longestValue)}` : '';
  return `${place}, first in ${markdownText(exchangeName(finding), 200)} of the recording${exact}`;
}

/** A name, password or key that someone wrote into the address stays at home. */
function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isBare ? address : `${url.protocol}//${url.host}${url.pathname}`;
}
