import type { Examined } from '../../contract/judge/judge.ts';
import type { LightProbe } from '../plan/definition.ts';
import { idOf } from '../plan/slot-plan.ts';
import { todayOf, type Watch } from '../slots/watch.ts';
import type { Conclusion } from './outcome.ts';
import { compareWithPins, type PastLook, staysRule } from './restatements.ts';
import type { WatchedTarget } from './watched-target.ts';

/** What the histories of a slot say of the past that was seen before. */
export function pastIn(
  { evidence }: Examined,
  probe: LightProbe,
  target: WatchedTarget,
  watch: Watch,
): Promise<PastLook> {
  const { store, clock, definition, law } = watch;
  return compareWithPins(evidence.histories, {
    target: probe.target,
    id: `${definition.location} ${idOf(probe)}`,
    mayReset: target.mayReset,
    isLaw: law.rules.some(({ id }) => id === staysRule) && !isKnown(target, watch),
    store,
    now: clock.now(),
  });
}

/** The target's baseline accepts that closed candles change. */
function isKnown({ baseline }: WatchedTarget, watch: Watch): boolean {
  const today = todayOf(watch);
  return (baseline?.known ?? []).some(
    ({ fingerprint, until }) => fingerprint.startsWith(`${staysRule} `) && until >= today,
  );
}

/** A past that is doubted makes an answer wrong; whatever else was found first stays the failure. */
export function withPast(said: Conclusion, { doubt }: PastLook): Conclusion {
  if (doubt === undefined) return said;
  const rules = [...new Set([...said.rules, staysRule])].toSorted();
  const failure = said.failure ?? { phase: 'contract' as const, class: staysRule };
  return { outcome: 'failed', failure, rules };
}
