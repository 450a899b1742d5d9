import { choose } from '../../contract/law/catalogue.ts';
import { UsageError } from '../../files/usage-error.ts';
import type { RecordedFinding } from '../judging/recorded-finding.ts';
import { type Replayed, replay } from '../run/replay.ts';
import { type Booking, mostBodiesOfRun, type SendingOptions, withClient } from './client.ts';
import type { Target } from './target.ts';

/** The choices of one replay; `budget` is the most requests to send. */
export type ReplayChoices = Pick<SendingOptions, 'timeout' | 'maxBody'> &
  Booking & {
    readonly budget: number;
    readonly stop: AbortSignal;
    /** Called with the number of requests before the first is sent. */
    readonly onPlan?: (requests: number) => void;
  };

/**
 * Requests the evidence of a recorded finding again and tells whether it is fixed.
 * @throws UsageError for a rule that no longer exists
 */
export function replayFinding(
  target: Target,
  { finding, recording }: RecordedFinding,
  { budget, stop, onPlan, ...sending }: ReplayChoices,
): Promise<Replayed> {
  const { chosen, unknown } = choose([finding.rule]);
  if (unknown.length > 0) throw new UsageError(`replay: there is no rule "${finding.rule}" any more`);
  return withClient(target, { ...sending, budget, mostBodies: mostBodiesOfRun }, (client) =>
    replay({
      spec: target.spec,
      target: target.facts,
      fingerprint: finding.fingerprint,
      law: { rules: chosen.rules, questions: [] },
      hasKey: target.apiKey !== undefined,
      ...{ recording, client, budget, stop },
      ...(onPlan && { onPlan }),
    }),
  );
}
