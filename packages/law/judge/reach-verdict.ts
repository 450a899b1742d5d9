import type { OperationId } from '@candleproof/document/spec/spec';
import { headerValues } from '../reading/exchange.ts';
import { type Answer, holdsSuccess } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import { groupProperRequests } from '../relations/proper-requests.ts';
import { lastTries } from '../relations/series.ts';
import { findLockedOut } from '../rules/transport/locked-out.ts';
import type { AppliedRule } from './apply-rule.ts';
import { formatReason, makeSilenceReason, type Reason, type ReasonCode } from './reason.ts';
import { silencedMusts } from './silenced-musts.ts';
import type { Verdict } from './verdict.ts';
import { countRead, describeEnd, withheldRows } from './withheld.ts';

/**
 * Returns the verdict on all evidence, with its reason unless it is conformant. Rules whose failing is `known` do not
 * count. If requests were drawn at random, silence is no reason.
 */
export function reachVerdict(
  evidence: Evidence,
  appliedRules: readonly AppliedRule[],
  known: ReadonlySet<string>,
  isDrawn = false,
): VerdictReason {
  const failed = appliedRules.filter(
    ({ rule, breaches }) => rule.level === 'must' && breaches.length > 0 && !known.has(rule.id),
  );
  const [accepted, counted] = [true, false].map((isKnown) =>
    appliedRules.filter(({ rule }) => known.has(rule.id) === isKnown),
  );
  const silenced = isDrawn
    ? undefined
    : () => explainSilenced(evidence, counted ?? [], listBroken(accepted ?? []));
  return decideVerdict(
    failed.map(({ rule }) => rule.id),
    () => explainUndecided(evidence, counted ?? [], silenced),
  );
}

/** Returns the verdict on musts of which these failed; if none did, it is conformant unless `explain` has a reason. */
export function decideVerdict(failed: readonly string[], explain: () => Reason | undefined): VerdictReason {
  if (failed.length > 0) return withReason('nonconformant', { code: 'musts-failed', rules: failed });
  const reason = explain();
  return reason === undefined ? { verdict: 'conformant' } : withReason('inconclusive', reason);
}

/** A verdict with its reason in words, and the code of that reason. */
export type VerdictReason = {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly reasonCode?: ReasonCode;
};

/** Returns a verdict with its reason in words and as a code. */
export function withReason(verdict: Verdict, reason: Reason): VerdictReason {
  return { verdict, reason: formatReason(reason), reasonCode: reason.code };
}

function listBroken(appliedRules: readonly AppliedRule[]): ReadonlySet<Answer> {
  return new Set(appliedRules.flatMap(({ breaches }) => breaches.map(({ answer }) => answer)));
}

function explainUndecided(
  evidence: Evidence,
  appliedRules: readonly AppliedRule[],
  silenced: (() => Reason | undefined) | undefined,
): Reason | undefined {
  const final = lastTries(evidence.answers.filter((answer) => answer.entitled));
  if (final.length === 0) return explainImproper(evidence);
  if (!final.some((answer) => answer.complete)) return explainUnanswered(final);
  const isKeyGood = final.some(
    (answer) => answer.success && answer.exchange.request.credential === 'api-key',
  );
  const lockedOut = findLockedOut(evidence);
  const refused = final.find(
    (answer) => isRefusal(answer) && !(isKeyGood && isUnkeyed(answer)) && !lockedOut.has(answer),
  );
  if (refused) return explainRefusal(refused);
  const [last] = evidence.answers.slice(-1);
  if (isLimited(evidence) || (last && isPutOff(last))) return { code: 'quota-spent' };
  const crashed = appliedRules.find(({ rule, crash }) => rule.level === 'must' && crash);
  if (crashed?.crash) return { code: 'rule-crashed', rule: crashed.rule.id, crash: crashed.crash };
  const unjudged = unexercisedOperations(final, appliedRules);
  const unkept = explainUnkept(final);
  if (unkept !== undefined) return unkept;
  if (unjudged.length === 0) return silenced?.();
  const successes = final.filter((answer) => answer.success);
  // Only recordings of others leave bodies out.
  if (successes.length > 0 && !successes.some(holdsSuccess)) return { code: 'bodies-not-recorded' };
  const ends = [
    ...new Set(final.filter((answer) => !holdsSuccess(answer) && answer.status !== 304).map(describeEnd)),
  ];
  return { code: 'nothing-judged', operations: unjudged, ends };
}

