import { countUsage, isWholeQuota } from '../../reading/quota.ts';
import type { Answer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { nearMisses, trialCredential } from '../error-cases.ts';
import { allWeeks } from '../needs.ts';
import { aroundRefusals, withoutKey, withWrongKeys } from '../refusal-needs.ts';
import type { CheckOutcome, Need, Rule } from '../rule.ts';
import { type Counted, isOurs, quotaBreach, quotaMust, quotaShould } from './quota-counting.ts';
import { countsSingly, sequentialSteps } from './quota-steps.ts';

/** An answer to the second key between two to the first. */
const besideOurs: readonly Need[] = [
  allWeeks,
  { role: 'history', interval: 'day', range: 'closed week', trial: 'other-key' },
  { ...allWeeks, inverted: true },
];

function* checkApart(evidence: Evidence): Generator<CheckOutcome> {
  const { answers, target } = evidence;
  const isOther = ({ exchange }: Answer): boolean =>
    exchange.request.credential === trialCredential('other-key');
  if (!answers.some(isOther)) yield { undecided: 'it takes a second key (--other-key-file)', dead: true };
  for (const { before, after, moved, doubtful } of sequentialSteps(evidence)) {
    const between = answers.filter(({ index }) => index > before.index && index < after.index);
    if (between.length === 0 || !between.every((answer) => isOther(answer) && answer.success)) continue;
    if (moved === 1) yield { judged: after };
    else if (target.soleUser && moved === 1 + doubtful && countsSingly(evidence)) {
      const expected = 'one request more than before: the other was another key’s';
      yield { breach: quotaBreach(evidence, after, 'remaining', expected, `${moved} more`) };
    }
  }
}

const strangers: readonly string[] = nearMisses.map(trialCredential);

/** Returns whether a refusal's counters are the run's at that moment, allowing for the refusals since. */
function* checkNoAccount(evidence: Evidence): Generator<CheckOutcome> {
  const ours = evidence.answers.filter(isOurs);
  const refused = evidence.answers.filter(
    (answer): answer is Counted => isRefusedStranger(answer) && isWholeQuota(answer.quota),
  );
  const tracking = refused.flatMap((answer) => {
    const last = ours.findLast((our) => our.index < answer.index);
    if (!last || last.quota.limit !== answer.quota.limit || last.quota.limit === 0) return [];
    const ahead = countUsage(answer.quota) - countUsage(last.quota);
    return ahead >= 0 && ahead <= answer.index - last.index ? [{ answer, at: countUsage(last.quota) }] : [];
  });
  const isMoving = new Set(tracking.map(({ at }) => at)).size > 1 && tracking.length === refused.length;
  for (const answer of refused) {
    if (!isMoving) yield { judged: answer };
    else {
      const expected = 'counters of nobody’s';
      const actual = `${countUsage(answer.quota)} requests used, as of our key`;
      yield { breach: quotaBreach(evidence, answer, 'remaining', expected, actual) };
    }
  }
}

function isRefusedStranger({ exchange, status, complete }: Answer): boolean {
  const { credential } = exchange.request;
  const isStranger = credential === 'none' || strangers.includes(credential);
  return complete && isStranger && (status === 401 || status === 403);
}

export const accountRules: readonly Rule[] = [
  {
    id: 'quota/keys-are-counted-apart',
    shows: 'miscounted',
    ...quotaMust,
    statement: 'The use of one key does not move the counters of another.',
    broken: 'One key uses up the quota of another',
    why: 'The allowance is agreed per key; otherwise a test could spend what production needs.',
    exactly:
      'use of the first key moves by 1 from its answer before a request with the second to its answer after it.',
    restsOn: ['quota-remaining', 'key'],
    needs: besideOurs,
    check: checkApart,
  },
  {
    id: 'quota/refusals-show-no-account',
    shows: 'disclosed',
    ...quotaShould,
    statement: 'A refusal does not show the counters of a key that the request did not carry.',
    broken: 'Refusals show the counters of another key',
    why: 'They belong to somebody else, and reveal to everyone how many requests that user sends.',
    exactly:
      'a breach where the counters of all refusals have our limit, and their use lies between ours and ours plus what was requested since, while ours moves.',
    restsOn: ['quota-limit', 'quota-remaining'],
    needs: [...aroundRefusals, ...withoutKey, ...withWrongKeys],
    check: checkNoAccount,
  },
];
