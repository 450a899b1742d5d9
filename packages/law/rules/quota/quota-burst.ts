import { countUsage } from '../../reading/quota.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { closedWeekInEachInterval, invertedHistory, shortestRanges, weekInHalves } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { type Counted, quotaBreach, quotaMust, quotaShould } from './quota-counting.ts';
import {
  countBreach,
  countsSingly,
  type Landing,
  landingsOf,
  measureStep,
  type Step,
} from './quota-steps.ts';

/** Requests that were answered side by side, between an answer before and one after all of them. */
type Burst = { readonly together: readonly Counted[]; readonly step: Step };

function listBursts(evidence: Evidence): Burst[] {
  const landings = landingsOf(evidence);
  return landings.flatMap(({ together, doubtful }, index) => {
    const before = keepOnly(landings[index - 1]);
    const next = landings[index + 1];
    const after = keepOnly(next);
    if (together.length < 2 || !before || !after || !next) return [];
    const step = measureStep(before, after, doubtful + next.doubtful);
    return step ? [{ together, step }] : [];
  });
}

function keepOnly(landing: Landing | undefined): Counted | undefined {
  return landing?.together.length === 1 ? landing.together[0] : undefined;
}

/** Skips runs in which single requests are miscounted, which another rule reports. */
const miscounted = 'requests that come one by one are miscounted too';

/** Checks that the answer after a burst shows all of it, whatever the answers within it could see of each other. */
function* checkSum(evidence: Evidence): Generator<CheckOutcome> {
  for (const { together, step } of listBursts(evidence)) {
    const { moved, doubtful, after } = step;
    const least = together.length + 1;
    const isTooMuch = evidence.target.soleUser && moved > least + doubtful;
    if (!countsSingly(evidence)) yield { undecided: miscounted };
    else if (moved < least || isTooMuch)
      yield { breach: countBreach(evidence, step, least, least + doubtful) };
    // Failures beside them may have counted: they hide no more losses than they are.
    else if (doubtful < together.length) yield { judged: after };
  }
}

/** Leaves bursts that are lost in part to the rule above. */
function* checkCountsDiffer(evidence: Evidence): Generator<CheckOutcome> {
  if (!countsSingly(evidence)) {
    yield { undecided: miscounted, dead: true };
    return;
  }
  for (const { together, step } of listBursts(evidence)) {
    if (step.moved <= together.length) continue;
    const seen = new Set<number>([countUsage(step.before.quota)]);
    for (const answer of together) {
      const used = countUsage(answer.quota);
      if (!seen.has(used)) yield { judged: answer };
      else {
        const expected = 'another count than every answer beside it and the one before';
        yield { breach: quotaBreach(evidence, answer, 'remaining', expected, `${used} requests used`) };
      }
      seen.add(used);
    }
  }
}

/** The burst requests the closed answers; away from loopback they come one by one unless a burst was requested. */
const needs = [...closedWeekInEachInterval, ...invertedHistory, ...weekInHalves, ...shortestRanges];

export const burstRules: readonly Rule[] = [
  {
    id: 'quota/counts-in-parallel',
    shows: 'miscounted',
    ...quotaMust,
    statement: 'Concurrent requests move the counters by their number.',
    broken: 'Concurrent requests are miscounted',
    why: 'If two requests read the same count, concurrent clients get more than their allowance.',
    exactly:
      'm requests side by side between one answer and the next: use moves by m + 1, or by more where others use the key.',
    restsOn: ['quota-remaining', 'quota-additional'],
    needs,
    check: checkSum,
  },
  {
    id: 'quota/parallel-counts-differ',
    shows: 'miscounted',
    ...quotaShould,
    statement: 'Answers to concurrent requests show different counts.',
    broken: 'Concurrent requests show one count',
    why: 'Equal counts mean that requests were not counted one by one, so the remaining quota is a guess.',
    exactly: 'm answers have m different counts, none of them that of the answer before.',
    restsOn: ['quota-remaining'],
    needs,
    check: checkCountsDiffer,
  },
];
