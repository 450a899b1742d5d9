import type { Finding, NamedRow, Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { clip } from '../words/escape.ts';
import { maxInFull } from '../words/finding-words.ts';
import { formatMillisecond } from '../words/format.ts';
import { type Markup, markup } from '../words/markup.ts';
import type { RowLink } from './picture.ts';
import { exchangeParts, findRows, type RowParts, rowId, showExchange } from './shown-exchange.ts';

const longestLine = 1000;

/** Returns the id of an exchange in the page. */
export function exchangeId(index: number): string {
  return `exchange-${index}`;
}

/** Number of leading exchanges that are shown if nothing could be judged. */
const mostUnjudged = 3;

/** An exchange on the page, and the rows of its body that findings link to. */
type RowedExchange = { readonly exchange: Exchange; readonly rows: RowParts };

export type ShownExchanges = ReadonlyMap<number, RowedExchange>;

/** Chooses the exchanges that fully reported findings refer to, by their index, and finds their rows. */
export function showExchanges(run: Run, exchanges: readonly Exchange[]): ShownExchanges {
  const isUnjudged = run.verdict === 'inconclusive' && run.findings.length === 0;
  const named = Map.groupBy(namedRows(run.findings), ({ exchange }) => exchange);
  const wanted = isUnjudged ? [...exchanges.keys()].slice(0, mostUnjudged) : [...named.keys()];
  return new Map(
    wanted
      .toSorted((a, b) => a - b)
      .flatMap((index): [number, RowedExchange][] => {
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
    .slice(0, maxInFull)
    .flatMap(({ examples }) =>
      examples.flatMap((example, index) =>
        index === 0 || example.picture || example.candles ? [example, ...(example.beside ?? [])] : [],
      ),
    );
}

function exchangeDetails(index: number, { exchange, rows }: RowedExchange): Markup {
  const { request, response, failure, startedAt } = exchange;
  const status = response ? `${response.status}` : (failure?.kind ?? 'no response');
  const shown = showExchange(exchange);
  return markup`<details class="exchange"><summary>Exchange ${index}: ${request.method} ${clip(requestPath(request.url), 160)}, ${status}</summary>
<div id="${exchangeId(index)}"><p class="where">Sent ${formatMillisecond(startedAt)}${shown.failure !== '' && `; ${clip(shown.failure, longestLine)}`}</p>
${exchangeParts(shown, rows, { rest: 'exchanges.har' })}</div></details>`;
}

function requestPath(url: string): string {
  const address = URL.parse(url);
  return address ? `${address.pathname}${address.search}` : url;
}
