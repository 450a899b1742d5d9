import type { Run } from '../contract/verdict.ts';
import { headline } from './headline.ts';
import { embeddedRun } from './html/embedded-run.ts';
import { findingsPart } from './html/findings.ts';
import { matrixPart } from './html/matrix.ts';
import { methodPart } from './html/method.ts';
import { observationsPart } from './html/observations.ts';
import { page } from './html/page.ts';
import { verdictPart } from './html/verdict.ts';
import { markup } from './markup.ts';

/**
 * The report of a run as one HTML file: no script, no request to anywhere, every text of the target escaped. The run
 * itself is in it as JSON, in the element with the id `run`; of more findings than it tells in full, without examples.
 */
export function renderHtml(run: Run): string {
  const title = `${headline(run)}: ${run.target.name} · Candleproof`;
  const header = verdictPart(run);
  const main = markup`${findingsPart(run)}${matrixPart(run)}${observationsPart(run)}${methodPart(run)}`;
  return page({ title, header, main, embedded: { id: 'run', value: embeddedRun(run) } });
}
