import { type JudgedDays, judgedDays, type Own } from './judged-days.ts';
import type { Outage } from './outages.ts';
import type { MonitorPlan } from './plan.ts';
import { type ShownDays, shownDays } from './shown-days.ts';
import type { Watch } from './watches.ts';

/** All that is told of one watch. */
export type WatchView = JudgedDays & ShownDays & { readonly watch: Watch };

export function watchView(
  watch: Watch,
  own: Own,
  outages: readonly Outage[],
  plan: MonitorPlan,
  now: number,
): WatchView {
  return { watch, ...judgedDays(watch, own, outages, plan, now), ...shownDays(own, now) };
}
