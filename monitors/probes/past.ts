import type { Examined } from '@candleproof/law/judge/judge';
import type { Finding } from '@candleproof/law/judge/verdict';
import type { Answer } from '@candleproof/law/reading/reading';
import { staysRule } from '@candleproof/law/rules/history/overlap';
import type { LightProbe } from '../plan/definition.ts';
import { probeId } from '../plan/slot-plan.ts';
import type { Conclusion } from './outcome.ts';
import type { IsBroken } from './pinned-candles.ts';
import { compareWithPins, type PastComparison } from './restatements.ts';
import { currentDate, type Watch } from './watch.ts';
import type { WatchedTarget } from './watched-target.ts';

/**
 * Compares the histories of a slot with the past that was seen before. An answer that breaks a rule counts too,
 * without the broken candles: one lasting breach must not hide other changes of the past.
 */
export function comparePast(
  { evidence, appliedRules, findings }: Examined,
  probe: LightProbe,
  target: WatchedTarget,
  watch: Watch,
): Promise<PastComparison> {
  const { store, clock, definition, law } = watch;
  return compareWithPins(evidence.histories, {
    target: probe.target,
    id: `${definition.location} ${probeId(probe)}`,
    mayReset: target.mayReset,
    isLaw: law.rules.some(({ id }) => id === staysRule) && !isAccepted(target, watch),
    ...(findings.some(isWrong) && { isBroken: findBroken(appliedRules) }),
    store,
    now: clock.now(),
  });
}

function isWrong({ level, known }: Finding): boolean {
  return level === 'must' && known === undefined;
}

/** Finds the broken candles; a breach without a candle may affect any of them, so that answer is not compared. */
function findBroken(appliedRules: Examined['appliedRules']): IsBroken {
  const spoilt = new Set<Answer>();
  const broken = new Map<Answer, Set<number>>();
  const musts = appliedRules.filter(({ rule }) => rule.level === 'must');
  for (const { answer, pointer, candles = [] } of musts.flatMap(({ breaches }) => breaches)) {
    if (candles.length === 0 && !/^(header:|status)/.test(pointer)) spoilt.add(answer);
    const rows = broken.get(answer) ?? new Set();
    broken.set(answer, rows);
    for (const { start } of candles) rows.add(start);
  }
  return (answer, start) => spoilt.has(answer) || broken.get(answer)?.has(start) === true;
}

/** Returns whether the target's baseline accepts that closed candles change. */
function isAccepted({ baseline }: WatchedTarget, watch: Watch): boolean {
  const today = currentDate(watch);
  return (baseline?.known ?? []).some(
    ({ fingerprint, until }) => fingerprint.startsWith(`${staysRule} `) && until >= today,
  );
}

/** Marks a slot as wrong if its past is doubted; a failure that was found earlier has priority. */
export function withPast(said: Conclusion, { doubt }: PastComparison): Conclusion {
  if (doubt === undefined) return said;
  const rules = [...new Set([...said.rules, staysRule])].toSorted();
  const failure = said.failure ?? { phase: 'contract' as const, class: staysRule };
  return { outcome: 'failed', failure, rules };
}
