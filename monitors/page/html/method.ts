import { minWatchedShare } from '@candleproof/law/planning/confidence';
import { formatPercent } from '@candleproof/law/reading/words';
import { mark } from '@candleproof/reports/run/marks';
import { nameCell, termList, wideTable } from '@candleproof/reports/run/table';
import { instantText, plural } from '@candleproof/reports/words/format';
import { type Markup, markup, type Part } from '@candleproof/reports/words/markup';
import { daysJudged, daysShown } from '../days.ts';
import type { MonitorSummary } from '../view.ts';
import { indicatorMeanings, objectiveText, outcomeMeanings } from '../wording.ts';
import { foldedPart } from './pieces.ts';

/** Renders how the figures were measured, for critical readers: cadence, location, counting, confidence. */
export function methodPart(view: MonitorSummary, numbersPlace: string): Markup {
  const { plan } = view;
  return foldedPart(
    view.state,
    'method',
    'Method',
    'how this was measured',
    markup`${termList('facts', listMethod(view))}
${plan.probes.length > 0 && probesTable(view)}
<h3>What an objective counts</h3>${termList('meanings', Object.entries(indicatorMeanings))}
<h3>Outcomes of a slot</h3>${termList('meanings', Object.entries(outcomeMeanings))}
<h3>How sure the figures are</h3>
<ul>
<li>A failure is probed a second time over a new connection: “confirmed” counts what failed twice, “first attempt alone” what failed once. A wrong answer counts, even if the retry is right.</li>
<li>${mark('passed')} met: the sample proves the objective, one-sided at 95 %. ${mark('failed')} missed: all of Wilson's 95 % interval lies below it. ${mark('inconclusive')} not decided: everything between, and all that was looked at for less than ${formatPercent(minWatchedShare)} of ${daysJudged} d.</li>
<li>A percentile's interval are the samples at the ranks between which the true one lies, at 95 %, whatever the distribution. A percentile in brackets has no sample expected beyond it: p99 below 100.</li>
<li>Failed probes of one outage are not independent: intervals of shares are those of as many independent probes as the sample is worth, (1 − ρ) / (1 + ρ) of its slots, with ρ = 1 − r/bad − r/good for r incidents. Percentiles are taken of independent requests.</li>
<li>Timings are kept in buckets and read back to within 0.8 %.</li>
<li>Locations are never added up. Operations of one location are, for the verdict, slot by slot.</li>
<li>Coverage is of all ${daysJudged} d: the part of them that was watched times the part of its planned slots that ran.</li>
<li>Days are of UTC. Figures and verdicts are of the last ${daysJudged} days, charts, incidents and findings of the last ${daysShown}, both with the running day.</li>
</ul>
<p>The figures are in ${numbersPlace} as JSON, in the element <code>#monitor</code>: what <code>candleproof report --json</code> prints.</p>`,
  );
}

function listMethod({ plan, extent, now }: MonitorSummary): [string, Part][] {
  const { location, objectives, maintenance, versions } = plan;
  const windows = maintenance.map(({ target, window }) => markup`<li>${target}: ${window}</li>`);
  return [
    ['Location', location],
    ['Data from', extent ? `${instantText(extent.from)} to ${instantText(extent.to)} UTC` : 'an empty store'],
    ['Reported up to', `${instantText(now)} UTC`],
    ['Objectives', objectives.map(objectiveText).join('; ') || 'none'],
    ['Maintenance', windows.length > 0 ? markup`<ul>${windows}</ul>` : 'no windows'],
    ['Candleproof', `${versions.candleproof}, rules ${versions.catalogue}`],
  ];
}

function probesTable({ plan }: MonitorSummary): Markup {
  const named = plan.probes.toSorted((a, b) =>
    JSON.stringify([a.target, a.probe]) < JSON.stringify([b.target, b.probe]) ? -1 : 1,
  );
  return wideTable({
    caption: `Probes at ${plan.location}`,
    heads: ['Target', 'Probe', 'Due', 'A slot takes'],
    rows: named.map(({ target, probe, cadence, requests }) => [
      nameCell(target),
      probe,
      cadence,
      plural(requests, 'request'),
    ]),
  });
}