/** Explains bodies that we omitted: the target sent more than a run can hold. Foreign recorders omit some at will. */
function explainUnkept(answers: readonly Answer[]): Reason | undefined {
  const unkept = answers.filter(
    ({ success, body, exchange: { recorder } }) => success && !body && (!recorder || recorder.bodyOverLimit),
  );
  return unkept.length === 0 ? undefined : { code: 'bodies-over-limit', answers: unkept.length };
}

/** Returns why the target, not a choice of ours, left musts unjudged; undefined if it left none. */
function explainSilenced(
  evidence: Evidence,
  appliedRules: readonly AppliedRule[],
  accepted: ReadonlySet<Answer>,
): Reason | undefined {
  const { candles, unreadable } = countRead(evidence);
  return makeSilenceReason({
    withheld: withheldRows(evidence, accepted),
    unreadable,
    candles,
    musts: silencedMusts(evidence, appliedRules),
  });
}

/** Returns whether the last attempt at a proper request was refused by the quota or a rate limit. */
function isLimited(evidence: Evidence): boolean {
  return groupProperRequests(evidence).some(({ tries }) => tries.at(-1)?.status === 429);
}

/** Returns whether a run ended because its last answer to the key, whatever it was for, puts off everything else. */
function isPutOff({ status, exchange: { request, response, recorder } }: Answer): boolean {
  const hasLimit = status === 429 && headerValues(response?.headers ?? [], 'retry-after').length > 0;
  return hasLimit && recorder === undefined && request.credential === 'api-key';
}

function isRefusal({ status }: Answer): boolean {
  return status === 401 || status === 403;
}

/** A recording shows no key there, and may have cut it. */
function isUnkeyed({ exchange }: Answer): boolean {
  return exchange.request.credential === 'unknown';
}

function explainRefusal({ status, exchange }: Answer): Reason {
  return { code: exchange.request.credential === 'none' ? 'key-required' : 'key-refused', status };
}

function explainUnanswered(answers: readonly Answer[]): Reason {
  const failure = answers[0]?.exchange.failure;
  if (!failure) return { code: 'no-answer', failure: 'nothing came' };
  const code = failure.kind === 'certificate' ? 'certificate-refused' : 'no-answer';
  return { code, failure: `${failure.kind} (${failure.message})` };
}

/** Explains a run that ended before any proper request: what failed all others would have failed that one too. */
function explainImproper({ answers }: Evidence): Reason {
  const requested = lastTries(answers.filter((answer) => answer.requested));
  const isUnanswered = requested.length > 0 && !requested.some(({ complete }) => complete);
  return isUnanswered ? explainUnanswered(requested) : { code: 'nothing-requested' };
}

/** Operations that were requested for a must's sake and of which no successful answer was judged by any. */
function unexercisedOperations(
  requested: readonly Answer[],
  appliedRules: readonly AppliedRule[],
): OperationId[] {
  const musts = appliedRules.filter(({ rule }) => rule.level === 'must');
  const judged = new Set<OperationId | undefined>();
  for (const appliedRule of musts)
    for (const answer of appliedRule.judged)
      if (holdsSuccess(answer) && answer.entitled) judged.add(answer.requested?.operation);
  const wanted = new Set(musts.flatMap(({ rule }) => rule.needs.map((need) => need.role)));
  const operations = requested.flatMap((answer) =>
    answer.requested && wanted.has(answer.requested.role) ? [answer.requested.operation] : [],
  );
  return [...new Set(operations)].filter((operation) => !judged.has(operation));
}
