import type { AppliedRule } from '@candleproof/law/judge/apply-rule';
import type { Judged } from '@candleproof/law/judge/judge';
import type { Exchange } from '@candleproof/law/reading/exchange';
import type { Answer } from '@candleproof/law/reading/reading';
import { asksTheSame } from '@candleproof/law/relations/series';
import { ruleFacts } from '@candleproof/law/rules/facts';
import { factorNames, type MannerFactor, usualManner } from '../plan/manner.ts';
import type { Fetcher } from './fetch.ts';

/** Wrong answers of a run whose manner is narrowed. */
const isolatedAtMost = 3;

type Wrong = { readonly rule: string; readonly answer: Answer; readonly suspects: readonly MannerFactor[] };

/**
 * Sends requests that were answered wrongly twice with usual values of what was unusual in them, half of it at a
 * time, until it is known what the fault depends on, if on any of it. The judge reads it from the answers.
 */
export async function isolate(
  first: Judged,
  fetcher: Fetcher,
  judgeEvidence: () => Promise<Judged>,
): Promise<Judged> {
  let judged = first;
  for (const { rule, answer, suspects: all } of listWrong(first, fetcher).slice(0, isolatedAtMost)) {
    let suspects = all;
    let usual = all;
    let isSeparated = false;
    while (usual.length > 0) {
      const varied = await fetcher.vary(answer.exchange, usual);
      if (!varied) return judged;
      judged = await judgeEvidence();
      const isBroken = isBrokenBy(judged, rule, varied);
      if (isBroken === undefined) break;
      isSeparated ||= !isBroken;
      suspects = isBroken ? suspects.filter((factor) => !usual.includes(factor)) : usual;
      usual = suspects.length < 2 ? [] : suspects.slice(0, suspects.length >> 1);
    }
    if (!isSeparated) continue;
    // A fault that went away meanwhile depends on no manner.
    await fetcher.repeat(answer.exchange);
    judged = await judgeEvidence();
  }
  return judged;
}

/** Lists one answer to each request that broke a rule more than once, and what is unusual in all that broke it. */
function listWrong({ appliedRules }: Judged, fetcher: Fetcher): Wrong[] {
  const wrong = appliedRules.flatMap(({ rule, breaches }) => {
    // A comparison does not show which answer is wrong.
    if (!ruleFacts(rule)?.readsOneAnswer) return [];
    const answers = [...new Set(breaches.map(({ answer }) => answer))];
    const operations = Map.groupBy(answers, ({ requested }) => requested?.operation);
    return [...operations.values()].flatMap((broken) => {
      const answer = broken.find((one) => broken.some((other) => other !== one && asksTheSame(other, one)));
      if (!answer) return [];
      const [manner, ...others] = [answer, ...broken].map(({ exchange }) => fetcher.findManner(exchange));
      const suspects = factorNames.filter(
        (factor) =>
          manner?.[factor] !== usualManner[factor] &&
          others.every((other) => other[factor] === manner?.[factor]),
      );
      return suspects.length === 0 ? [] : [{ rule: rule.id, answer, suspects }];
    });
  });
  return wrong.filter(
    ({ answer }, at) => wrong.findIndex((other) => asksTheSame(other.answer, answer)) === at,
  );
}

/** Returns whether an exchange breaks a rule; undefined if the rule judged nothing of it. */
function isBrokenBy({ appliedRules }: Judged, id: string, exchange: Exchange): boolean | undefined {
  const { breaches, judged } = appliedRules.find(({ rule }) => rule.id === id) as AppliedRule;
  if (breaches.some(({ answer }) => answer.exchange === exchange)) return true;
  return [...judged].some((answer) => answer.exchange === exchange) ? false : undefined;
}
