import type { Finding, FindingRequest, Run } from '@candleproof/law/judge/verdict';
import type { HeaderLine } from '@candleproof/law/reading/exchange';
import { markdownCode, markdownText } from '../words/escape.ts';
import { describeBreach, exchangeName, findRule, placeName } from '../words/finding-words.ts';
import { formatInstant, formatTimes } from '../words/format.ts';
import { describeOperation, sectionName } from '../words/wording.ts';

const longestValue = 400;

/** Most characters of a command; a truncated one would send a different request. */
const longestCommand = 4000;

/**
 * Renders a finding as Markdown to paste into a report to the operator: the request, the document's statement, the
 * response, and a shell line that repeats the request. Text of the target is inert in it, and only its base URL
 * identifies the sender.
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
    ...(finding.address === undefined
      ? []
      : [['Candle', markdownCode(finding.address, longestValue)] as [string, string]]),
    ['Seen', `${formatTimes(count)}${intermittent ? ', and once not when requested again' : ''}`],
    [
      'When',
      `${markdownText(formatInstant(run.startedAt), 40)} to ${markdownText(formatInstant(run.finishedAt), 40)}`,
    ],
    ['Base URL', markdownCode(withoutSecrets(run.target.baseUrl), longestValue)],
    ['Rule', `${markdownCode(rule, longestValue)} (${level}, ${sectionName(section)})`],
    [
      'Judged by',
      `Candleproof ${markdownText(candleproof, 40)}, rules ${catalogue}, spec SHA-256 ${markdownCode(specSha256, 64)}`,
    ],
    ...curlLines(finding, run).map((curlLine): [string, string] => [
      'Repeat this request',
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

/** Describes the pointer, which leaves array positions open, and the first exact place. */
function findingPlace(finding: Finding): string {
  const { pointer, examples } = finding;
  const [first] = examples;
  const place = markdownCode(placeName({ pointer }), longestValue);
  const exact = first && first.pointer !== pointer ? ` at ${markdownCode(first.pointer, longestValue)}` : '';
  return `${place}, first in ${markdownText(exchangeName(finding), 200)} of the recording${exact}`;
}

/** Removes names, passwords and keys from an address. */
function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isBare ? address : `${url.protocol}//${url.host}${url.pathname}`;
}

const ourKeyHeader = 'x-api-key';
const keyVariable = 'CANDLEPROOF_API_KEY';

/**
 * Formats a key header in double quotes, so that the shell inserts the key. Removes shell characters from the header
 * name, which may come from a stranger's run.
 */
function keyLine(header: string, prefix: string, variable = keyVariable): string {
  const before = prefix.replace(/[^a-z0-9 -]/gi, '');
  return `-H "${header.replace(/[^a-z0-9-]/gi, '')}: ${before}${expand(variable)}"`;
}

function expand(variable: string): string {
  return `$${variable.replace(/\W/g, '')}`;
}

/** The key in a query, as recordings show it. */
const keyInQuery = '=[redacted:api-key]';

/**
 * Returns one line, for any shell, for each distinct request of a finding. Addresses come from the target or from a
 * stranger's recording: none of their characters is left to the shell. A deliberately wrong key is in no recording, so
 * such a request is only named.
 */
export function curlLines(
  { examples }: Pick<Finding, 'examples'>,
  { target }: Pick<Run, 'target'>,
): string[] {
  const lines = examples.flatMap(({ request }) => (request ? curlLine(request, target) : []));
  return [...new Set(lines)];
}

function curlLine(
  request: FindingRequest,
  { ownAuthority, keyHeader, keyPrefix = '', furtherKeys = [] }: Run['target'],
): string[] {
  const { method, body, credential, ifNoneMatch, headers = [] } = request;
  const url = bareAddress(request.url);
  if (url === undefined) return [];
  if (credential.startsWith('trial:')) return [`# ${method} ${url} with the key ${credential.slice(6)}`];
  const isOurs = credential === 'api-key' || credential === 'unknown';
  const isFirstInHeader = keyHeader !== undefined || !url.includes(keyInQuery);
  const inHeaders = furtherKeys.filter((key) => key.in === 'header');
  return [
    [
      'curl --globoff --include',
      ...(method === 'GET' ? [] : [`--request ${quoteBlock(method)}`]),
      ...(isOurs && isFirstInHeader ? [keyLine(keyHeader ?? ourKeyHeader, keyPrefix)] : []),
      ...(isOurs ? inHeaders.map(({ name, prefix, variable }) => keyLine(name, prefix, variable)) : []),
      ...(ifNoneMatch === undefined ? [] : [`-H ${quoteBlock(`if-none-match: ${ifNoneMatch}`)}`]),
      ...headers.flatMap(headerOptions),
      ...(body === undefined ? [] : bodyOptions(body)),
      ...(ownAuthority ? ['--cacert "$CANDLEPROOF_CA_FILE"'] : []),
      quoteAddress(url, furtherKeys),
    ].join(' '),
  ];
}

/** Returns the options for a header that a run varied; a line without a value takes curl's own away. */
function headerOptions([name, value]: HeaderLine): string[] {
  const line = `-H ${quoteBlock(value === '' ? `${name}:` : `${name}: ${value}`)}`;
  return name === 'accept-encoding' && value !== '' ? ['--compressed', line] : [line];
}

/** Returns the options for a JSON body; its characters that would end the code around the line are escaped. */
function bodyOptions(body: string): string[] {
  const inert = body.replaceAll('`', '\\u0060').replaceAll('|', '\\u007c');
  return ["-H 'content-type: application/json'", `--data-raw ${quoteBlock(inert)}`];
}

function quoteAddress(url: string, furtherKeys: NonNullable<Run['target']['furtherKeys']>): string {
  const [last = '', ...before] = url.split(keyInQuery).reverse();
  const keyed = before.reverse().map((part) => {
    const key = furtherKeys.find(
      ({ name, in: where }) => where === 'query' && name === part.split(/[?&]/).at(-1),
    );
    return `${quoteBlock(part)}="${expand(key?.variable ?? keyVariable)}"`;
  });
  return [...keyed, quoteBlock(last)].join('');
}

/**
 * Returns an address in ASCII, without parts that may identify a person. Escapes the backtick, which would end the code
 * around the line.
 */
function bareAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href.replaceAll('`', '%60').replaceAll('|', '%7C');
}

function quoteBlock(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
