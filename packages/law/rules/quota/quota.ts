import { headerValues } from '../../reading/exchange.ts';
import { oncePer } from '../../reading/once.ts';
import { countUsage, isWholeQuota } from '../../reading/quota.ts';
import { type Answer, headersNamed } from '../../reading/reading.ts';
import { shorten } from '../../reading/words.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Breach } from '../breach.ts';
import { explainHiddenApi, isIntermediary, isOfGateway, isOfOperation, isRefusal } from '../gateway.ts';
import { anyAnswer, latestInEachInterval } from '../needs.ts';
import { faultyNeed, withoutKey } from '../refusal-needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import {
  addressed,
  type Counted,
  counted,
  isSameMonth,
  quotaBreach,
  quotaMust,
  quotaShould,
} from './quota-counting.ts';
import { checkCounting, landingsAmong } from './quota-steps.ts';

function* checkPresence(evidence: Evidence): Generator<CheckOutcome> {
  const { spec } = evidence;
  const accepts = spec.operations[0]?.acceptsHeader;
  for (const answer of answersOfOperations(evidence)) {
    const { headers = [] } = answer;
    const hidden = isRefusal(answer) ? explainHiddenApi(answer, evidence) : undefined;
    if (hidden !== undefined) yield { undecided: hidden };
    if (hidden !== undefined || isOfGateway(answer, evidence)) continue;
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

/** Lists the answers to requests for operations; other paths and methods may be answered in front of the service. */
function answersOfOperations({ answers }: Evidence): Answer[] {
  return answers.filter(
    (answer) =>
      answer.complete &&
      answer.headers !== undefined &&
      !isIntermediary(answer.status ?? 0) &&
      isOfOperation(answer),
  );
}

/** Reports each refusal of a gateway once: the document means the answers of the API. */
function* checkGateways(evidence: Evidence): Generator<CheckOutcome> {
  const pointer = `header:${evidence.spec.quota.limit}`;
  const expected = 'the four quota headers, as on refusals by the API';
  for (const answer of answersOfOperations(evidence)) {
    if (!isRefusal(answer) || explainHiddenApi(answer, evidence) !== undefined) continue;
    if (isOfGateway(answer, evidence)) {
      const [label = 'no Content-Type'] = headersNamed(answer, 'content-type') ?? [];
      const actual = `status ${answer.status} without them, in another form than refusals by the API (${shorten(label)})`;
      yield { breach: { answer, pointer, expected, actual } };
    } else if (isWholeQuota(answer.quota)) yield { judged: answer };
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
    shows: 'missing',
    ...quotaMust,
    statement:
      'Every answer of the API carries the four quota headers, each exactly once and as a whole number.',
    broken: 'Answers lack quota headers',
    why: 'Clients plan their requests by these headers and need them most on refusals.',
    exactly:
      "each name once, `^\\d+$`, on successes and on the API's own refusals alike. §8 means the answers of the API: 502 to 504 and 520 to 530 are an intermediary's, and so is a refusal or redirect that lacks some of the headers and has another media type, or other members, than every refusal that has them all. Where no refusal has any, those of parameters to the key that are labeled as successes are, or as problem details, are the API's own.",
    restsOn: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    needs: [...anyAnswer, ...withoutKey, faultyNeed('from-left-out'), faultyNeed('pool-unknown')],
    namesFields: true,
    check: checkPresence,
  },
  {
    id: 'quota/gateways-carry-the-headers',
    shows: 'missing',
    ...quotaShould,
    statement: 'A refusal by a gateway or firewall in front of the API carries the quota headers too.',
    broken: 'Refusals by a gateway lack quota headers',
    why: 'A client that plans by these headers loses sight of its allowance. The document promises them for the answers of the API, so that those of a gateway break no must.',
    exactly:
      "a refusal or redirect is a gateway's where it lacks some of the headers and its body has another form than the API's own refusals.",
    restsOn: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    noFaultReason:
      'The service of the proof has no gateway in front of it; a table of edges has, each with what it breaks.',
    needs: [...withoutKey, faultyNeed('from-left-out'), faultyNeed('pool-unknown')],
    check: checkGateways,
  },
  {
    id: 'quota/counts-every-request',
    shows: 'miscounted',
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
    shows: 'going back',
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
