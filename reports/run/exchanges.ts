import type { Finding, NamedRow, Run } from '../../contract/judge/verdict.ts';
import type { Body, Exchange, HeaderLine } from '../../contract/reading/exchange.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { clip } from '../words/escape.ts';
import { mostInFull } from '../words/findings.ts';
import { formatMillisecond } from '../words/instant.ts';
import { Markup, markup } from '../words/markup.ts';
import { findRows, longestBody, markedBody, type RowParts, rowId } from './marked-body.ts';
import type { RowLink } from './picture.ts';

const longestLine = 1000;

const mostLines = 60;

/** Returns the id of an exchange in the page. */
export function exchangeId(index: number): string {
  return `exchange-${index}`;
}

/** Number of leading exchanges that are shown if nothing could be judged. */
const mostUnjudged = 3;

/** An exchange on the page, and the rows of its body that findings link to. */
type ShownExchange = { readonly exchange: Exchange; readonly rows: RowParts };

export type ShownExchanges = ReadonlyMap<number, ShownExchange>;

/** Chooses the exchanges that fully reported findings refer to, by their index, and finds their rows. */
export function showExchanges(run: Run, exchanges: readonly Exchange[]): ShownExchanges {
  const isUnjudged = run.verdict === 'inconclusive' && run.findings.length === 0;
  const named = Map.groupBy(namedRows(run.findings), ({ exchange }) => exchange);
  const wanted = isUnjudged ? [...exchanges.keys()].slice(0, mostUnjudged) : [...named.keys()];
  return new Map(
    wanted
      .toSorted((a, b) => a - b)
      .flatMap((index): [number, ShownExchange][] => {
        const exchange = exchanges[index];
        const { text = '', encoding } = exchange?.response?.body ?? {};
        const rows = findRows(encoding === 'utf8' ? text : '', index, named.get(index) ?? []);
        return exchange ? [[index, { exchange, rows }]] : [];
      }),
  );
}

/** Returns the address of a row on the page, or of its exchange if the row is not found in it. */
export function linkRows(shown: ShownExchanges): RowLink {
  return (exchange, pointer) => {
    const found = shown.get(exchange);
    const id = rowId(exchange, pointer);
    return found && `#${found.rows.has(id) ? id : exchangeId(exchange)}`;
  };
}

/** Renders exchanges as they were sent and received. */
export function exchangesPart(shown: ShownExchanges): Markup | undefined {
  if (shown.size === 0) return undefined;
  return markup`<section id="exchanges" aria-labelledby="exchanges-title"><h2 id="exchanges-title">Exchanges</h2>
<p class="lead">Requests and responses that show what this page reports. All of the run, with whole bodies, are in <code>exchanges.har</code> beside this page, under the same numbers.</p>
${[...shown].map(([index, exchange]) => exchangeDetails(index, exchange))}</section>`;
}

function namedRows(findings: readonly Finding[]): NamedRow[] {
  return findings
    .slice(0, mostInFull)
    .flatMap(({ examples }) =>
      examples.flatMap((example, index) =>
        index === 0 || example.picture || example.candles ? [example, ...(example.beside ?? [])] : [],
      ),
    );
}

function exchangeDetails(index: number, { exchange, rows }: ShownExchange): Markup {
  const { request, response, failure, startedAt } = exchange;
  const status = response ? `${response.status}` : (failure?.kind ?? 'no response');
  const requested = [`${request.method} ${request.url}`, ...request.headers.map(headerText)];
  const head = response && [
    `${response.httpVersion} ${response.status} ${response.statusText}`,
    ...response.headers.map(headerText),
  ];
  return markup`<details class="exchange"><summary>Exchange ${index}: ${request.method} ${clip(requestPath(request.url), 160)}, ${status}</summary>
<div id="${exchangeId(index)}"><p class="where">Sent ${formatMillisecond(startedAt)}${failure && `; ${failure.kind} at ${failure.phase}: ${clip(failure.message, longestLine)}`}</p>
${textBlock('Request', requested)}${head && textBlock('Response', head)}${response?.body && bodyPart(response.body, rows)}</div></details>`;
}

function headerText([name, value]: HeaderLine): string {
  return `${name}: ${value}`;
}

function requestPath(url: string): string {
  const address = URL.parse(url);
  return address ? `${address.pathname}${address.search}` : url;
}

function bodyPart({ text: body, encoding }: Body, rows: RowParts): Markup {
  if (encoding === 'base64')
    return markup`<p class="where">The body is no text; exchanges.har holds it as base64.</p>`;
  const marked = markedBody(body, rows);
  if (marked) return markup`<h3>Body, at what was found</h3>${marked}`;
  const lines = clip(body, longestBody).split('\n').slice(0, mostLines);
  const left = body.length - lines.join('\n').length;
  return markup`${textBlock('Body', lines)}${left > 0 && markup`<p class="where">and ${thousands(left)} more characters, in exchanges.har</p>`}`;
}

function textBlock(name: string, lines: readonly string[]): Markup {
  return markup`<h3>${name}</h3><pre>${lines.map((line, index) => [index > 0 && new Markup('\n'), clip(line, longestBody)])}</pre>`;
}
