import { type SlotState, slotStates } from '../../results/probe-record.ts';
import type { HourCounts } from './facts.ts';
import type { PlannedProbe } from './plan.ts';
import { hour } from './spans.ts';
import { sum, type Totals } from './totals.ts';

/** How much of what was planned was looked at: without it no uptime figure says anything. */
export type Coverage = {
  readonly planned: number;
  readonly run: number;
  /** Slots that did not run, by what kept them from it. */
  readonly lost: readonly { readonly why: Lost; readonly slots: number }[];
  readonly share: number;
};

/** `unbooked`: due by the plan since a probe was last heard of, and in no record. */
export type Lost = Exclude<SlotState, 'run'> | 'unbooked';

export const lostWords: Readonly<Record<Lost, string>> = {
  overlap: 'the run before was still going',
  missed: 'nobody was watching',
  'quota-skipped': 'the quota was kept',
  shutdown: 'the monitor was stopping',
  unbooked: 'nobody has watched since the newest slot',
};

/** Undefined where nothing was planned, as with the traffic of others. */
export function coverageOf({ states }: Pick<Totals, 'states'>, unbooked = 0): Coverage | undefined {
  const planned = sum(states) + unbooked;
  if (planned === 0) return undefined;
  const run = states.run ?? 0;
  const lost = [
    ...slotStates.flatMap((why) => (why === 'run' ? [] : { why, slots: states[why] ?? 0 })),
    { why: 'unbooked' as const, slots: unbooked },
  ].filter(({ slots }) => slots > 0);
  return { planned, run, lost, share: run / planned };
}

type Heard = Pick<HourCounts, 'series' | 'begin'>;

/** Slots that the plan's probes of one watch had between their newest record and `now`; what is running is none. */
export function unbookedSlots(
  records: readonly Heard[],
  probes: readonly PlannedProbe[],
  from: number,
  now: number,
): number {
  const heard = Map.groupBy(records, ({ series }) => series.probe);
  return probes.reduce((total, { probe, period }) => {
    const own = heard.get(probe);
    if (!own || period === undefined) return total;
    const newest = own.reduce((latest, { begin }) => Math.max(latest, begin), 0) + hour;
    return total + Math.max(0, Math.floor((now - Math.max(newest, from)) / period) - 1);
  }, 0);
}
