import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { page } from '@candleproof/reports/run/page';
import { nameCell, numberCell, wideTable } from '@candleproof/reports/run/table';
import { makeVisible } from '@candleproof/reports/words/escape';
import { formatInstant, formatMilliseconds, formatRate, rangeText } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { alignColumns } from '@candleproof/reports/words/terminal-text';
import { verdictWords } from '@candleproof/reports/words/wording';
import type { ComparedRun, LoadComparison } from '../comparison.ts';
import type { Compared, Estimate } from '../estimates.ts';
import type { LoadRun } from '../load-run.ts';
import { loadStyles, throughputChart } from './chart.ts';

/**
 * Renders the comparison of two runs of one load as one HTML file, in the style of a load report, without a separate
 * verdict. The element with the id `comparison` holds it as JSON.
 */
export function comparisonPage(
  comparison: LoadComparison,
  runs: { readonly before: LoadRun; readonly after: LoadRun },
): string {
  const { scenario, before, after } = comparison;
  return page({
    title: `Load ${scenario} compared: ${before.target.name}, ${after.target.name} · Candleproof`,
    kind: 'load comparison',
    header: markup`<header class="page-head"><div class="banner"><h1>${comparison.scenario}, before and after</h1>
${runLine('Before', comparison.before)}${runLine('After', comparison.after)}</div></header>`,
    main: markup`${table(comparison)}${chart('before', runs.before)}${chart('after', runs.after)}${markup`<section id="method"><h2>Method</h2><ul class="facts">${[comparison.before, comparison.after].map(({ command }) => markup`<li><code>${command}</code></li>`)}</ul></section>`}`,
    embedded: { id: 'comparison', value: comparison },
    moreStyles: loadStyles,
  });
}

/** Formats the figures of two runs of one load side by side, for a terminal. */
export function renderComparison(comparison: LoadComparison): string {
  const { scenario, before, after } = comparison;
  const names = [before, after].map(({ target, startedAt }) => `${target.name} ${startedAt}`);
  const rows = comparisonRows(comparison).map((row) => [row.name, row.before, row.after, row.change]);
  return [
    makeVisible(`load ${scenario}: ${names.join(' → ')}`),
    ...alignColumns([['', 'before', 'after', 'change'], ...rows]),
    `${comparisonCaveat(comparison)}\n`,
  ].join('\n');
}

function runLine(name: string, { target, startedAt, verdict, reasons }: ComparedRun): Markup {
  return markup`<p class="target">${name}, ${verdictWords[verdict].toLowerCase()}: <b>${target.name}</b> <span class="url">${target.baseUrl}</span> <time datetime="${startedAt}">${formatInstant(startedAt)}</time></p>${reasons.map((reason) => markup`<p class="remark">${reason}.</p>`)}`;
}

function table(comparison: LoadComparison): Markup {
  const rows = comparisonRows(comparison).map(({ name, before, after, change }) => [
    nameCell(name),
    ...[before, after, change].map(numberCell),
  ]);
  return markup`<section id="comparison-table"><h2>Figures</h2><p>Latency counts from the instant at which each request was due. ${comparisonCaveat(comparison)}</p>
${wideTable({ caption: 'Both runs', heads: ['Figure', 'Before', 'After', 'Change'], numbersFrom: 1, rows })}</section>`;
}

function chart(name: string, run: LoadRun): Markup {
  return markup`<section id="throughput-${name}"><h2>Throughput ${name}</h2>${throughputChart(run)}</section>`;
}

/** One figure of both runs in words; `change` is empty if nothing changed. */
type ComparisonRow = Readonly<Record<'name' | 'before' | 'after' | 'change', string>>;

/** Returns the rows of a comparison. */
export function comparisonRows(comparison: LoadComparison): ComparisonRow[] {
  const { before, after, percentiles, errors, wrong } = comparison;
  const both = (name: string, of: (run: ComparedRun) => string): ComparisonRow => {
    return { name, before: of(before), after: of(after), change: '' };
  };
  return [
    both('verdict', (run) => run.verdict),
    {
      ...both(
        'answered',
        ({ sent, planned, delivered: perSecond }) =>
          `${formatRate(perSecond)} a second, ${thousands(sent)} of ${thousands(planned)} sent`,
      ),
      change: formatChange(before.delivered, after.delivered),
    },
    both('timed', ({ timed }) => `n ${thousands(timed)}`),
    ...percentiles.map((percentile) =>
      estimateRow(
        `p${100 * percentile.p}`,
        percentile,
        (estimate) => `${formatMilliseconds(estimate.value)} (${rangeText(estimate, formatMilliseconds)})`,
      ),
    ),
    ...errors.map((error) =>
      estimateRow(error.outcome, error, (one, of) =>
        formatShare(one, of === 'before' ? before.outcomes[error.outcome] : after.outcomes[error.outcome]),
      ),
    ),
    ...(before.dropped + after.dropped > 0 ? [both('dropped', ({ dropped }) => thousands(dropped))] : []),
    both('judged', ({ judged }) => `n ${thousands(judged)}`),
    estimateRow('wrong', wrong, (one, of) =>
      formatShare(one, of === 'before' ? before.breached : after.breached),
    ),
    both('breakpoint', ({ breakpoint }) =>
      breakpoint ? `${breakpoint.by} at ${formatRate(breakpoint.perSecond)} a second` : 'none',
    ),
  ];
}

/** Explains the change column. */
export function comparisonCaveat({ undecided }: LoadComparison): string {
  return undecided === undefined
    ? '“More than noise” stands where the 95 % intervals of both runs have no value in common; they allow for requests that shared a stall, not for what differs from one run to the next, such as the hour or the network.'
    : `No difference is called more than noise: ${undecided}.`;
}

type Writer = (estimate: Estimate, of: 'before' | 'after') => string;
function estimateRow(name: string, { before, after, moved }: Compared, write: Writer): ComparisonRow {
  const change = before && after ? formatChange(before.value, after.value) : '';
  return {
    name,
    before: before ? write(before, 'before') : 'unknown',
    after: after ? write(after, 'after') : 'unknown',
    change: moved ? [change, 'more than noise'].filter(Boolean).join(', ') : change,
  };
}

function formatShare(estimate: Estimate, n: number): string {
  return `${thousands(n)}, ${formatPercent(estimate.value)} (${rangeText(estimate, formatPercent)})`;
}

/** `+35 %`; empty for no change, or for a change from zero. */
function formatChange(before: number, after: number): string {
  if (before === after || before === 0) return '';
  const percent = Number(((100 * (after - before)) / before).toPrecision(2));
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}
