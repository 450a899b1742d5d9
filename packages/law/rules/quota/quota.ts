import { shorten } from '../../reading/describe.ts';
import { headerValues } from '../../reading/exchange.ts';
import { oncePer } from '../../reading/once.ts';
import { countUsage } from '../../reading/quota.ts';
import { type Answer, hasOtherMethod } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Breach } from '../breach.ts';
import { anyAnswer, latestInEachInterval } from '../needs.ts';
import { faultyNeed, withoutKey } from '../refusal-needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { beforeDoor, isBeforeDoor, isIntermediary, isOutsideApi, outsideApi } from '../trigger.ts';
import {
  addressed,
  type Counted,
  checkCounting,
  counted,
  isSameMonth,
  landingsAmong,
  quotaBreach,
  quotaMust,
} from './quota-counting.ts';

function* checkPresence(evidence: Evidence): Generator<CheckOutcome> {
  const { answers, spec } = evidence;
  const accepts = spec.operations[0]?.acceptsHeader;
  const hasCounter = ({ headers = [] }: Answer): boolean =>
    Object.values(spec.quota).some((name) => headerValues(headers, name).length > 0);
  for (const answer of answers) {
    const { complete, headers, status = 0 } = answer;
    if (!complete || !headers || isIntermediary(status)) continue;
    // Unknown paths and other methods may be answered in front of the service.
    if (!answer.requested || hasOtherMethod(answer)) continue;
    const elsewhere = isOutsideApi(answer, evidence)
      ? outsideApi
      : isBeforeDoor(answer, evidence)
        ? beforeDoor
        : undefined;
    if (elsewhere !== undefined && !answers.some(hasCounter)) {
      yield { undecided: elsewhere };
      continue;
    }
    yield { judged: answer };
    for (const name of Object.values(spec.quota)) {
      const values = headerValues(headers, name);
      const isOne = values.length === 1 && /^\d+$/.test(values[0]?.trim() ?? '');
      if (isOne && accepts?.(Number(values[0]))) continue;
      const actual = values.length === 0 ? 'no such header' : shorten(values.join(' and '));
      yield { breach: { answer, pointer: `header:${name}`, expected: 'a whole number, once', actual } };
    }
  }
}

/** Keeps the answers with the limit of counted ones: another limit is one breach, not one for every number beside it. */
export const shown = oncePer(findShown);
function findShown(evidence: Evidence): readonly Counted[] {
  const successes = counted(evidence);
  const limits = new Set(successes.map(({ quota }) => quota.limit));
  const known = new Set<Answer>(successes);
  return addressed(evidence).filter((answer) => known.has(answer) || limits.has(answer.quota.limit));
}

/** Checks that use and additional total do not fall from one answer to our key to the next. */
function* checkForward(evidence: Evidence): Generator<CheckOutcome> {
  const landings = landingsAmong(shown(evidence), evidence);
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

export const quotaRules: readonly Rule[] = [
  {
    id: 'quota/headers-on-every-answer',
    ...quotaMust,
    statement: 'Every answer carries the four quota headers, each exactly once and as a whole number.',
    broken: 'Answers lack quota headers',
    why: 'Clients plan their requests by these headers and need them most on refusals.',
    exactly:
      "each name once, `^\\d+$`, on successes and refusals alike; 502, 503 and 504 are an intermediary's.",
    restsOn: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    needs: [...anyAnswer, ...withoutKey, faultyNeed('from-left-out'), faultyNeed('pool-unknown')],
    namesFields: true,
    check: checkPresence,
  },
  {
    id: 'quota/counts-every-request',
    ...quotaMust,
    statement: 'Every request moves the counters by exactly one: remaining down, or additional-total up.',
    broken: 'Requests are miscounted',
    why: 'Double charges use up the allowance twice as fast.',
    exactly:
      'use = limit − remaining + additional. From one success to the next it moves by 1, and by up to 1 more for each failed or refused request between them. More than that is a breach only where nobody else uses the key, or where one operation alone, or every refusal and nothing else, is always charged the same excess.',
    restsOn: ['quota-remaining', 'quota-additional'],
    needs: [...anyAnswer, ...latestInEachInterval],
    check: checkCounting,
  },
  {
    id: 'quota/never-runs-backwards',
    ...quotaMust,
    statement: 'Within a month neither the use of the quota nor the additional total falls.',
    broken: 'The quota counters run backwards',
    why: 'Counters that jump back were lost, or several servers keep separate ones.',
    exactly:
      'use = limit − remaining + additional. Neither use nor additional falls from one answer to our key to the next, including refusals of faulty requests and 304, except within 120 s of the reset.',
    restsOn: ['quota-remaining', 'quota-additional'],
    needs: [...anyAnswer, ...latestInEachInterval, faultyNeed('from-left-out'), faultyNeed('pool-unknown')],
    check: checkForward,
  },
];
