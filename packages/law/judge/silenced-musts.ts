import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from '../rules/breach.ts';
import { listUnanswered } from '../rules/transport/first-tries.ts';
import { type AppliedRule, untimed } from './apply-rule.ts';
import { findHiding, meets } from './hidden-evidence.ts';
import type { SilencedMusts } from './reason.ts';
import { describeEnd } from './withheld.ts';

/** The musts that found nothing to judge because of something that the target does wrong, by that reason. */
export function silencedMusts(evidence: Evidence, appliedRules: readonly AppliedRule[]): SilencedMusts[] {
  const { answers, wrongDates } = evidence;
  const describeUnanswered = findUnanswered(evidence);
  // A missing Date only costs what `isUntimed` marks; a wrong one also misled the requests.
  const hiddenBy = findHiding(
    answers,
    appliedRules.filter(({ breaches }) => wrongDates.length > 0 || !breaches.some(isOfDate)),
  );
  const outcomeReason = ({
    rule,
    isUntimed,
    silence,
    undecided,
    open,
  }: AppliedRule): Omit<SilencedMusts, 'rules'> | undefined => {
    if (silence !== undefined) return { cause: 'silence', text: silence };
    if (isUntimed) return { cause: 'no-date', text: untimed };
    const hiding = undecided.length === 0 ? hiddenBy(rule) : undefined;
    if (hiding !== undefined) return { cause: 'answers-broken', text: `the answers break ${hiding}` };
    // Nothing that has ceased, or never came about, was lost with an answer.
    const ends = undecided.length === 0 || open ? describeUnanswered(rule) : undefined;
    return ends === undefined
      ? undefined
      : { cause: 'requests-unanswered', text: `requests stayed unanswered (${ends})` };
  };
  const silenced = appliedRules
    .filter(({ rule, judged, silence }) => rule.level === 'must' && (judged.size === 0 || silence))
    .flatMap((appliedRule) => ({ id: appliedRule.rule.id, why: outcomeReason(appliedRule) }));
  return [...Map.groupBy(silenced, ({ why }) => why?.text).values()].flatMap((musts) => {
    const why = musts[0]?.why;
    return why ? [{ ...why, rules: musts.map(({ id }) => id) }] : [];
  });
}

/**
 * Makes a test for rules whose needs the target left unanswered, which returns how those requests ended. What is needed
 * twice has to be answered each time. Recordings of others hold requests that were given up on purpose.
 */
function findUnanswered(evidence: Evidence): (rule: AppliedRule['rule']) => string | undefined {
  const unanswered = listUnanswered(evidence).filter(({ answer }) => answer.exchange.recorder === undefined);
  return ({ needs }) => {
    const missed = unanswered
      .filter(({ answer, isServed }) =>
        needs.some((need) => (!isServed || need.again) && meets(answer, need)),
      )
      .map(({ answer }) => describeEnd(answer));
    return missed.length === 0 ? undefined : [...new Set(missed)].join(', ');
  };
}

function isOfDate({ pointer }: Breach): boolean {
  return pointer === 'header:date';
}
