import type { Finding, Run } from '../../contract/judge/verdict.ts';
import { exchangeOf, placeOf } from '../words/finding-text.ts';
import { instantInWords } from '../words/instant.ts';
import { ruleOf, sentenceOf, times } from '../words/tally.ts';
import { operationWords, sectionName } from '../words/wording.ts';
import { curlLines } from './curl.ts';
import { code, prose } from './markdown.ts';

const longestValue = 400;

/** A command that is cut asks for something else. */
const longestCommand = 4000;

/**
 * A finding as Markdown to paste into a report to the operator: what was requested, what the document says, what came,
 * and a line for any shell that asks again. No text of the target's comes alive in it, and nothing but its base URL tells who sent the request.
 */
export function bugReport(finding: Finding, run: Run): string {
  const { rule, level, expected, actual, count, intermittent } = finding;
  const { why = '', section = '' } = ruleOf(run, rule) ?? {};
  const { title, request } = operationWords(finding);
  const { candleproof, catalogue, specSha256 } = run.versions;
  const facts: [string, string][] = [
    ['Requested', `${title}, ${code(request, longestValue)}`],
    ['Expected', code(expected, longestValue)],
    ['Actual', code(actual, longestValue)],
    ['Where', whereOf(finding)],
    ['Seen', `${times(count)}${intermittent ? ', and once not when requested again' : ''}`],
    ['When', `${prose(instantInWords(run.startedAt), 40)} to ${prose(instantInWords(run.finishedAt), 40)}`],
    ['Base URL', code(withoutSecrets(run.target.baseUrl), longestValue)],
    ['Rule', `${code(rule, longestValue)} (${level}, ${sectionName(section)})`],
    [
      'Judged by',
      `Candleproof ${prose(candleproof, 40)}, catalogue edition ${catalogue}, spec SHA-256 ${code(specSha256, 64)}`,
    ],
    ...curlLines(finding, run).map((each): [string, string] => ['Ask again', code(each, longestCommand)]),
  ];
  const lines = [
    `### ${prose(sentenceOf(finding, run), longestValue)}`,
    '',
    ...(why === '' ? [] : [prose(why, longestValue), '']),
    ...facts.map(([name, value]) => `- **${name}:** ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first place beside the pointer, whose array positions are left open. */
function whereOf(finding: Finding): string {
  const { pointer, examples } = finding;
  const [first] = examples;
  const place = code(placeOf({ pointer }), longestValue);
  const exact = first && first.pointer !== pointer ? ` at ${code(first.pointer, longestValue)}` : '';
  return `${place}, first in ${prose(exchangeOf(finding), 200)} of the recording${exact}`;
}

/** A name, password or key that someone wrote into the address stays at home. */
function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isBare ? address : `${url.protocol}//${url.host}${url.pathname}`;
}
