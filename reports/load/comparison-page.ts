import type { ComparedRun, LoadComparison } from '../../load/comparison.ts';
import type { LoadRun } from '../../load/load-run.ts';
import { wideTable } from '../monitor/html/table.ts';
import { page } from '../run/page.ts';
import { instantInWords } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';
import { verdictWords } from '../words/wording.ts';
import { loadStyles, throughputChart } from './chart.ts';
import { comparisonCaveat, comparisonRows } from './comparison-rows.ts';

/**
 * Two runs of one load as one HTML file, as a load's own page is made, without a verdict of its own. The comparison is in it as JSON, in the element
 * with the id `comparison`.
 */
export function comparisonPage(
  comparison: LoadComparison,
  runs: { readonly before: LoadRun; readonly after: LoadRun },
): string {
  const { scenario, before, after } = comparison;
  return page({
    title: `Load ${scenario} compared: ${before.target.name}, ${after.target.name} · Candleproof`,
    header: header(comparison),
    main: markup`${table(comparison)}${chart('before', runs.before)}${chart('after', runs.after)}${method(comparison)}`,
    embedded: { id: 'comparison', value: comparison },
    moreStyles: loadStyles,
  });
}

function header({ scenario, before, after }: LoadComparison): Markup {
  return markup`<header class="page-head"><div class="banner"><div><p class="brand">Candleproof load comparison</p><h1>${scenario}, before and after</h1>
${runLine('Before', before)}${runLine('After', after)}</div></div></header>`;
}

function runLine(name: string, { target, startedAt, verdict, reasons }: ComparedRun): Markup {
  return markup`<p class="target">${name}, ${verdictWords[verdict].toLowerCase()}: <b>${target.name}</b> <span class="url">${target.baseUrl}</span> <time datetime="${startedAt}">${instantInWords(startedAt)}</time></p>${reasons.map((each) => markup`<p class="remark">${each}.</p>`)}`;
}

function table(comparison: LoadComparison): Markup {
  const rows = comparisonRows(comparison).map(({ name, before, after, change }) => [
    { value: name, is: 'name' as const },
    ...[before, after, change].map((value) => ({ value, is: 'number' as const })),
  ]);
  return markup`<section id="comparison-table"><h2>Figures</h2><p>Latency counts from the instant at which each request was due. ${comparisonCaveat(comparison)}</p>
${wideTable({ caption: 'Both runs', heads: ['Figure', 'Before', 'After', 'Change'], numbersFrom: 1, rows })}</section>`;
}

function chart(name: string, run: LoadRun): Markup {
  return markup`<section id="throughput-${name}"><h2>Throughput ${name}</h2>${throughputChart(run)}</section>`;
}

function method({ before, after }: LoadComparison): Markup {
  return markup`<section id="method"><h2>Method</h2><ul class="facts">${[before, after].map(({ command }) => markup`<li><code>${command}</code></li>`)}</ul></section>`;
}
