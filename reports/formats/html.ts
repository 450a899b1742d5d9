import type { Run } from '../../contract/judge/verdict.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import { exchangesPart, linkRows, showExchanges } from '../run/exchanges.ts';
import { embeddedRun, findingsPart } from '../run/findings.ts';
import { methodPart } from '../run/method.ts';
import { page } from '../run/page.ts';
import { matrixPart, observationsPart } from '../run/rules.ts';
import { verdictPart } from '../run/verdict.ts';
import { headline } from '../words/headline.ts';
import { markup } from '../words/markup.ts';

/**
 * The report of a run as one HTML file: no script, no request to anywhere, every text of the target escaped. The run
 * itself is in it as JSON, in the element with the id `run`; of more findings than it tells in full, without examples.
 * Of the exchanges, by their index in the HAR, it shows those that findings name.
 */
export function renderHtml(run: Run, exchanges: readonly Exchange[] = []): string {
  const title = `${headline(run)}: ${run.target.name} · Candleproof`;
  const shown = showExchanges(run, exchanges);
  const row = linkRows(shown);
  const header = verdictPart(run, row);
  const main = markup`${findingsPart(run, exchanges, { row })}${matrixPart(run)}${observationsPart(run)}${exchangesPart(shown)}${methodPart(run)}`;
  return page({ title, header, main, embedded: { id: 'run', value: embeddedRun(run) } });
}
