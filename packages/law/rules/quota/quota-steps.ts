import { oncePer } from '../../reading/once.ts';
import { countUsage } from '../../reading/quota.ts';
import type { Answer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { groupFlights } from '../../relations/flights.ts';
import type { Breach, QuotaUse } from '../breach.ts';
import type { CheckOutcome } from '../rule.ts';
import { addressed, type Counted, counted, isSameMonth, quotaBreach } from './quota-counting.ts';

/** Counted answers that came together, and the number of others that may have counted since the landing before. */
export type Landing = { readonly together: readonly Counted[]; readonly doubtful: number };

export const landingsOf = oncePer((evidence: Evidence) => landingsAmong(counted(evidence), evidence));

/** Groups answers by arrival; every other exchange is doubtful. */
export function landingsAmong(some: readonly Counted[], { answers }: Evidence): readonly Landing[] {
  const all = new Set<Answer>(some);
  const landings: Landing[] = [];
  let doubtful = 0;
  for (const flight of groupFlights(answers)) {
    const together = flight.filter((answer): answer is Counted => all.has(answer));
    const others = flight.length - together.length;
    if (together.length > 0) landings.push({ together, doubtful: doubtful + others });
    // Others that were under way with counted answers may have been counted after them.
    doubtful = together.length > 0 ? others : doubtful + others;
  }
  return landings;
}

/** A step of the counters between two answers, and the number of our requests that may have made it. */
export type Step = {
  readonly before: Counted;
  readonly after: Counted;
  readonly moved: number;
  /** Exchanges between them that may or may not have counted: refusals, failures, other keys. */
  readonly doubtful: number;
};

/** Beyond 2^53 a step of one is lost. */
function isExact({ quota }: Counted): boolean {
  return Object.values(quota).every(Number.isSafeInteger);
}

/** Returns the step between two answers. */
export function measureStep(before: Counted, after: Counted, doubtful: number): Step | undefined {
  const isReadable = before.quota.limit === after.quota.limit && isExact(before) && isExact(after);
  if (!isReadable || !isSameMonth(before, after)) return undefined;
  return { before, after, moved: countUsage(after.quota) - countUsage(before.quota), doubtful };
}

/** Lists the steps between consecutive answers. */
export const sequentialSteps = oncePer((evidence: Evidence) => stepsBetween(landingsOf(evidence)));

function stepsBetween(landings: readonly Landing[]): readonly Step[] {
  return landings.flatMap(({ together, doubtful }, index) => {
    const [after, ...more] = together;
    const [before, ...others] = landings[index - 1]?.together ?? [];
    if (!before || !after || more.length > 0 || others.length > 0) return [];
    return measureStep(before, after, doubtful) ?? [];
  });
}

/** Returns whether no request that came alone was miscounted. */
export function countsSingly(evidence: Evidence): boolean {
  const sure = sequentialSteps(evidence).filter((step) => step.doubtful === 0);
  return sure.every(({ moved }) => (evidence.target.soleUser ? moved === 1 : moved >= 1));
}

/** Checks that every counted request moves the counters by one. */
export function* checkCounting(evidence: Evidence): Generator<CheckOutcome> {
  const all = sequentialSteps(evidence);
  const suspects = evidence.target.soleUser
    ? all
    : doublyCharged(all, ({ requested }) => requested?.operation);
  for (const step of all) {
    const most = 1 + step.doubtful;
    const isTooMuch = step.moved > most && suspects.includes(step);
    if (step.moved < 1 || isTooMuch) yield { breach: countBreach(evidence, step, 1, most) };
    else if (step.doubtful === 0) yield { judged: step.after };
  }
  // The document leaves open if a refusal counts, but it counts at most once.
  const ofAll = stepsBetween(landingsAmong(addressed(evidence), evidence));
  const isRefusal = ({ status = 0 }: Counted): boolean => status >= 400;
  const twice = doublyCharged(ofAll, isRefusal).find((step) => isRefusal(step.after));
  if (twice) yield { breach: countBreach(evidence, twice, 0, 1) };
}

/**
 * Others may spend from the key too, so that a larger step alone proves nothing. If every step of one kind is too large by
 * the same excess, at least three times, while no other kind shows any, that is a double charge.
 */
function doublyCharged(all: readonly Step[], nameKind: (answer: Counted) => unknown): Step[] {
  const excess = (step: Step): number => Math.max(0, step.moved - 1);
  const sure = all.filter((step) => step.doubtful === 0);
  const kinds = [...Map.groupBy(sure, (step) => nameKind(step.after)).values()];
  const charged = kinds.filter((kind) => kind.some((step) => excess(step) > 0));
  const [only = []] = charged;
  const isSteady = only.length >= 3 && new Set(only.map(excess)).size === 1;
  return charged.length === 1 && kinds.length > 1 && isSteady ? only : [];
}

/** Returns whether a step lies outside `least` to `most` requests. */
export function countBreach(
  evidence: Evidence,
  { before, after, moved }: Step,
  least: number,
  most: number,
): Breach {
  const header = after.quota.additional !== before.quota.additional ? 'additional' : 'remaining';
  const one = least === 1 ? 'one request' : `${least} requests`;
  const expected =
    most === least ? `${one} more than the answer before` : `${least} to ${most} requests more than before`;
  // A run knows from its user alone that others spend from the key.
  const isOthers = moved > most && evidence.target.soleUser;
  const counters = `${moved} more (${countUsage(before.quota)}, then ${countUsage(after.quota)})`;
  const actual = isOthers ? `${counters}, or others use the key too` : counters;
  const counts = drawCounts(after, sequentialSteps(evidence));
  return {
    ...quotaBreach(evidence, after, header, expected, actual),
    ...(counts.length > 1 && { picture: { counts } }),
  };
}

/** Answers that are drawn before and after a miscounted one. */
const shownAround = 8;

/** Lists the use that answers around this one show, beside what one for each request would make of the first. */
function drawCounts(answer: Counted, steps: readonly Step[]): QuotaUse[] {
  const at = steps.findIndex(({ after }) => after === answer);
  const shown = at < 0 ? [] : steps.slice(Math.max(0, at - shownAround), at + shownAround);
  const [first] = shown;
  if (!first) return [];
  let expected = countUsage(first.before.quota);
  const start = { exchange: first.before.index, expected, actual: expected };
  return [
    start,
    ...shown.map(({ after, doubtful, moved }) => {
      expected += Math.min(Math.max(moved, 1), 1 + doubtful);
      return { exchange: after.index, expected, actual: countUsage(after.quota) };
    }),
  ];
}
