import type { Evidence } from '../evidence.ts';
import { isWhole, quotaHeaders, usage, type WholeQuota } from '../quota.ts';
import type { Answer } from '../reading.ts';
import type { Breach, Sight } from '../rule.ts';
import { rollOverSeconds } from '../tolerances.ts';

/** A complete answer to our own key with all four numbers. */
export type Counted = Answer & { readonly quota: WholeQuota };

/** Answers to refused keys tell of another account or of none: only those to our own key are counted. */
export function counted({ answers }: Evidence): Counted[] {
  return answers.filter((each): each is Counted => {
    const { credential } = each.exchange.request;
    const isOurs = credential === 'api-key' || credential === 'unknown';
    return isOurs && each.complete && each.success && isWhole(each.quota);
  });
}

/** Successive answers that no roll-over of the month lies between. */
export function* monthMates(evidence: Evidence): Generator<[before: Counted, after: Counted]> {
  const all = counted(evidence);
  for (const [index, after] of all.entries()) {
    const before = all[index - 1];
    if (before && !isRollOver(before) && !isRollOver(after) && !hasReset(before, after))
      yield [before, after];
  }
}

function isRollOver({ serverNow, quota }: Counted): boolean {
  return serverNow !== undefined && Math.abs(quota.reset / 1000 - serverNow) <= rollOverSeconds;
}

/** The earlier answer's reset was reached before the later one was made, or may have been. */
function hasReset(before: Counted, after: Counted): boolean {
  if (after.serverNow === undefined) return after.quota.reset !== before.quota.reset;
  return after.serverNow * 1000 >= before.quota.reset;
}

/** A step of the counters between two successive successes, and how many of our requests may have made it. */
type Step = {
  readonly before: Counted;
  readonly after: Counted;
  readonly moved: number;
  /** Exchanges between them that may have counted or not: refusals, failures, other keys. */
  readonly doubtful: number;
};

/** Beyond 2^53 a step of one is lost in the number. */
function isExact({ quota }: Counted): boolean {
  return Object.values(quota).every(Number.isSafeInteger);
}

function* steps(evidence: Evidence): Generator<Step> {
  for (const [before, after] of monthMates(evidence)) {
    if (before.quota.limit !== after.quota.limit || ![before, after].every(isExact)) continue;
    const moved = usage(after.quota) - usage(before.quota);
    yield { before, after, moved, doubtful: after.index - before.index - 1 };
  }
}

export function* checkCounting(evidence: Evidence): Generator<Sight> {
  const all = [...steps(evidence)];
  const suspects = evidence.target.soleUser ? all : doublyCharged(all);
  for (const step of all) {
    const most = 1 + step.doubtful;
    const isTooMuch = step.moved > most && suspects.includes(step);
    if (step.moved < 1 || isTooMuch) yield { breach: countBreach(step, most) };
    else if (step.doubtful === 0) yield { judged: step.after };
  }
}

/**
 * Others may spend from the key too, so that a larger step alone proves nothing. One operation whose every step
 * is too large by the same excess, at least three times, while no other operation shows any, is a double charge.
 */
function doublyCharged(all: readonly Step[]): Step[] {
  const excess = (step: Step): number => Math.max(0, step.moved - 1 - step.doubtful);
  const operations = Map.groupBy(all, (step) => step.after.asked?.operation);
  const charged = [...operations.values()].filter((each) => each.some((step) => excess(step) > 0));
  const [only = []] = charged;
  const isSteady = only.length >= 3 && new Set(only.map(excess)).size === 1;
  return charged.length === 1 && isSteady ? only : [];
}

function countBreach({ before, after, moved }: Step, most: number): Breach {
  const header = after.quota.additional !== before.quota.additional ? 'additional' : 'remaining';
  return {
    answer: after,
    pointer: `header:${quotaHeaders[header]}`,
    expected:
      most === 1 ? 'one request more than the answer before' : `1 to ${most} requests more than before`,
    actual: `${moved} more (${usage(before.quota)}, then ${usage(after.quota)})`,
  };
}

export function* checkForward(evidence: Evidence): Generator<Sight> {
  for (const [before, after] of monthMates(evidence)) {
    yield { judged: after };
    const isBack = usage(after.quota) < usage(before.quota) && after.quota.limit === before.quota.limit;
    const header =
      after.quota.additional < before.quota.additional ? 'additional' : isBack ? 'remaining' : undefined;
    if (!header) continue;
    yield {
      breach: {
        answer: after,
        pointer: `header:${quotaHeaders[header]}`,
        expected: `no fewer requests used than before (${usage(before.quota)})`,
        actual: String(usage(after.quota)),
      },
    };
  }
}
