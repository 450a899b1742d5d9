import { formatPercent } from '../../planning/format-percent.ts';
import { countText, durationText } from './format.ts';
import { type JudgedDays, judgedDays, type WatchFacts } from './judged-days.ts';
import { isRed, type MustsJudged, type NewestLook, verdictOfRun } from './looks.ts';
import type { Outage } from './outages.ts';
import type { ReportedPlan } from './plan.ts';
import { type Present, presentCondition } from './present.ts';
import { type ShownDays, shownDays } from './shown-days.ts';
import type { WatchId } from './watches.ts';

/** All that is reported of one watch. */
export type WatchView = JudgedDays &
  ShownDays & {
    readonly watch: WatchId;
    readonly present: Present;
    /** Musts that the light probes judge, and musts in all. */
    readonly musts?: MustsJudged;
    /** The newest deep run that said something of the service. */
    readonly deepRun?: NewestLook;
  };

/** Returns the view of one watch from its facts. */
export function watchView(
  watch: WatchId,
  watchFacts: WatchFacts,
  outages: readonly Outage[],
  plan: ReportedPlan,
  now: number,
): WatchView {
  const { looks, musts } = watchFacts;
  const deepRun = looks
    .filter(({ series }) => series.operation === 'all')
    .toSorted((a, b) => b.scheduledAt - a.scheduledAt)[0];
  const judged = judgedDays(watch, watchFacts, outages, plan, now);
  const { ok = 0, degraded = 0 } = judged.totals.outcomes;
  const open = outages.filter(({ isOpen }) => isOpen);
  const seen = { looks, outages: open, deepRun, isProven: ok + degraded > 0 };
  return {
    watch,
    present: presentCondition(watch, seen, plan, now),
    ...(musts && { musts }),
    ...(deepRun && { deepRun }),
    ...judged,
    ...shownDays(watchFacts, now),
  };
}

type Judging = Pick<WatchView, 'watch' | 'musts' | 'totals' | 'deepRun' | 'correctness'>;
/** `the 21 of 62 musts that these probes judge`: what no probe judges can be broken unseen. */
export function mustsJudgedText({ watch, musts }: Pick<Judging, 'watch' | 'musts'>): string {
  if (watch.source === 'passive') return 'the musts that passing answers show';
  if (!musts) return 'the few musts that these probes judge';
  return `the ${musts.musts} of ${musts.of} musts that these probes judge`;
}

/** A sentence on what was found, and never more than what was judged. */
export function correctnessText(view: Judging): string {
  const { correctness, totals } = view;
  if (!correctness) return 'Nothing was judged.';
  const broken = Object.keys(totals.rules).length;
  const judged = mustsJudgedText(view);
  if (broken === 0 && correctness.good === correctness.total) return `No breach of ${judged}.`;
  return `${formatPercent(correctness.share)} of slots without a breach (${countText(correctness)}), by ${judged}.`;
}

/** `The newest deep run, 3 h ago, is nonconformant: candle/average.`; undefined where there was none. */
export function deepRunText({ deepRun }: Pick<Judging, 'deepRun'>, now: number): string | undefined {
  if (!deepRun) return undefined;
  const age = durationText(Math.max(0, now - deepRun.scheduledAt));
  const broken = isRed(deepRun) ? `: ${deepRun.rules.slice(0, 4).join(', ')}` : '';
  return `The newest deep run, ${age} ago, is ${verdictOfRun(deepRun)}${broken}.`;
}
