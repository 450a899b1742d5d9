import type { Run } from '@candleproof/law/judge/verdict';
import { countSamples } from '@candleproof/law/planning/histogram';
import { capitalize, formatPercent, thousands } from '@candleproof/law/reading/words';
import { findingsPart } from '@candleproof/reports/run/findings';
import { banner, factsLine } from '@candleproof/reports/run/marks';
import { contentLinks, page, type RunPage } from '@candleproof/reports/run/page';
import { nameCell, numberCell, wideTable } from '@candleproof/reports/run/table';
import { formatInstant, formatMilliseconds, formatRate, plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { verdictWords } from '@candleproof/reports/words/wording';
import { peakRate, sliceSeconds, totalSeconds } from '../bill.ts';
import { computePercentile } from '../histogram.ts';
import type { LoadRun, LoadSegment } from '../load-run.ts';
import {
  type LatencyRange,
  latencyChart,
  loadStyles,
  offeredRates,
  percentileRange,
  throughputChart,
} from './chart.ts';
import { describeSustained, openQuestion } from './outcome-words.ts';

/**
 * Renders the report of a load run as one HTML file: no script, no external request, every text of the target escaped.
 * The element with the id `load` holds the run as JSON. `judged` are the kept exchanges, with their findings.
 */
export function loadPage(run: LoadRun, judged?: Run): string {
  return page({
    ...loadPageParts(run, judged),
    embedded: { id: 'load', value: run },
    moreStyles: loadStyles,
  });
}

/** Returns the parts of a load run's page: its title, its header with the verdict, and its sections. */
export function loadPageParts(
  run: LoadRun,
  judged?: Run,
): Pick<RunPage, 'title' | 'kind' | 'contents' | 'header' | 'main'> {
  const { trial } = run;
  return {
    title: `${verdictWords[run.verdict]}${openQuestion(run)}: load ${trial.scenario}, ${trial.target.name} · Candleproof`,
    kind: 'load report',
    contents: contentLinks([
      ['#throughput', undefined, 'Throughput'],
      ['#latency', undefined, 'Latency'],
      ['#endings', run.figures.sent, 'requests'],
      ['#method', undefined, 'Method'],
    ]),
    header: header(run),
    main: markup`${throughput(run)}${latency(run)}${endings(run)}${judged && findingsPart(judged)}${rulesPart(run)}${method(run)}`,
  };
}

function header(run: LoadRun): Markup {
  const { trial, parts: segments, figures, verdict, reasons } = run;
  const startedAt = segments.map((segment) => segment.startedAt).sort()[0] ?? '';
  const { quota, sent } = figures;
  const [first = describeOutcome(run), ...others] = [...sustained(run), ...breakpoints(run)];
  const facts = [
    markup`<b>${trial.target.name}</b> <span class="url">${trial.target.baseUrl}</span>`,
    markup`<time datetime="${startedAt}">${formatInstant(startedAt)}</time>`,
    `${trial.scenario}: ${thousands(sent)} of ${plural(trial.bill, 'request')} over ${totalSeconds(trial.load)} s, ${formatRate(peakRate(trial.load))} a second at most`,
    ...(quota
      ? [
          `${formatPercent(sent / quota.limit)} of the key’s month of ${thousands(quota.limit)}; ${thousands(quota.remaining)} left${quota.additional > 0 ? `, ${thousands(quota.additional)} beyond it` : ''}`,
        ]
      : []),
  ];
  const remarks = [
    ...others,
    ...(run.sustained || others.length > 0 ? [describeOutcome(run)] : []),
    ...reasons,
  ];
  const lines = markup`${factsLine(facts)}${remarks.map((remark) => markup`<p class="remark">${remark}.</p>`)}`;
  return markup`<header class="page-head">${banner(verdict, `${verdictWords[verdict]}${openQuestion(run)}`, first, lines)}
${latencyChart(run)}</header>`;
}

/**
 * `p95 310 ms from when due; none of 1,000 judged answers wrong`; wrong answers are counted in a reason of the verdict.
 */
function describeOutcome({ figures: { latency, judged, breached } }: LoadRun): string {
  const right = judged === 0 ? '; no answer judged' : `; none of ${plural(judged, 'judged answer')} wrong`;
  return `p95 ${formatMilliseconds(computePercentile(latency, 0.95))} from when due${breached > 0 ? '' : right}`;
}

/** Returns the answer to what a load is for: the highest rate at which answers were right and fast. */
function sustained(run: LoadRun): string[] {
  const { sustained: found, wrongFrom, breakpoint } = run;
  if (!found) return [];
  const upTo = capitalize(describeSustained(run, found.perSecond));
  return [found.isHighest && !wrongFrom && !breakpoint ? `${upTo}, the highest rate offered` : upTo];
}

const breakpointSubjects = {
  errors: 'Errors',
  latency: 'Slow answers',
  generator: 'Requests that could not be sent',
} as const;

function breakpoints({ breakpoint, wrongFrom }: LoadRun): string[] {
  return [
    ...(breakpoint ? [[breakpointSubjects[breakpoint.by], breakpoint] as const] : []),
    ...(wrongFrom ? [['Wrong answers', wrongFrom] as const] : []),
  ].map(
    ([subject, { perSecond, atSeconds }]) =>
      `${subject} began at ${formatRate(perSecond)} requests/s, at ${Math.round(atSeconds)} s`,
  );
}

type LoadSlice = LoadRun['figures']['slices'][number];

function throughput(run: LoadRun): Markup {
  const { trial, figures } = run;
  const seconds = sliceSeconds(trial.load);
  const slowest = computePercentile(figures.latency, 1);
  const columns: readonly (readonly [head: string, text: (slice: LoadSlice, rate: number) => string])[] = [
    ['Offered/s', (_, rate) => formatRate(rate)],
    ['Sent/s', ({ sent }) => formatRate(sent / seconds)],
    ['n', ({ sent }) => thousands(sent)],
    ['Errors', ({ errors }) => thousands(errors)],
    ['429', ({ limited }) => thousands(limited)],
    ['Slow', ({ slow }) => thousands(slow)],
    ['Judged', ({ judged }) => thousands(judged)],
    ['Wrong', ({ breached }) => thousands(breached)],
    ...[0.5, 0.95].map(
      (p) =>
        [
          `p${100 * p}`,
          (slice: LoadSlice) => formatRange(percentileRange(slice.latency, p, slowest)),
        ] as const,
    ),
  ];
  const heads = ['From', ...columns.map(([head]) => head)];
  const offered = offeredRates(run);
  const rows = figures.slices.map((slice, at) => {
    const cells = columns.map(([, text]) => numberCell(text(slice, offered[at] ?? 0)));
    return [nameCell(`${formatRate(at * seconds)}\u00a0s`), ...cells];
  });
  return markup`<section id="throughput"><h2>Throughput and latency over time</h2>${throughputChart(run)}
${wideTable({ caption: 'The run in slices', heads, numbersFrom: 1, rows })}</section>`;
}

function latency({ figures, parts: segments }: LoadRun): Markup {
  const shares = [0.5, 0.9, 0.95, 0.99, 0.999, 1];
  const ownTimes = segments.length === 1 ? segments[0]?.own : undefined;
  const statistics = ['med', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'max'];
  const rows = shares.map((p, at) => [
    nameCell(p === 1 ? 'most' : `p${Number((100 * p).toPrecision(4))}`),
    numberCell(formatMilliseconds(computePercentile(figures.latency, p))),
    numberCell(formatMilliseconds(1000 * (ownTimes?.[statistics[at] ?? ''] ?? Number.NaN))),
  ]);
  return markup`<section id="latency"><h2>Latency</h2><p>From the instant at which each of ${thousands(countSamples(figures.latency))} requests was due, whatever held it up; beside it from when it left. The first request on each connection includes its handshake: nothing was warmed up before. Buckets are at most an eighth wide; those of the slices above are powers of two, whose ends are shown.</p>
${wideTable({ caption: 'Latency', heads: ['Percentile', 'From when due', 'From when sent'], numbersFrom: 1, rows })}</section>`;
}

/** Renders how requests ended; outcomes that never occurred share a row. */
function endings({ figures }: LoadRun): Markup {
  const all = Object.entries({ ...figures.outcomes, 'not sent, nobody was free': figures.dropped });
  const [some, none] = [all.filter(([, n]) => n > 0), all.filter(([, n]) => n === 0)];
  const rows = [
    ...some,
    ...(none.length > 0 ? [[none.map(([name]) => name).join('; '), 0] as const] : []),
  ].map(([name, n]) => [nameCell(name), numberCell(thousands(n))]);
  return markup`<section id="endings"><h2>How requests ended</h2>${wideTable({ caption: 'Endings', heads: ['Ending', 'Requests'], numbersFrom: 1, rows })}</section>`;
}

function rulesPart({ figures }: LoadRun): Markup | undefined {
  const rows = Object.entries(figures.rules)
    .sort(([, a], [, b]) => b - a)
    .map(([id, n]) => [nameCell(markup`<code>${id}</code>`), numberCell(thousands(n))]);
  if (rows.length === 0) return undefined;
  return markup`<section id="broken"><h2>Rules broken under load</h2>${wideTable({ caption: 'Rules', heads: ['Rule', 'Answers'], numbersFrom: 1, rows })}</section>`;
}

function method({ trial, parts: segments, figures }: LoadRun): Markup {
  const cost = figures.judged > 0 ? figures.judgingUs / figures.judged : undefined;
  const mix = trial.mix.map(({ operation, kind, share }) => [
    nameCell(markup`<code>${operation}</code> ${kind}`),
    numberCell(formatPercent(share)),
  ]);
  return markup`<section id="method"><h2>Method</h2><ul class="facts"><li><code>${trial.command}</code></li>
<li>An open model: requests leave when they are due, whatever became of those before. ${formatPercent(trial.judgeShare)} of the answers were to be judged, one by one, by the rules that a single answer can break${cost !== undefined && `; each took ${formatMilliseconds(cost)}`}.</li>
${segments.map((sent) => markup`<li>${sent.segment === undefined ? 'The whole' : `Segment ${sent.segment}`}: ${describeSegment(sent)}</li>`)}
${trial.floor !== undefined && markup`<li>It would have ended with ${thousands(trial.floor)} requests left of the month.</li>`}
<li>Candleproof ${trial.versions.candleproof}, rules ${trial.versions.catalogue}</li></ul>
${wideTable({ caption: 'The mix', heads: ['Request', 'Share'], numbersFrom: 1, rows: mix })}</section>`;
}

function describeSegment({ engine, protocol, cpu, late }: LoadSegment): string {
  const cores = engine === 'embedded' ? 'its core' : 'all cores';
  return [
    engine === 'embedded' ? 'the embedded engine' : engine,
    ...(protocol === undefined ? [] : [protocol]),
    cpu === undefined
      ? 'processor time not measured'
      : `${formatPercent(cpu)} of ${cores} at most over two seconds`,
    ...(late
      ? [`requests left ${formatMilliseconds(1000 * (late['p(99)'] ?? Number.NaN))} late or less (p99)`]
      : []),
  ].join(', ');
}

/** `131 to 262 ms`; empty without a sample. */
function formatRange(range: LatencyRange | undefined): string {
  return range ? `${formatMilliseconds(range.from)} to ${formatMilliseconds(range.to)}` : '';
}
