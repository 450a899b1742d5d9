import { type MonthAccount, requestShare, type Shares } from '@candleproof/law/planning/allowance';
import { day } from '../results/calendar.ts';
import { type Probe, probeCost } from './definition.ts';
import { probeId } from './slot-plan.ts';

/** A slot that runs once a day while the key's probes are stopped at its reserve. */
export type DailyRecheck = {
  /** The probe whose slot it is. */
  readonly probe: string;
  /** Requests that it takes from the reserve. */
  readonly cost: number;
  /** Most requests that it takes in a month. */
  readonly requests: number;
  /** False if less than its cost is left: nothing is learned of the key before its reset then. */
  readonly isPaid: boolean;
};

type Candidate = { readonly probe: Probe; readonly period: number };

/**
 * Returns the cheapest light probe with a slot each day, or else the cheapest light probe. A deep probe sends too many
 * requests for a reserve.
 */
export function recheckProbe(planned: readonly Candidate[]): Probe | undefined {
  const light = planned.filter(({ probe }) => probe.kind === 'light');
  const daily = light.filter(({ period }) => period <= day);
  const [first] = (daily.length > 0 ? daily : light).toSorted(
    (a, b) => probeCost(a.probe) - probeCost(b.probe),
  );
  return first?.probe;
}

/** Returns the recheck of a key in a month of `days` days; `limit` and `account` are of the key. */
export function planRecheck(
  planned: readonly Candidate[],
  limit: number,
  shares: Shares,
  account: MonthAccount | undefined,
  days: number,
): DailyRecheck | undefined {
  const probe = recheckProbe(planned);
  if (!probe || !Number.isFinite(limit)) return undefined;
  const cost = probeCost(probe);
  const reserve = requestShare(limit, shares, 'reserve');
  const affordable = Math.floor(reserve / cost);
  return {
    probe: probeId(probe),
    cost,
    requests: Math.min(days, affordable) * cost,
    isPaid: affordable > 0 && (account?.remaining ?? limit) >= cost,
  };
}
