import { type SlotState, slotStates } from '../../results/probe-record.ts';
import { sum, type Totals } from './totals.ts';

/** How much of what was planned was looked at: without it no uptime figure says anything. */
export type Coverage = {
  readonly planned: number;
  readonly run: number;
  /** Slots that did not run, by what kept them from it. */
  readonly lost: readonly { readonly why: LostState; readonly slots: number }[];
  /** Of the time that was watched, and of all that figures are requested from. */
  readonly whileWatched: number;
  readonly share: number;
};

export type LostState = Exclude<SlotState, 'run'>;

export const lostWords: Readonly<Record<LostState, string>> = {
  overlap: 'the run before was still going',
  missed: 'nobody was watching',
  'quota-skipped': 'the quota was kept',
  shutdown: 'the monitor was stopping',
};

/** `watched`: share of the time requested. Undefined where nothing was planned, as with the traffic of others. */
export function coverageOf({ states }: Pick<Totals, 'states'>, watched = 1): Coverage | undefined {
  const planned = sum(states);
  if (planned === 0) return undefined;
  const run = states.run ?? 0;
  const lost = slotStates
    .flatMap((why) => (why === 'run' ? [] : { why, slots: states[why] ?? 0 }))
    .filter(({ slots }) => slots > 0);
  return { planned, run, lost, whileWatched: run / planned, share: (run / planned) * watched };
}
