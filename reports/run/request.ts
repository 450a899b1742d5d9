import type { Example, Finding, FindingRequest, Run } from '@candleproof/law/judge/verdict';
import { type Exchange, headerValues, type ReceivedResponse } from '@candleproof/law/reading/exchange';
import { thousands } from '@candleproof/law/reading/words';
import { curlLines } from '../formats/bug-report.ts';
import type { NumberedFinding } from '../words/causes.ts';
import { clip } from '../words/escape.ts';
import { annotateTimestamp, formatMillisecond } from '../words/format.ts';
import { joinParts, type Markup, markup, type Part } from '../words/markup.ts';
import { exchangeId } from './exchanges.ts';

const longestUrl = 1000;
const longestValue = 200;

const requestIds = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amz-cf-id',
  'cf-ray',
];

/** Response headers that a reader of a finding usually checks first. */
const telling = ['date', 'content-type', 'age', 'x-cache', 'retry-after'];

/** Renders the request and response behind a finding; undefined for runs that kept no requests. */
export function requestPart(
  { finding, number }: NumberedFinding,
  run: Run,
  exchanges: readonly Exchange[],
): Markup | undefined {
  const [first] = finding.examples;
  if (!first?.request) return undefined;
  const exchange = exchanges[first.exchange];
  const [curl] = curlLines({ examples: [first] }, run);
  const rows: (readonly [string, Part] | false | undefined)[] = [
    ['Request', markup`<code>${first.request.method} ${clip(first.request.url, longestUrl)}</code>`],
    urlValues(first.request, finding),
    ['Sent', sentText(first.request, exchange)],
    exchange && ['Response', responseText(exchange, first)],
    curl !== undefined && ['curl', markup`<code class="command" id="curl-${number}">${curl}</code>`],
  ];
  return markup`<dl class="request" id="request-${number}">${rows.map((row) => row && markup`<div><dt>${row[0]}</dt><dd>${row[1]}</dd></div>`)}</dl>`;
}

/** `pool 1, from 1762905600 (2025-11-12 00:00:00 UTC), interval 1h`: the values in path and query. */
function urlValues({ url }: FindingRequest, { named }: Finding): readonly [string, Part] | undefined {
  const address = URL.parse(url);
  if (!address) return undefined;
  const values = [...pathValues(named?.request ?? '', address.pathname), ...address.searchParams];
  if (values.length === 0) return undefined;
  return [
    'Requested',
    joinParts(
      values.map(
        ([name, value]) =>
          markup`${clip(name, longestValue)} <b>${clip(annotateTimestamp(value), longestValue)}</b>`,
      ),
    ),
  ];
}

/** Returns the path segments that match the variables of the template; the template may begin further down. */
function pathValues(template: string, path: string): [string, string][] {
  const wanted = template.split('/').toReversed();
  const given = path.split('/').toReversed();
  return wanted
    .flatMap((segment, index): [string, string][] => {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      return name === undefined || given[index] === undefined ? [] : [[name, given[index]]];
    })
    .toReversed();
}

function sentText(
  { credential, ifNoneMatch, headers = [] }: FindingRequest,
  exchange: Exchange | undefined,
): string {
  const key =
    credential === 'api-key'
      ? 'with the key'
      : credential === 'none'
        ? 'without a key'
        : credential === 'unknown'
          ? 'the recording does not show with which key'
          : `with the key ${credential.replace(/^trial:/, '')}, which is wrong on purpose`;
  const tag = ifNoneMatch === undefined ? [] : [`if-none-match ${clip(ifNoneMatch, longestValue)}`];
  const at = exchange ? [formatMillisecond(exchange.startedAt)] : [];
  const manner = headers.map(([name, value]) => `${name} ${clip(value, longestValue)}`);
  return [...at, key, ...tag, ...manner].join(', ');
}

function responseText({ response, failure, timings }: Exchange, example: Example): Part {
  const link = markup`<a href="#${exchangeId(example.exchange)}">exchange ${example.exchange}</a>`;
  const after = `after ${Math.round(timings.total)} ms`;
  const broken = failure && `${failure.kind} at ${failure.phase}`;
  if (!response) return markup`${broken ?? 'none'}, ${after}; ${link}`;
  return markup`<b>${response.status} ${clip(response.statusText, longestValue)}</b>, ${after}${broken !== undefined && `, ${broken}`}${response.body?.decodedBytes === undefined ? '' : `, ${thousands(response.body.decodedBytes)} bytes`}; the whole head and the body: ${link}${headLines(response, example.pointer)}`;
}

/** Lists the request's id, the header that the finding is about, and a few more. */
function headLines({ headers }: ReceivedResponse, pointer: string): Markup[] {
  const named = pointer.startsWith('header:') ? [pointer.slice('header:'.length)] : [];
  const wanted = [...new Set([...named, ...requestIds, ...telling])];
  return wanted.flatMap((name) =>
    headerValues(headers, name).map(
      (value) => markup`<span class="head-line"><code>${name}: ${clip(value, longestValue)}</code></span>`,
    ),
  );
}
