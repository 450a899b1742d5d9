import { MonthSpent } from '@candleproof/client/ledger/ledger-store';
import type { Client } from '@candleproof/client/send/client';
import type { ProbeAllowance } from '../plan/allowance.ts';
import type { PlannedProbe } from '../plan/plan.ts';
import type { ConfirmedFinding } from '../probes/confirmed-finding.ts';
import { runDeepProbe } from '../probes/deep-probe.ts';
import { runLightProbe } from '../probes/light-probe.ts';
import { emptyRun, type ProbeRun } from '../probes/probe-run.ts';
import type { Watch } from '../probes/watch.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';

type Sender = Pick<Client, 'send'>;

/** A planned instant of a probe (Unix ms) and what its run takes. */
export type SlotRun = {
  readonly planned: PlannedProbe;
  readonly target: WatchedTarget;
  readonly slot: number;
  /** Sends within the grant of the slot, and without one: a confirmation has a grant of its own. */
  readonly client: Sender;
  readonly ungranted: Sender;
  readonly allowance: ProbeAllowance;
  readonly confirmed: ConfirmedFinding;
};

/**
 * Runs a probe at its slot, judged against doubts about our own side. Never rejects: a month that is spent meanwhile is
 * limited, and what breaks the probe itself is unknown, never the target's failure. `isGivenUp` is true once the monitor
 * was stopped, which breaks probes too.
 */
export async function runSlot(run: SlotRun, watch: Watch, isGivenUp: () => boolean): Promise<ProbeRun> {
  const { planned, target, slot, client, ungranted, allowance, confirmed } = run;
  const { probe } = planned;
  try {
    const confirming = () => allowance.confirmingSender(planned, ungranted, watch.clock.now());
    return await watch.selfCheck.watch((doubts) => {
      const shared = { target, slot, client, doubts };
      return probe.kind === 'deep'
        ? runDeepProbe({ probe, ...shared }, watch)
        : runLightProbe({ probe, ...shared, confirming, confirmed }, watch);
    });
  } catch (error) {
    if (error instanceof MonthSpent) return { ...emptyRun, outcome: 'limited', reason: error.message };
    const failed = `the probe itself failed: ${error instanceof Error ? error.message : error}`;
    const reason = isGivenUp() ? 'given up when the monitor was stopped' : failed;
    return { ...emptyRun, outcome: 'unknown', reason };
  }
}
