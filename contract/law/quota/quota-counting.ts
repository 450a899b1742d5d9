import type { QuotaRole } from '../../document/roles.ts';
import { oncePer } from '../../reading/once.ts';
import { countUsage, isWholeQuota, type WholeQuota } from '../../reading/quota.ts';
import { type Answer, headersNamed } from '../../reading/reading.ts';
import { rollOverSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { flightsOf } from '../../relations/flights.ts';
import type { Breach, Sight } from '../rule.ts';

/** A complete answer to our own key with all four numbers. */
export type Counted = Answer & { readonly quota: WholeQuota };

/** A breach in one of the quota headers. */
export function quotaBreach(
  { spec }: Evidence,
  answer: Counted,
  header: QuotaRole,
  expected: string,
  actual: string = String(answer.quota[header]),
): Breach {
  return { answer, pointer: `header:${spec.quota[header]}`, expected, actual };
}

/** A client that may come back sooner was too fast; a month's allowance takes longer. */
const shortWaitSeconds = 3600;

/**
 * Answers to refused keys tell of another account or of none: only those to our own key are counted. A refusal counts
 * where it is one of the month's allowance; the document leaves open whether faulty requests and others than GET do.
 */
export const counted = oncePer(countedIn);

function countedIn({ answers }: Evidence): readonly Counted[] {
  const ours = answers.filter((each): each is Counted => {
    const { credential, method } = each.exchange.request;
    const isOurs = credential === 'api-key' || credential === 'unknown';
    return (
      isOurs &&
      method === 'GET' &&
      each.complete &&
      each.requested?.proper === true &&
      isWholeQuota(each.quota)
    );
  });
  const isServedBeyond = ours.some((each) => each.success && each.quota.additional > 0);
  return ours.filter((each) => each.success || (!isServedBeyond && isSpent(each)));
}

/** The month's allowance is used up, and that is why. */
function isSpent(answer: Counted): boolean {
  const { status, quota } = answer;
  const [wait] = headersNamed(answer, 'retry-after') ?? [];
  return status === 429 && quota.remaining === 0 && !(Number(wait ?? Infinity) < shortWaitSeconds);
}

/** Each of these answers after the last one that was counted before it, where no roll-over of the month lies between. */
export function* monthMates(
  all: readonly Counted[],
  evidence: Evidence,
): Generator<[before: Counted, after: Counted]> {
  const known = new Set<Answer>(counted(evidence));
  let before: Counted | undefined;
  for (const after of all) {
    if (before && isSameMonth(before, after)) yield [before, after];
    if (known.has(after)) before = after;
  }
}

export function isSameMonth(before: Counted, after: Counted): boolean {
  return !isRollOver(before) && !isRollOver(after) && !hasReset(before, after);
}

export function isRollOver({ serverNow, quota }: Counted): boolean {
  return serverNow !== undefined && Math.abs(quota.reset / 1000 - serverNow) <= rollOverSeconds;
}

/** The earlier answer's reset was reached before the later one was made, or may have been. */
export function hasReset(before: Counted, after: Counted): boolean {
  if (after.serverNow === undefined) return after.quota.reset !== before.quota.reset;
  return after.serverNow * 1000 >= before.quota.reset;
}

/** Counted answers that came together, and how many other exchanges went before or with them since the last ones. */
export type Landing = { readonly together: readonly Counted[]; readonly doubtful: number };

export const landingsOf = oncePer((evidence: Evidence) => landingsAmong(counted(evidence), evidence));

/** The landings of some answers; every other exchange is doubtful. */
export function landingsAmong(some: readonly Counted[], { answers }: Evidence): readonly Landing[] {
  const all = new Set<Answer>(some);
  const landings: Landing[] = [];
  let doubtful = 0;
  for (const flight of flightsOf(answers)) {
    const together = flight.filter((each): each is Counted => all.has(each));
    doubtful += flight.length - together.length;
    if (together.length === 0) continue;
    landings.push({ together, doubtful });
    doubtful = 0;
  }
  return landings;
}

/** A step of the counters between two answers, and how many of our requests may have made it. */
export type Step = {
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

export function stepOf(before: Counted, after: Counted, doubtful: number): Step | undefined {
  const isReadable = before.quota.limit === after.quota.limit && isExact(before) && isExact(after);
  if (!isReadable || !isSameMonth(before, after)) return undefined;
  return { before, after, moved: countUsage(after.quota) - countUsage(before.quota), doubtful };
}

/** Steps between answers that came one after the other. */
export const sequentialSteps = oncePer(findSequentialSteps);

function findSequentialSteps(evidence: Evidence): readonly Step[] {
  const landings = landingsOf(evidence);
  return landings.flatMap(({ together, doubtful }, index) => {
    const [after, ...more] = together;
    const [before, ...others] = landings[index - 1]?.together ?? [];
    if (!before || !after || more.length > 0 || others.length > 0) return [];
    return stepOf(before, after, doubtful) ?? [];
  });
}

/** No request that came alone was counted wrongly. */
export function countsSingly(evidence: Evidence): boolean {
  const sure = sequentialSteps(evidence).filter((step) => step.doubtful === 0);
  return sure.every(({ moved }) => (evidence.target.soleUser ? moved === 1 : moved >= 1));
}

export function* checkCounting(evidence: Evidence): Generator<Sight> {
  const all = sequentialSteps(evidence);
  const suspects = evidence.target.soleUser ? all : doublyCharged(all);
  for (const step of all) {
    const most = 1 + step.doubtful;
    const isTooMuch = step.moved > most && suspects.includes(step);
    if (step.moved < 1 || isTooMuch) yield { breach: countBreach(evidence, step, 1, most) };
    else if (step.doubtful === 0) yield { judged: step.after };
  }
}

/**
 * Others may spend from the key too, so that a larger step alone proves nothing. One operation whose every step
 * is too large by the same excess, at least three times, while no other operation shows any, is a double charge.
 */
function doublyCharged(all: readonly Step[]): Step[] {
  const excess = (step: Step): number => Math.max(0, step.moved - 1);
  const sure = all.filter((step) => step.doubtful === 0);
  const operations = Map.groupBy(sure, (step) => step.after.requested?.operation);
  const charged = [...operations.values()].filter((each) => each.some((step) => excess(step) > 0));
  const [only = []] = charged;
  const isSteady = only.length >= 3 && new Set(only.map(excess)).size === 1;
  return charged.length === 1 && isSteady ? only : [];
}

/** A step that is none of `least` to `most` requests. */
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
  const actual = `${moved} more (${countUsage(before.quota)}, then ${countUsage(after.quota)})`;
  return quotaBreach(evidence, after, header, expected, actual);
}
