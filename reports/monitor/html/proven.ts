import type { Outcome } from '../../../contract/judge/verdict.ts';
import { thousands } from '../../../contract/reading/thousands.ts';
import { leastWatched } from '../../../planning/confidence.ts';
import { formatPercent } from '../../../planning/format-percent.ts';
import { mark } from '../../run/marks.ts';
import { type Cell, nameCell, numberCell, wideTable } from '../../run/table.ts';
import { type Markup, markup, type Part } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { slotsInWords } from '../coverage.ts';
import { durationText, timeText, unknown } from '../format.ts';
import { operationNames, type WatchedOperation } from '../judged-days.ts';
import type { Downtime } from '../outages.ts';
import { day, daysJudged } from '../spans.ts';
import {
  countObjectives,
  deepRunText,
  type MonitorSummary,
  type MonitorView,
  mustsJudgedText,
  type WatchSummary,
  type WatchView,
} from '../view.ts';
import { watchName } from '../watches.ts';
import { objectiveWords, operationTitle, watchedText } from '../wording.ts';
import { findPercentile, foldedPart, percentileCell, shareCell } from './pieces.ts';

type Row = readonly [name: Part, cell: (view: WatchView) => Cell];

/** Renders whether the promises were met. */
export function provenPart(view: MonitorSummary): Markup {
  const { outcome, title, sentence } = monitorVerdict(view);
  return markup`<section id="proven" aria-labelledby="proven-title"><h2 id="proven-title">Proven or not</h2>
<p>${mark(outcome)} <b>${title}.</b> ${sentence} Basis: ${watchedText(longest(view.watches))}.</p></section>`;
}

/** Renders the figures of all watches with their intervals, folded. */
export function comparedPart(view: MonitorView): Markup | undefined {
  const { watches, now } = view;
  if (watches.length === 0) return undefined;
  const requested = operationNames(
    watches.flatMap(({ operations }) => operations.map(({ operation }) => operation)),
  );
  const rows = [...shareRows, ...requested.map(latencyRow), ...otherRows(now)];
  const table = wideTable({
    caption: 'Targets and locations side by side',
    heads: ['', ...watches.map(({ watch }) => watchName(watch))],
    numbersFrom: 1,
    rows: rows.map(([name, cell]) => [nameCell(name), ...watches.map(cell)]),
  });
  const lead =
    'Locations are never added up. Below a share: how many, the 95 % interval of the true share, and, where bad slots came in outages, how many independent samples they amount to.';
  return foldedPart(
    view.state,
    'compared',
    'Side by side',
    'every figure with its interval',
    markup`<p class="lead">${lead}</p>${table}`,
  );
}

type Verdict = { readonly outcome: Outcome; readonly title: string; readonly sentence: string };

/** Returns the verdict on all objectives: an unproven figure does not meet a promise. */
function monitorVerdict(view: MonitorSummary): Verdict {
  const { met, missed, undecided } = countObjectives(view);
  const all = met + missed + undecided;
  if (all === 0) return { outcome: 'inconclusive', title: 'No objectives to judge', sentence: '' };
  const rest = [
    met > 0 && `${met} met`,
    missed > 0 && `${missed} missed`,
    undecided > 0 && `${undecided} with ${objectiveWords.undecided}`,
  ].filter((part) => part !== false);
  const sentence = `Of ${plural(all, 'objective')}: ${rest.join(', ')}.`;
  if (missed > 0) return { outcome: 'failed', title: missedTitle(view), sentence };
  if (undecided === 0) return { outcome: 'passed', title: 'Every objective met', sentence };
  const isEarly = view.watches
    .flatMap((watch) => watch.judgements)
    .every(({ looked }) => looked < leastWatched);
  const title = isEarly ? 'Too little was watched for a verdict' : 'None missed, not all proven';
  return { outcome: 'inconclusive', title, sentence };
}

function longest(watches: readonly WatchSummary[]): WatchSummary['watched'] {
  return watches.flatMap(({ watched }) => watched ?? []).toSorted((a, b) => b.share - a.share)[0];
}

function missedTitle({ watches }: MonitorSummary): string {
  const targets = watches
    .filter(({ judgements }) => judgements.some(({ standing }) => standing === 'missed'))
    .map(({ watch }) => watch.target);
  const names = [...new Set(targets)];
  return names.length > 2 ? `Missed at ${names.length} targets` : `Missed at ${names.join(' and ')}`;
}

const shareRows: readonly Row[] = [
  ['Figures of', ({ watched }) => numberCell(watchedText(watched))],
  ['Availability, confirmed', ({ availability }) => shareCell(availability)],
  ['Availability, first attempt alone', ({ raw }) => shareCell(raw)],
  ['Without a breach of a must', correctnessCell],
  ['Coverage', coverageCell],
];

function latencyRow(operation: WatchedOperation): Row {
  return [
    markup`p95, new connection<small>${operationTitle(operation)}</small>`,
    ({ operations }) => {
      const found = operations.find((figures) => figures.operation === operation);
      return percentileCell(findPercentile(found?.cold, 0.95), timeText);
    },
  ];
}

function otherRows(now: number): Row[] {
  return [
    [
      'Age of the newest candle, p99',
      ({ freshness }) => percentileCell(findPercentile(freshness?.percentiles, 0.99), durationText),
    ],
    ['Without answers', ({ downtime }) => numberCell(downtime ? downtimeText(downtime) : unknown)],
    [
      'Certificate ends in',
      ({ certificate }) => numberCell(certificate ? daysText(certificate.end - now) : unknown),
    ],
    ['Broken musts', brokenCell],
    ['Newest deep run', (view) => numberCell(deepRunText(view, now) ?? 'none')],
  ];
}

function brokenCell(view: WatchView): Cell {
  return numberCell(view.rules.length === 0 ? `none of ${mustsJudgedText(view)}` : `${view.rules.length}`);
}

function correctnessCell(view: WatchView): Cell {
  const { correctness } = view;
  if (!correctness) return shareCell(correctness);
  return numberCell(markup`${shareCell(correctness).value}<small>of ${mustsJudgedText(view)}</small>`);
}

function coverageCell({ coverage }: WatchView): Cell {
  if (!coverage) return numberCell(unknown);
  return numberCell(
    markup`${formatPercent(coverage.share)}<small>of ${daysJudged} d</small><small>${slotsInWords(coverage)}</small>`,
  );
}

/** `none seen`, or the downtime from the least to the greatest. */
export function downtimeText({ least, most }: Pick<Downtime, 'least' | 'most'>): string {
  return most === 0 ? 'none seen' : `${durationText(least)} to ${durationText(most)}`;
}

/** Formats the whole days that are left; `over` if none are. */
export function daysText(ms: number): string {
  return ms <= 0 ? 'over' : `${thousands(Math.floor(ms / day))} d`;
}
