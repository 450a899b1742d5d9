import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { nameCell, numberCell, section, wideTable } from '@candleproof/reports/run/table';
import {
  dateText,
  durationText,
  instantText,
  plural,
  roughText,
  timeText,
  unknown,
} from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { day } from '../../results/calendar.ts';
import { lostWords, slotsInWords } from '../coverage.ts';
import { daysJudged, daysShown } from '../days.ts';
import type { Downtime } from '../outages.ts';
import type { MonthFigures } from '../shown-days.ts';
import { correctnessText, deepRunText, type MonitorView, type WatchView } from '../view.ts';
import { watchName } from '../watches.ts';
import { judgementSentence, objectiveText, operationTitle, watchedText } from '../wording.ts';
import { dayBars } from './day-bars.ts';
import { heatMap } from './heat-map.ts';
import { latencyPart } from './latency.ts';
import type { PageState } from './page-state.ts';
import { deepRunPage, foldedPart, objectiveTag, percentileCells, shareCell } from './pieces.ts';
import { trend } from './trend.ts';

/** Renders one target from one location in full; on the page of its target not folded. */
export function watchPart(view: WatchView, index: number, { now, state }: MonitorView): Markup {
  const { watch, days, hours, operations, months } = view;
  const id = `watch-${index + 1}`;
  const name = watchName(watch);
  const content = markup`${objectivesTable(view, name)}
${coverageLine(view)}
${correctnessPart(view, now, state)}
<h3>${days.length === daysShown ? `The last ${daysShown} days` : `Since ${dateText(days[0]?.begin ?? now)}, when the watch began`}</h3>${dayBars(days, `Days, ${name}`, `${id}-days`)}
${heatMap(hours, `Hours, ${name}`, `${id}-hours`)}
<h3>In figures: ${watchedText(view.watched)}</h3>${operationsTable(view, name)}
${latencyPart(operations, name)}${latencyTrend(view, id, name)}
${freshnessPart(view, id, name)}
${certificateLine(view, now)}
${monthsPart(months, name)}`;
  return state?.target === undefined
    ? foldedPart(state, id, name, 'objectives, days, hours, latency and months', content)
    : section(id, name, content);
}

function objectivesTable({ judgements }: WatchView, name: string): Markup {
  if (judgements.length === 0) return markup`<p class="lead">No objectives are set.</p>`;
  return wideTable({
    caption: `Objectives, ${name}`,
    heads: ['Objective', 'Verdict', 'Measured', 'Why'],
    rows: judgements.map((judgement) => [
      nameCell(objectiveText(judgement.objective)),
      objectiveTag(judgement.standing),
      shareCell(judgement.measured).value,
      judgementSentence(judgement),
    ]),
  });
}

function coverageLine({ coverage, downtime, totals, watched }: WatchView): Markup {
  const aside = (['limited', 'unknown', 'excluded'] as const).flatMap((name) => {
    const count = totals.outcomes[name];
    return count ? [`${thousands(count)} ${name}`] : [];
  });
  const apart = aside.length > 0 && ` Not counted for or against the service: ${aside.join(', ')}.`;
  if (!coverage) return markup`<p>Nothing was planned here.${apart}</p>`;
  const { share, whileWatched, lost } = coverage;
  const ofWindow =
    watched && share < whileWatched
      ? ` of ${daysJudged} d: watched ${roughText(watched.to - watched.from)}, in which`
      : ':';
  const reported = lost.map(({ why, slots }) => `${thousands(slots)} ${why} (${lostWords[why]})`);
  return markup`<p><b>Coverage ${formatPercent(share)}</b>${ofWindow} ${slotsInWords(coverage)}${reported.length > 0 && `; ${reported.join(', ')}`}.${apart}${downtime && downtimeLine(downtime)}</p>`;
}

/** Renders correctness; the folder of a deep run lies beside the store, and its page is the full report. */
function correctnessPart(view: WatchView, now: number, state: PageState | undefined): Markup {
  const run = deepRunText(view, now);
  const { reason } = view.deepRun ?? {};
  return markup`<p><b>Correctness</b>: ${correctnessText(view)}${run && ` ${run}`}${run && reason !== undefined && markup` Its page: ${deepRunPage(state, reason)}.`}</p>`;
}

