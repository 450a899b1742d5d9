import { oncePer } from '../../reading/once.ts';
import { countUsage, isWholeQuota } from '../../reading/quota.ts';
import type { Answer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Breach } from '../breach.ts';
import type { CheckOutcome } from '../rule.ts';
import { type Counted, counted, isSameMonth, landingsAmong, quotaBreach } from './quota-counting.ts';

/**
 * Lists every answer with the counters of the run's key, including 304 and refusals of faulty requests and other methods.
 * The document leaves open whether they count, but they show the month of their key. A key that was not accepted (401, 403)
 * has no account, and an error of the server may have lost it.
 */
export const addressed = oncePer(findAddressed);

function findAddressed(evidence: Evidence): readonly Counted[] {
  const known = new Set<Answer>(counted(evidence));
  return evidence.answers.filter((answer): answer is Counted => known.has(answer) || isOfOurs(answer));
}

function isOfOurs({ exchange, complete, requested, status = 0, quota }: Answer): boolean {
  if (exchange.request.credential !== 'api-key' || !complete || !requested || !isWholeQuota(quota))
    return false;
  return status >= 200 && status < 500 && status !== 401 && status !== 403;
}

/** Keeps the answers with the limit of counted ones: another limit is one breach, not one for every number beside it. */
export const shown = oncePer(findShown);

function findShown(evidence: Evidence): readonly Counted[] {
  const successes = counted(evidence);
  const limits = new Set(successes.map(({ quota }) => quota.limit));
  const known = new Set<Answer>(successes);
  return addressed(evidence).filter((answer) => known.has(answer) || limits.has(answer.quota.limit));
}

/** Makes a check that use and additional total do not fall from one of these answers to the next. */
export function goesForward(pick: (evidence: Evidence) => readonly Counted[]) {
  return function* check(evidence: Evidence): Generator<CheckOutcome> {
    const landings = landingsAmong(pick(evidence), evidence);
    for (const [index, { together }] of landings.entries()) {
      const earlier = landings[index - 1]?.together ?? [];
      const before = earlier.toSorted((a, b) => countUsage(b.quota) - countUsage(a.quota))[0];
      if (!before) continue;
      for (const after of together) {
        if (!isSameMonth(before, after) || !areOfOneMonth(before, after)) continue;
        yield { judged: after };
        const breach = fallBetween(evidence, before, after);
        if (breach) yield { breach };
      }
    }
  };
}

/** A counter may restart with the first request that it counts; until then a refusal shows the month before. */
function areOfOneMonth(before: Counted, after: Counted): boolean {
  return before.quota.reset === after.quota.reset || (before.success && after.success);
}

function fallBetween(evidence: Evidence, before: Counted, after: Counted): Breach | undefined {
  const isBack =
    countUsage(after.quota) < countUsage(before.quota) && after.quota.limit === before.quota.limit;
  const header =
    after.quota.additional < before.quota.additional ? 'additional' : isBack ? 'remaining' : undefined;
  const expected = `no fewer requests used than before (${countUsage(before.quota)})`;
  return header && quotaBreach(evidence, after, header, expected, String(countUsage(after.quota)));
}
