import { listPools, requireOperation, spacePrefix } from '../../contract/document/operation.ts';
import type { PoolId } from '../../contract/document/spec.ts';
import type { Catalogue } from '../../contract/law/catalogue.ts';
import { UsageError } from '../../files/usage-error.ts';
import {
  type Booking,
  mostBodiesOfRun,
  retryPause,
  type SendingOptions,
  withClient,
} from '../check/client.ts';
import type { Target } from '../check/target.ts';
import { type Audited, runAudit } from './audit.ts';
import type { AuditRange } from './part.ts';

/** Requests for each pool's three intervals, and the extra ones for a target that gives an interval in parts. */
const usualBudget = { perPool: 3, more: 18 };

/** The pools of an audit, and the most requests that it sends. */
export type AuditPlan = { readonly pools: readonly PoolId[]; readonly budget: number };

/**
 * Plans an audit of the given pools, or of all that have a history.
 * @throws UsageError where there is none
 */
export function planAudit(
  { facts, spec }: Target,
  given: { readonly pools?: readonly PoolId[] | undefined; readonly budget?: number | undefined },
): AuditPlan {
  const history = requireOperation(spec, 'history');
  const pools = given.pools ?? listPools(facts, history);
  if (pools.length === 0) {
    throw new UsageError(
      `no ${spacePrefix(spec, history.space)}pool to audit: name some with --pool; only they have a history (§4.2)`,
    );
  }
  return { pools, budget: given.budget ?? usualBudget.perPool * pools.length + usualBudget.more };
}

/** The choices of one audit; `now` in Unix seconds. */
export type AuditChoices = Pick<SendingOptions, 'rate' | 'timeout' | 'maxBody'> &
  Booking & {
    readonly range: AuditRange;
    readonly now: number;
    readonly law: Catalogue;
    readonly stop: AbortSignal;
    readonly onProgress?: (sent: number) => void;
  };

/** Sweeps the past of the planned pools of a target and lists the damaged ranges. */
export function auditTarget(
  target: Target,
  { pools, budget }: AuditPlan,
  { law, range, now, stop, onProgress, ...sending }: AuditChoices,
): Promise<Audited> {
  const { facts, spec, apiKey } = target;
  const { space } = requireOperation(spec, 'history');
  const client = { ...sending, budget, mostBodies: mostBodiesOfRun + pools.length };
  return withClient(target, client, (client) =>
    runAudit({
      spec,
      target: { ...facts, pools: { ...facts.pools, [space]: pools } },
      client,
      hasKey: apiKey !== undefined,
      ...{ range, now, budget, stop, catalogue: law },
      pauseMs: retryPause(target),
      ...(onProgress && { onProgress }),
    }),
  );
}
