import type { Verdict } from '@candleproof/law/judge/verdict';
import { thousands } from '@candleproof/law/reading/words';
import { banner, mark, verdictOutcomes } from '@candleproof/reports/run/marks';
import { clip } from '@candleproof/reports/words/escape';
import { dateText, durationText, formatInstant, instantText } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { day } from '../../results/calendar.ts';
import { readNumber, readText } from '../events.ts';
import { type Present, presentTitle } from '../present.ts';
import type { KeyView } from '../quota.ts';
import type { MonitorSummary, WatchSummary } from '../view.ts';
import { watchName } from '../watches.ts';
import { beyondText } from '../wording.ts';
import { alarmCards } from './alarm-cards.ts';
import { type PageState, pageAddress, stateAddress } from './page-state.ts';

const longestName = 60;

/** The verdict that a condition has the colors of, and its words. */
const conditions: Readonly<Record<Present['condition'], readonly [verdict: Verdict, words: string]>> = {
  bad: ['nonconformant', 'Failing now'],
  unseen: ['inconclusive', 'State unknown'],
  planned: ['inconclusive', 'Planned work'],
  good: ['conformant', 'All well'],
};

/** Returns the mark of the present condition. */
export function presentMark({ condition }: Present): Markup {
  return mark(verdictOutcomes[conditions[condition][0]]);
}

/** Returns the word of a condition. */
export function conditionName(condition: Present['condition']): string {
  return conditions[condition][1];
}

/** Renders the present condition in a sentence, current troubles and warnings; `watches` are sorted, the worst first. */
export function headerPart(view: MonitorSummary): Markup {
  const { now, watches, state } = view;
  const [worst] = watches;
  const [verdict, words] = conditions[worst?.present.condition ?? 'unseen'];
  const as = new Date(now).toISOString();
  const content = markup`<p class="sentence">${restText(watches)}${newestText(view)} ${judgedText(watches)}</p>
<p class="target"><span>as of <time datetime="${as}">${instantText(now)} UTC</time></span>${state?.refresh !== undefined && markup`<span>updated <time>${formatInstant(as)}</time>, every ${state.refresh} s (<a href="still${stateAddress(state)}">pause</a>), <a href="feed.xml">feed</a></span>`}${state?.target !== undefined && markup`<span><a href="${pageAddress(state)}">all targets</a></span>`}</p>`;
  return markup`<header class="page-head">${banner(verdict, words, presentTitle(watches, now), content)}${alarmCards(view)}${warnings(view)}</header>`;
}

/** `Candleproof monitors`, on the page of a target with its name. */
export function brandText(state: PageState | undefined): string {
  return `Candleproof monitors${state?.target === undefined ? '' : `: ${clip(state.target, longestName)}`}`;
}

/** `The other 29 are fine. `, beside targets that are failing; empty if some are in doubt. */
function restText(watches: readonly WatchSummary[]): string {
  const byTarget = Map.groupBy(watches, ({ watch }) => watch.target);
  const conditions = [...byTarget.values()].map((all) => all.map(({ present }) => present.condition));
  const fine = conditions.filter((all) => all.every((condition) => condition === 'good')).length;
  const bad = conditions.filter((all) => all.includes('bad')).length;
  if (bad === 0 || fine === 0 || fine + bad < conditions.length) return '';
  return fine === 1 ? 'The other one is fine. ' : `The other ${fine} are fine. `;
}

function newestText({ watches, now }: MonitorSummary): string {
  const newest = Math.max(...watches.map(({ present }) => present.lastLook ?? 0));
  return newest > 0
    ? `Newest probe ${durationText(Math.max(0, now - newest))} ago.`
    : 'The store holds no probes yet.';
}

/** `Light probes judge 13 to 39 of the 66 musts.`: breaches of other musts go unnoticed. */
function judgedText(watches: readonly WatchSummary[]): string {
  const all = watches.flatMap(({ musts }) => musts ?? []);
  const judged = all.map(({ musts }) => musts);
  const [least, most] = [Math.min(...judged), Math.max(...judged)];
  if (all.length === 0) return '';
  return `Light probes judge ${least === most ? most : `${least} to ${most}`} of the ${Math.max(...all.map(({ of }) => of))} musts.`;
}

/** More would hide the verdict. */
const maxListed = 8;

/** Renewing a certificate may take its operator a week. */
const soon = 14 * day;

/** Renders warnings that must be visible without scrolling: trouble of the monitor itself, and coming trouble. */
function warnings(view: MonitorSummary): Markup[] {
  const { now, watches, keys } = view;
  const reported = [
    ...ownTroubles(view),
    ...watches.flatMap((watch) => certificateWarning(watch, now)),
    ...keys.flatMap(keyWarning),
  ];
  return reported.slice(0, maxListed).map((text) => markup`<p class="warning">${text}</p>`);
}

/** Troubles of a monitor itself, which concern all that it reports: its clock dates it, its folder keeps it. */
const ownNotices = new Set(['clock', 'folder', 'slow-disk']);

/** Lists what is known to be wrong with the monitors themselves. */
function ownTroubles({ others }: MonitorSummary): string[] {
  const notices = others.filter(
    (event) => event.target === undefined && ownNotices.has(readText(event, 'notice') ?? ''),
  );
  const newest = new Map(
    notices
      .toReversed()
      .map((event) => [`${readText(event, 'location')} ${readText(event, 'notice')}`, event]),
  );
  const firing = [...newest.values()].filter(({ kind }) => /^alert-(fired|changed|reminder)$/.test(kind));
  return firing.flatMap((event) => readText(event, 'words') ?? []);
}

function certificateWarning({ watch, certificate }: WatchSummary, now: number): string[] {
  if (!certificate || certificate.end - now > soon) return [];
  const is = certificate.end <= now ? 'ended' : 'ends';
  return [`The certificate that ${watchName(watch)} was served ${is} on ${dateText(certificate.end)}.`];
}

function keyWarning({ key, forecast, events, month, newest, isOver }: KeyView): string[] {
  const isSpent = newest !== undefined && !isOver && newest.remaining === 0 && newest.additional > 0;
  const end = isSpent ? undefined : (forecast?.reserveAt ?? forecast?.exhaustedAt);
  const foreign = events
    .filter(({ kind, at }) => kind === 'foreign-use' && month && at >= month.begin)
    .reduce((sum, event) => sum + (readNumber(event, 'n') ?? 0), 0);
  const sentences = [
    ...(isSpent ? [`Key “${key}” is ${beyondText(newest.additional)}.`] : []),
    ...(end === undefined ? [] : [`At this pace, key “${key}” reaches its reserve on ${dateText(end)}.`]),
    ...(foreign > 0 ? [`${thousands(foreign)} requests of key “${key}” this month were not ours.`] : []),
  ];
  return sentences.length > 0 ? [sentences.join(' ')] : [];
}
