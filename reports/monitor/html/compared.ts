import { thousands } from '../../../contract/reading/thousands.ts';
import { formatPercent } from '../../../planning/format-percent.ts';
import { type Cell, section, wideTable } from '../../run/table.ts';
import type { Markup, Part } from '../../words/markup.ts';
import { markup } from '../../words/markup.ts';
import { slotsInWords } from '../coverage.ts';
import { durationText, timeText, unknown } from '../format.ts';
import type { WatchedOperation } from '../operations.ts';
import { operationNames } from '../operations.ts';
import type { Downtime } from '../outages.ts';
import { day, daysJudged } from '../spans.ts';
import type { MonitorView } from '../view.ts';
import type { WatchView } from '../watch-view.ts';
import { deepRunText, mustsJudgedText } from '../watch-view.ts';
import { watchName } from '../watches.ts';
import { operationTitle, watchedText } from '../wording.ts';
import { at, percentileCell, shareCell } from './pieces.ts';

type Row = { readonly name: Part; readonly cell: (view: WatchView) => Cell };

/** Every target and location beside each other, one figure a row. */
export function comparedPart({ watches, now }: MonitorView): Markup {
  const requested = operationNames(
    watches.flatMap(({ operations }) => operations.map(({ operation }) => operation)),
  );
  const rows = [...shareRows, ...requested.map(latencyRow), ...otherRows(now)];
  const table = wideTable({
    caption: 'Targets and locations side by side',
    heads: ['', ...watches.map(({ watch }) => watchName(watch))],
    numbersFrom: 1,
    rows: rows.map(({ name, cell }) => [{ value: name, is: 'name' }, ...watches.map(cell)]),
  });
  const lead =
    'Locations are never added up. Below a share: how many, the 95 % interval of the true share, and, where bad slots came in outages, how many independent samples they amount to.';
  return section(
    'compared',
    'Side by side',
    watches.length === 0
      ? markup`<p>Nothing was watched yet.</p>`
      : markup`<p class="lead">${lead}</p>${table}`,
  );
}

const shareRows: readonly Row[] = [
  { name: 'Figures of', cell: ({ watched }) => plain(watchedText(watched)) },
  { name: 'Availability, confirmed', cell: ({ availability }) => shareCell(availability) },
  { name: 'Availability, first look alone', cell: ({ raw }) => shareCell(raw) },
  { name: 'Without a breach of a must', cell: correctnessCell },
  { name: 'Coverage', cell: coverageCell },
];

function latencyRow(operation: WatchedOperation): Row {
  return {
    name: markup`p95, new connection<small>${operationTitle(operation)}</small>`,
    cell: ({ operations }) => {
      const own = operations.find((each) => each.operation === operation);
      return percentileCell(at(own?.cold, 0.95), timeText);
    },
  };
}

function otherRows(now: number): Row[] {
  return [
    {
      name: 'Age of the newest candle, p99',
      cell: ({ freshness }) => percentileCell(at(freshness?.percentiles, 0.99), durationText),
    },
    {
      name: 'Without answers',
      cell: ({ downtime }) => plain(downtime ? downtimeText(downtime) : unknown),
    },
    {
      name: 'Certificate ends in',
      cell: ({ certificate }) => plain(certificate ? daysText(certificate.end - now) : unknown),
    },
    {
      name: 'Broken musts',
      cell: (view) =>
        plain(view.rules.length === 0 ? `none of ${mustsJudgedText(view)}` : `${view.rules.length}`),
    },
    { name: 'Newest deep run', cell: (view) => plain(deepRunText(view, now) ?? 'none') },
  ];
}

function correctnessCell(view: WatchView): Cell {
  const { correctness } = view;
  if (!correctness) return shareCell(correctness);
  return plain(markup`${shareCell(correctness).value}<small>of ${mustsJudgedText(view)}</small>`);
}

function plain(value: Part): Cell {
  return { value, is: 'number' };
}

function coverageCell({ coverage }: WatchView): Cell {
  if (!coverage) return plain(unknown);
  return plain(
    markup`${formatPercent(coverage.share)}<small>of ${daysJudged} d</small><small>${slotsInWords(coverage)}</small>`,
  );
}

/** `none`, or between what is sure and what is possible. */
export function downtimeText({ least, most }: Pick<Downtime, 'least' | 'most'>): string {
  return most === 0 ? 'none seen' : `${durationText(least)} to ${durationText(most)}`;
}

/** Whole days that are left; what is over is said to be so. */
export function daysText(ms: number): string {
  return ms <= 0 ? 'over' : `${thousands(Math.floor(ms / day))} d`;
}