function downtimeLine(downtime: Downtime): Markup {
  const { least, most, unwatched } = downtime;
  return markup` <b>Without answers</b>: ${most === 0 ? 'none seen' : `${durationText(least)} to ${durationText(most)}`}${most > 0 && ', the time between probes counted once as good and once as bad'}${unwatched > 0 && `; nobody watched for ${durationText(unwatched)} beside it, which is in neither figure`}.`;
}

function operationsTable({ operations }: WatchView, name: string): Markup {
  return wideTable({
    caption: `Operations, ${name}`,
    heads: ['Operation', 'n', 'Availability, confirmed', 'First attempt alone', 'Coverage'],
    numbersFrom: 1,
    rows: operations.map(({ operation, probes, availability, raw, coverage }) => [
      nameCell(markup`${operationTitle(operation)}<small>${probes.join(', ')}</small>`),
      numberCell(thousands(availability?.total ?? 0)),
      shareCell(availability),
      shareCell(raw),
      numberCell(coverage ? formatPercent(coverage.share) : '–'),
    ]),
  });
}

function latencyTrend({ trend: days, judgements }: WatchView, id: string, name: string): Markup | undefined {
  const points = days.map(({ begin, latency }) => ({ begin, value: latency }));
  const under = objectiveLimit(judgements, 'latency');
  return trend({
    ...{ points, write: timeText, id: `${id}-p95`, under: under && 1000 * under },
    name: `p95 over new connections by day, all operations, ${name}`,
  });
}

/** Returns the milliseconds of the tightest objective of an indicator. */
function objectiveLimit(judgements: WatchView['judgements'], indicator: string): number | undefined {
  const limits = judgements.flatMap(({ objective }) =>
    objective.indicator === indicator ? (objective.under ?? []) : [],
  );
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

function freshnessPart(
  { freshness, trend: days, judgements }: WatchView,
  id: string,
  name: string,
): Markup | undefined {
  if (!freshness) return undefined;
  const under = objectiveLimit(judgements, 'freshness');
  const points = days.map(({ begin, age }) => ({ begin, value: age }));
  return markup`<h4>Freshness</h4><p class="lead">Age of the newest candle by the service's own clock.</p>
${wideTable({
  caption: `Age of the newest candle, ${name}`,
  heads: ['n', 'p50', 'p95', 'p99', 'Largest'],
  numbersFrom: 0,
  rows: [
    [...percentileCells(freshness.percentiles, durationText), numberCell(durationText(freshness.largest))],
  ],
})}${trend({ points, write: durationText, name: `p95 of the age by day, ${name}`, id: `${id}-age`, under })}`;
}

function certificateLine({ certificate }: WatchView, now: number): Markup | undefined {
  if (!certificate) return undefined;
  const { end, seen } = certificate;
  const days = thousands(Math.floor((end - now) / day));
  const rest = end <= now ? markup`<b class="warning">it is over</b>` : `${days} d left`;
  return markup`<p><b>Certificate</b>: ends ${dateText(end)}, ${rest}; last seen ${instantText(seen)} UTC.</p>`;
}

function monthsPart(months: readonly MonthFigures[], name: string): Markup | undefined {
  if (months.length < 2) return undefined;
  return markup`<details><summary>All ${plural(months.length, 'month')}</summary>${wideTable({
    caption: `Months, ${name}`,
    heads: ['Month (UTC)', 'Availability', 'Without a breach', 'Coverage', 'Failed', 'Degraded'],
    numbersFrom: 1,
    rows: months.map(({ month, availability, correctness, coverage, failed, degraded }) => [
      nameCell(month),
      shareCell(availability),
      shareCell(correctness),
      numberCell(coverage ? formatPercent(coverage.share) : unknown),
      numberCell(thousands(failed)),
      numberCell(thousands(degraded)),
    ]),
  })}</details>`;
}
