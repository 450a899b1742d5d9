import type { Verdict } from '../../contract/judge/verdict.ts';
import { formatPercent } from '../../planning/format-percent.ts';
import { countText, durationText } from './format.ts';
import { type JudgedDays, judgedDays, type Own } from './judged-days.ts';
import { type MustsJudged, type NewestLook, newestInstant, unseenSince } from './looks.ts';
import type { Outage } from './outages.ts';
import type { ReportedPlan } from './plan.ts';
import { type ShownDays, shownDays } from './shown-days.ts';
import type { WatchId } from './watches.ts';

/** All that is reported of one watch. */
export type WatchView = JudgedDays &
  ShownDays & {
    readonly watch: WatchId;
    /** Planned instant of the newest slot in which somebody looked, Unix ms. */
    readonly lastLook?: number;
    /** The same where nobody has looked for two periods since. */
    readonly unseenSince?: number;
    /** Musts that the light probes judge, and musts in all. */
    readonly musts?: MustsJudged;
    /** The newest deep run that said something of the service. */
    readonly deepRun?: NewestLook;
    /** Current failures by indicator, each with its start. */
    readonly badNow: readonly { readonly indicator: string; readonly since: number }[];
  };

/** Returns the view of one watch from its facts. */
export function watchView(
  watch: WatchId,
  own: Own,
  outages: readonly Outage[],
  plan: ReportedPlan,
  now: number,
): WatchView {
  const { looks, musts } = own;
  const lastLook = newestInstant(looks);
  const unseen = unseenSince(looks, now);
  const deepRun = looks
    .filter(({ series }) => series.operation === 'all')
    .toSorted((a, b) => b.scheduledAt - a.scheduledAt)[0];
  return {
    watch,
    ...(lastLook !== undefined && { lastLook }),
    ...(unseen !== undefined && { unseenSince: unseen }),
    ...(musts && { musts }),
    ...(deepRun && { deepRun }),
    badNow: outages
      .filter(({ isOpen }) => isOpen)
      .map(({ incident: { indicator, begin } }) => ({ indicator, since: begin })),
    ...judgedDays(watch, own, outages, plan, now),
    ...shownDays(own, now),
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

/** Returns the verdict of a deep run, which judges far more than a light probe. */
export function verdictOfRun({ outcome, failure }: NewestLook): Verdict {
  if (outcome !== 'failed') return 'conformant';
  return failure?.phase === 'contract' ? 'nonconformant' : 'inconclusive';
}

/** Tells whether the newest deep run is nonconformant. */
export function isRed(run: NewestLook | undefined): run is NewestLook {
  return run !== undefined && verdictOfRun(run) === 'nonconformant';
}

/** `The newest deep run, 3 h ago, is nonconformant: candle/average.`; undefined where there was none. */
export function deepRunText({ deepRun }: Pick<Judging, 'deepRun'>, now: number): string | undefined {
  if (!deepRun) return undefined;
  const age = durationText(Math.max(0, now - deepRun.scheduledAt));
  const broken = isRed(deepRun) ? `: ${deepRun.rules.slice(0, 4).join(', ')}` : '';
  return `The newest deep run, ${age} ago, is ${verdictOfRun(deepRun)}${broken}.`;
}
