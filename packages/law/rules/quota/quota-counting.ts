import type { QuotaRole } from '@candleproof/document/spec/roles';
import { oncePer } from '../../reading/once.ts';
import { isWholeQuota, type WholeQuota } from '../../reading/quota.ts';
import { type Answer, headersNamed } from '../../reading/reading.ts';
import { rollOverSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Breach } from '../breach.ts';

/** Shared by the rules of the counters, which need all four headers. */
export const quotaShould = {
  section: '8',
  level: 'should',
  uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
} as const;

/** The same for the rules that rest only on our document. */
export const quotaMust = { ...quotaShould, level: 'must', restsOnOurs: true } as const;

/** A complete answer to the run's key with all four numbers. */
export type Counted = Answer & { readonly quota: WholeQuota };

/** Returns whether an answer is one to the run's key with all four numbers. */
export function isOurs(answer: Answer): answer is Counted {
  return answer.complete && answer.exchange.request.credential === 'api-key' && isWholeQuota(answer.quota);
}

/** Makes a breach in one of the quota headers. */
export function quotaBreach(
  { spec }: Evidence,
  answer: Counted,
  header: QuotaRole,
  expected: string,
  actual: string = String(answer.quota[header]),
): Breach {
  return { answer, pointer: `header:${spec.quota[header]}`, expected, actual };
}

/** A client that may return sooner than this was too fast; a month's allowance takes longer. */
const shortWaitSeconds = 3600;

/**
 * Lists the answers that count. Answers to refused keys belong to another account or none, so only those to the run's key
 * count. A refusal by the month's allowance counts; the document leaves open whether faulty requests and other methods do.
 */
export const counted = oncePer(listCounted);

function listCounted({ answers }: Evidence): readonly Counted[] {
  const ours = answers.filter((answer): answer is Counted => {
    const { credential } = answer.exchange.request;
    const isOurs = credential === 'api-key' || credential === 'unknown';
    return isOurs && answer.complete && answer.requested?.proper === true && isWholeQuota(answer.quota);
  });
  const isServedBeyond = ours.some((our) => our.success && our.quota.additional > 0);
  return ours.filter((our) => our.success || (!isServedBeyond && isSpent(our)));
}

/** Returns whether the answer was refused because the month's allowance is used up. */
function isSpent(answer: Counted): boolean {
  const { status, quota } = answer;
  const [wait] = headersNamed(answer, 'retry-after') ?? [];
  return status === 429 && quota.remaining === 0 && !(Number(wait ?? Infinity) < shortWaitSeconds);
}

/** Pairs every answer with the last counted one before it, unless the month rolled over between them. */
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

/** Returns whether both answers belong to the same month. */
export function isSameMonth(before: Counted, after: Counted): boolean {
  return !isRollOver(before) && !isRollOver(after) && !hasReset(before, after);
}

/** Returns whether the month rolled over, or may have, between two answers. */
function isRollOver({ serverNow, quota }: Counted): boolean {
  return serverNow !== undefined && Math.abs(quota.reset / 1000 - serverNow) <= rollOverSeconds;
}

/** Returns whether the earlier answer's reset was, or may have been, reached before the later answer was made. */
function hasReset(before: Counted, after: Counted): boolean {
  if (after.serverNow === undefined) return after.quota.reset !== before.quota.reset;
  return after.serverNow * 1000 >= before.quota.reset;
}

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
