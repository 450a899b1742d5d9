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
