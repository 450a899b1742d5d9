import type { Examined } from '@candleproof/law/judge/judge';
import type { Finding } from '@candleproof/law/judge/verdict';
import type { Answer } from '@candleproof/law/reading/reading';
import { staysRule } from '@candleproof/law/rules/facts';
import type { LightProbe } from '../plan/definition.ts';
import { probeId } from '../plan/slot-plan.ts';
import { compareLatest, compareTokens, keepClosed } from './answers-before.ts';
import type { Conclusion } from './outcome.ts';
import type { IsBroken } from './pinned-candles.ts';
import { compareWithPins, type PastComparison } from './restatements.ts';
import { currentDate, type Watch } from './watch.ts';
import type { WatchedTarget } from './watched-target.ts';

/**
 * Compares the answers of a slot with what was seen before. A history that breaks a rule counts too, without the broken
 * candles: one lasting breach must not hide other changes of the past.
 */
export async function comparePast(
  { evidence, appliedRules, findings }: Examined,
  probe: LightProbe,
  target: WatchedTarget,
  watch: Watch,
): Promise<PastComparison> {
  const { store, clock, definition, law } = watch;
  const isLaw = (rule: string): boolean =>
    law.rules.some(({ id }) => id === rule) && !isAccepted(rule, target, watch);
  const shared = { target: probe.target, store, now: clock.now() };
  const place = `${definition.location} ${probe.target}`;
  const before = { ...shared, isLaw, place };
  if (probe.role === 'tokens') return compareTokens(evidence, before);
  if (probe.role === 'latest') return compareLatest(evidence, before);
  const isBroken = findings.some(isWrong);
  const compared = await compareWithPins(evidence.histories, {
    ...shared,
    id: `${definition.location} ${probeId(probe)}`,
    place,
    mayReset: target.mayReset,
    isLaw: isLaw(staysRule),
    ...(isBroken && { isBroken: findBroken(appliedRules) }),
  });
  if (isBroken || compared.doubt !== undefined) return compared;
  const closed = keepClosed(evidence.histories, evidence.spec, before);
  return { ...compared, states: { ...compared.states, ...closed } };
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

/** Returns whether the target's baseline accepts that a rule is broken. */
function isAccepted(rule: string, { baseline }: WatchedTarget, watch: Watch): boolean {
  const today = currentDate(watch);
  return (baseline?.known ?? []).some(
    ({ fingerprint, until }) => fingerprint.startsWith(`${rule} `) && until >= today,
  );
}

/** Marks a slot as wrong if its past is doubted; a failure that was found earlier has priority. */
export function withPast(said: Conclusion, { doubt, rule = staysRule }: PastComparison): Conclusion {
  if (doubt === undefined) return said;
  const rules = [...new Set([...said.rules, rule])].toSorted();
  const failure = said.failure ?? { phase: 'contract' as const, class: rule };
  return { outcome: 'failed', failure, rules };
}
