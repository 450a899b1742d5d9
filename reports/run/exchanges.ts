import type { Finding, Run } from '../../contract/judge/verdict.ts';
import type { Body, Exchange, HeaderLine } from '../../contract/reading/exchange.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { clip } from '../words/escape.ts';
import { mostInFull, sortFindings } from '../words/findings.ts';
import { formatMillisecond } from '../words/instant.ts';
import { Markup, markup } from '../words/markup.ts';
import { findRowText, longestBody, markedBody, rowId } from './marked-body.ts';
import type { RowLink } from './picture.ts';

const longestLine = 1000;

const mostLines = 60;

/** Returns the id of an exchange in the page. */
export function exchangeId(index: number): string {
  return `exchange-${index}`;
}

/** If nothing could be judged, the first exchanges show why. */
const mostUnjudged = 3;

/** Returns the address of a row on the page, or of its exchange where the row cannot be found in it. */
export function linkRows(run: Run, exchanges: readonly Exchange[]): RowLink {
  const shown = new Map(shownExchanges(sortFindings(run), exchanges));
  return (exchange, pointer) => {
    const body = shown.get(exchange)?.response?.body;
    if (!shown.has(exchange)) return undefined;
    const isFound = body?.encoding === 'utf8' && findRowText(body.text, pointer) !== undefined;
    return `#${isFound ? rowId(exchange, pointer) : exchangeId(exchange)}`;
  };
}

/** The exchanges that findings reported in full are shown by, each once, as they were sent and came back. */
export function exchangesPart(run: Run, exchanges: readonly Exchange[]): Markup | undefined {
  const rows = Map.groupBy(namedRows(sortFindings(run)), ({ exchange }) => exchange);
  const shown =
    run.verdict === 'inconclusive' && run.findings.length === 0
      ? exchanges.slice(0, mostUnjudged).map((exchange, index) => [index, exchange] as const)
      : shownExchanges(sortFindings(run), exchanges);
  if (shown.length === 0) return undefined;
  return markup`<section id="exchanges" aria-labelledby="exchanges-title"><h2 id="exchanges-title">Exchanges</h2>
<p class="lead">Requests and responses that show what this page reports. All of the run, with whole bodies, are in <code>exchanges.har</code> beside this page, under the same numbers.</p>
${shown.map(([index, exchange]) => exchangeDetails(index, exchange, rows.get(index) ?? []))}</section>`;
}

function shownExchanges(findings: readonly Finding[], exchanges: readonly Exchange[]): [number, Exchange][] {
  const wanted = namedRows(findings).map(({ exchange }) => exchange);
  return [...new Set(wanted)]
    .toSorted((a, b) => a - b)
    .flatMap((index): [number, Exchange][] => {
      const exchange = exchanges[index];
      return exchange ? [[index, exchange]] : [];
    });
}

type Row = { readonly exchange: number; readonly pointer: string };

/** Lists the rows that findings reported in full link to. */
function namedRows(findings: readonly Finding[]): Row[] {
  return findings
    .slice(0, mostInFull)
    .flatMap(({ examples }) =>
      examples.flatMap((example, index) =>
        index === 0 || example.picture || example.candles ? [example, ...(example.beside ?? [])] : [],
      ),
    );
}

function exchangeDetails(index: number, exchange: Exchange, rows: readonly Row[]): Markup {
  const { request, response, failure, startedAt } = exchange;
  const status = response ? `${response.status}` : (failure?.kind ?? 'no response');
  const requested = [`${request.method} ${request.url}`, ...request.headers.map(headerText)];
  const head = response && [
    `${response.httpVersion} ${response.status} ${response.statusText}`,
    ...response.headers.map(headerText),
  ];
  return markup`<details class="exchange"><summary>Exchange ${index}: ${request.method} ${clip(requestPath(request.url), 160)}, ${status}</summary>
<div id="${exchangeId(index)}"><p class="where">Sent ${formatMillisecond(startedAt)}${failure && `; ${failure.kind} at ${failure.phase}: ${clip(failure.message, longestLine)}`}</p>
${textBlock('Request', requested)}${head && textBlock('Response', head)}${response?.body && bodyPart(response.body, index, rows)}</div></details>`;
}

function headerText([name, value]: HeaderLine): string {
  return `${name}: ${value}`;
}

function requestPath(url: string): string {
  const address = URL.parse(url);
  return address ? `${address.pathname}${address.search}` : url;
}

function bodyPart({ text: body, encoding }: Body, exchange: number, rows: readonly Row[]): Markup {
  if (encoding === 'base64')
    return markup`<p class="where">The body is no text; exchanges.har holds it as base64.</p>`;
  const marked = markedBody(
    body,
    exchange,
    rows.map(({ pointer }) => pointer),
  );
  if (marked) return markup`<h3>Body, at what was found</h3>${marked}`;
  const lines = clip(body, longestBody).split('\n').slice(0, mostLines);
  const left = body.length - lines.join('\n').length;
  return markup`${textBlock('Body', lines)}${left > 0 && markup`<p class="where">and ${thousands(left)} more characters, in exchanges.har</p>`}`;
}

function textBlock(name: string, lines: readonly string[]): Markup {
  return markup`<h3>${name}</h3><pre>${lines.map((line, index) => [index > 0 && new Markup('\n'), clip(line, longestBody)])}</pre>`;
}
