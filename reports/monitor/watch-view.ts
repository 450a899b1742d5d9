import { type JudgedDays, judgedDays, type Own } from './judged-days.ts';
import type { Outage } from './outages.ts';
import type { ReportedPlan } from './plan.ts';
import { type ShownDays, shownDays } from './shown-days.ts';
import type { WatchId } from './watches.ts';

/** All that is reported of one watch. */
export type WatchView = JudgedDays &
  ShownDays & {
    readonly watch: WatchId;
    /** Planned instant of the newest slot, Unix ms. */
    readonly lastLook?: number;
    /** What is bad now, by indicator, and since when. */
    readonly badNow: readonly { readonly indicator: string; readonly since: number }[];
  };

export function watchView(
  watch: WatchId,
  own: Own,
  outages: readonly Outage[],
  plan: ReportedPlan,
  now: number,
): WatchView {
  const looks = own.extents.map(({ to }) => to);
  return {
    watch,
    ...(looks.length > 0 && { lastLook: looks.reduce((a, b) => Math.max(a, b)) }),
    badNow: outages
      .filter(({ isOpen }) => isOpen)
      .map(({ incident: { indicator, begin } }) => ({ indicator, since: begin })),
    ...judgedDays(watch, own, outages, plan, now),
    ...shownDays(own, now),
  };
}
