import { formatPercent } from '@candleproof/law/reading/words';
import { clip, makeVisible } from '@candleproof/reports/words/escape';
import { instantText, plural, roughText } from '@candleproof/reports/words/format';
import { markup } from '@candleproof/reports/words/markup';
import type { Indicator } from '../results/probe-record.ts';
import { daysJudged } from './days.ts';
import { isRed } from './newest-runs.ts';
import type { MonitorFacts } from './page-facts.ts';
import { planOf, type ReportedPlan } from './plan-facts.ts';
import { untilText } from './present.ts';
import { monitorSummary, type WatchSummary } from './view.ts';

/** The content of a badge, with the members that a shields.io endpoint must return. */
export type Badge = {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: 'brightgreen' | 'red' | 'orange' | 'lightgrey';
};

/** Below this share of planned slots, a figure is shown with its coverage. */
const fullCoverage = 0.99;

/**
 * Returns the badge of availability over 30 days, or the watched part of them, as measured by our probes at the plan's
 * location. Green or red only if the sample proves it, red while the target is down, gray without data. Shows the
 * coverage if slots did not run.
 */
export function availabilityBadge(facts: MonitorFacts, plan: ReportedPlan, target: string): Badge {
  return labelBadge(target, 'availability', availabilityState(findWatch(facts, plan, target), facts.now));
}

/**
 * Returns the badge of correctness over 30 days. Green only if the sample proves the objective, gray if nothing was
 * judged, red while the newest deep run is nonconformant.
 */
export function conformanceBadge(facts: MonitorFacts, plan: ReportedPlan, target: string): Badge {
  return labelBadge(target, 'conformance', conformanceState(findWatch(facts, plan, target), facts.now));
}

type BadgeState = Pick<Badge, 'message' | 'color'>;

function labelBadge(target: string, what: string, standing: BadgeState): Badge {
  return { schemaVersion: 1, label: `${clip(makeVisible(target), 40)} ${what}`, ...standing };
}

function findWatch(facts: MonitorFacts, plan: ReportedPlan, target: string): WatchSummary | undefined {
  return monitorSummary(facts, planOf(plan, target)).watches.find(
    ({ watch }) => watch.target === target && watch.location === plan.location,
  );
}

function conformanceState(view: WatchSummary | undefined, now: number): BadgeState {
  if (!view?.correctness) return { message: 'no data', color: 'lightgrey' };
  if (isRed(view.deepRun)) {
    const age = roughText(Math.max(0, now - view.deepRun.scheduledAt));
    return { message: `nonconformant by the deep run ${age} ago`, color: 'red' };
  }
  const broken = Object.keys(view.totals.rules).length;
  if (broken > 0)
    return { message: `${plural(broken, 'must')} broken in ${formatPeriod(view)}`, color: 'red' };
  const { musts } = view;
  const judged = musts ? `${musts.musts} of ${musts.of} musts` : 'the musts judged';
  const isProven = objectiveColor(view, 'correctness') === 'brightgreen';
  const message = `no breach of ${judged} in ${formatPeriod(view)}`;
  return withPresent(view, now, { message, color: isProven ? 'brightgreen' : 'orange' });
}

/** Returns a badge's state: gray with the reason during planned work, or if the last probe was two periods ago. */
function withPresent({ present }: WatchSummary, now: number, state: BadgeState): BadgeState {
  const { plannedUntil, unseenSince } = present;
  if (plannedUntil === undefined && unseenSince === undefined) return state;
  const why =
    plannedUntil === undefined
      ? `not seen since ${instantText(unseenSince ?? now)}`
      : `planned work until ${untilText(plannedUntil, now)}`;
  return { message: `${state.message}, ${why}`, color: 'lightgrey' };
}

function availabilityState(view: WatchSummary | undefined, now: number): BadgeState {
  if (!view?.availability) return { message: 'no data', color: 'lightgrey' };
  const { availability, coverage } = view;
  const share = coverage?.whileWatched ?? 1;
  const seen = share < fullCoverage ? `, ${formatPercent(share)} seen` : '';
  const message = `${formatPercent(availability.share)} in ${formatPeriod(view)}${seen}`;
  const down = view.present.troubles.find(({ kind }) => kind === 'availability');
  const state: BadgeState = down
    ? { message: `down since ${instantText(down.since)}, ${message}`, color: 'red' }
    : { message, color: objectiveColor(view, 'availability') };
  return withPresent(view, now, state);
}

function objectiveColor({ judgements }: WatchSummary, indicator: Indicator): Badge['color'] {
  const standing = judgements.find(({ objective }) => objective.indicator === indicator)?.standing;
  return standing === 'met' ? 'brightgreen' : standing === 'missed' ? 'red' : 'orange';
}

function formatPeriod({ watched }: WatchSummary): string {
  return !watched || watched.share === 1 ? `${daysJudged} d` : roughText(watched.to - watched.from);
}

const colors: Readonly<Record<Badge['color'], string>> = {
  brightgreen: '#1c6b40',
  red: '#b0261c',
  orange: '#875a00',
  lightgrey: '#5f6770',
};

/** Widths of DejaVu Sans at 11 px, rounded; they determine the space for the letters. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[ijlI.,:;'|!]/, 3.6],
  [/[frt ()[\]/-]/, 4.3],
  [/[mwMW@%]/, 9.8],
];
const usualWidth = 6.6;
const padding = 5;

/** Renders the badge as a self-describing SVG; nothing in it runs or is fetched. */
export function badgeSvg({ label, message, color }: Badge): string {
  const [left, right] = [textWidth(label), textWidth(message)];
  const all = left + right;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="20" viewBox="0 0 ${all} 20" role="img" aria-label="${label}: ${message}"><title>${label}: ${message}</title><clipPath id="edge"><rect width="${all}" height="20" rx="3"/></clipPath><g clip-path="url(#edge)"><path fill="#3d444b" d="M0 0h${left}v20H0z"/><path fill="${colors[color]}" d="M${left} 0h${right}v20H${left}z"/></g><g fill="#fff" font-family="Verdana,'DejaVu Sans',sans-serif" font-size="11" text-anchor="middle">${lettering(label, left / 2, left)}${lettering(message, left + right / 2, right)}</g></svg>
`.source;
}

function textWidth(text: string): number {
  const letters = [...text].map((letter) => widths.find(([some]) => some.test(letter))?.[1] ?? usualWidth);
  return Math.ceil(letters.reduce((sum, width) => sum + width, 0)) + 2 * padding;
}

function lettering(text: string, middle: number, width: number) {
  return markup`<text x="${middle}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
}
