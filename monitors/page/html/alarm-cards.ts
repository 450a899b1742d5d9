import { showKept } from '@candleproof/reports/run/shown-exchange';
import { clip } from '@candleproof/reports/words/escape';
import { durationText, instantText, plural } from '@candleproof/reports/words/format';
import { joinLines, joinParts, type Markup, markup } from '@candleproof/reports/words/markup';
import { formatFailure } from '../../results/probe-record.ts';
import { isRed } from '../newest-runs.ts';
import type { Outage } from '../outages.ts';
import { type PresentTrouble, presentText, verbText } from '../present.ts';
import type { MonitorSummary, WatchSummary } from '../view.ts';
import { watchName } from '../watches.ts';
import { ruleLink } from './findings.ts';
import { hourChart } from './hour-chart.ts';
import { hasEvidence, listFound } from './incident-evidence.ts';
import { pageAddress, partAddress } from './page-state.ts';
import { deepRunPage } from './pieces.ts';

/** More would push the figures off the first screen. */
const mostCards = 6;
const longestName = 60;
const mostCauses = 3;
const longestLine = 400;

/** Renders a card for each current trouble, and a note for each target that is not seen or has planned work. */
export function alarmCards(view: MonitorSummary): Markup {
  const bad = view.watches.flatMap((watch) =>
    watch.present.condition === 'bad' ? watch.present.troubles.map((trouble) => ({ trouble, watch })) : [],
  );
  const notes = view.watches.filter(({ present: { condition } }) => !['bad', 'good'].includes(condition));
  const more = bad.length + notes.length - mostCards;
  const cards = bad.slice(0, mostCards).map(({ trouble, watch }, at) => alarmCard(trouble, watch, view, at));
  const shown = notes.slice(0, Math.max(0, mostCards - bad.length)).map((note) => presentNote(note, view));
  return markup`${cards.length > 0 && markup`<div class="alarms">${cards}</div>`}${shown}${more > 0 && markup`<p class="more">and ${more} more, in the table below</p>`}`;
}

function presentNote({ watch, present }: WatchSummary, { now }: MonitorSummary): Markup {
  const last = present.troubles.map(({ kind, since, outage }) =>
    outage ? `; ${kind} was bad since ${instantText(since)} UTC` : '',
  );
  return markup`<p class="warning"><b>${watchName(watch)}</b>: ${presentText(present, now)}${last}</p>`;
}

function alarmCard(trouble: PresentTrouble, summary: WatchSummary, view: MonitorSummary, at: number): Markup {
  const { target, location } = summary.watch;
  const { now, state } = view;
  const details =
    state && state.target === undefined
      ? [markup`<a href="${pageAddress(state, target)}">${clip(target, longestName)} in detail</a>`]
      : [];
  const { outage } = trouble;
  const content = outage ? outageText(outage, view) : deepRunText(summary, view);
  const links = [...(outage ? [firstBad(outage, view)] : []), ...details];
  const chart =
    outage && hourChart(summary.watchFacts.hours, outage.incident.indicator, now, `alarm-${at + 1}`);
  return markup`<article class="alarm"><div><h2>${clip(target, longestName)} ${verbText(trouble)} <small>from ${location}, for ${durationText(Math.max(0, now - trouble.since))}</small></h2>
${content}<p class="acts first">${links}</p>${outage && operatorReport(outage, verbText(trouble))}</div>${chart}</article>`;
}

function deepRunText({ deepRun }: WatchSummary, { plan, state }: MonitorSummary): Markup {
  const { rules = [], reason } = isRed(deepRun) ? deepRun : {};
  const causes = rules.map((rule) => ruleLink(rule, plan));
  return markup`<p>Nonconformant${causesText(causes)}${reason !== undefined && markup`; its page: ${deepRunPage(state, reason)}`}</p>`;
}

function outageText(outage: Outage, { plan }: MonitorSummary): Markup {
  const { begin, lastBad, failures, slots } = outage.incident;
  const causes = failures.map((failure) =>
    failure.phase === 'contract' ? ruleLink(failure.class, plan) : markup`${formatFailure(failure)}`,
  );
  const pattern = listFound(outage.incident)[0]?.pattern ?? '';
  const last = slots > 1 && `. The last bad slot was at ${instantText(lastBad)} UTC`;
  return markup`<p>Since <time datetime="${new Date(begin).toISOString()}">${instantText(begin)} UTC</time> (${plural(slots, 'bad slot')})${causesText(causes)}${pattern !== '' && `. The wrong ones: ${pattern}`}${last}.</p>`;
}

function firstBad(outage: Outage, { outages, state }: MonitorSummary): Markup {
  const index = outages.indexOf(outage);
  return hasEvidence(outage, index)
    ? markup`<a href="${partAddress(state, `evidence-${index + 1}`, 'incidents')}">first bad exchange</a>`
    : markup`<a href="${partAddress(state, 'incidents')}">incident</a>`;
}

/** Renders what an operator needs to find the fault, as a text that one click selects. */
function operatorReport({ incident }: Outage, verb: string): Markup {
  const { target, location, begin, slots, failures, evidence } = incident;
  const { request, status, startedAt } = showKept(evidence);
  const found = listFound(incident).map(
    ({ rule, pointer, expected, actual }) => `${rule} at ${pointer}: expected ${expected}; actual ${actual}`,
  );
  const lines = [
    `${target} ${verb} since ${instantText(begin)} UTC, seen from ${location} in ${plural(slots, 'slot')}.`,
    ...(found.length > 0 ? found : failures.slice(0, mostCauses).map(formatFailure)),
    ...(request === ''
      ? []
      : [`First bad exchange: ${[request, status, startedAt].filter(Boolean).join(', ')}`]),
  ];
  return markup`<details class="operator"><summary>Report for the operator</summary><pre>${joinLines(lines.map((line) => clip(line, longestLine)))}</pre></details>`;
}

function causesText(causes: readonly Markup[]): Markup | undefined {
  const all = [...new Map(causes.map((cause) => [cause.source, cause])).values()];
  return all.length === 0 ? undefined : markup`: ${joinParts(all, mostCauses)}`;
}

export const alarmStyles = `
.alarms { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: var(--s3); margin-top: var(--s3); }
.alarm { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: var(--s2) var(--s4); align-items: start; padding: var(--s3) var(--s4); border: 1px solid var(--line); border-top: 3px solid var(--fail); border-radius: 4px; background: var(--sheet); } .alarm h2 { margin: 0; font-size: var(--lg); } .alarm h2 small { display: inline; color: var(--fail); } .alarm p { margin: var(--s1) 0; } .alarm p.acts { margin-top: var(--s2); } .operator summary { font-size: var(--sm); } .alarm svg { display: block; width: 100%; min-width: 17.25rem; max-width: 24rem; } .hours-of-day text { font: 12px var(--sans); fill: var(--soft); } .hours-of-day .head { font-weight: 600; fill: var(--ink); } .hours-of-day .when { font-weight: 600; fill: var(--fail); } .hours-of-day .unseen-hour { fill: var(--line); } @media (max-width: 34rem) { .alarm { grid-template-columns: minmax(0, 1fr); } .alarm { padding: var(--s2) var(--s3); } .alarm p { margin: 0; } .alarm h2 { font-size: var(--md); } }
`;
