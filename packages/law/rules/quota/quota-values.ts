import { stamp } from '@candleproof/document/spec/interval';
import type { QuotaRole } from '@candleproof/document/spec/roles';
import type { Answer } from '../../reading/reading.ts';
import { dateLagSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { anyAnswer } from '../needs.ts';
import { faultyNeed } from '../refusal-needs.ts';
import type { CheckOutcome, Need, Rule } from '../rule.ts';
import { shown } from './quota.ts';
import {
  addressed,
  type Counted,
  counted,
  monthMates,
  quotaBreach,
  quotaMust,
  quotaShould,
} from './quota-counting.ts';

/** The furthest that a month's reset can lie ahead, with a day of grace for zones. */
const longestMonth = 32 * 86_400;

/** Epoch milliseconds of today are above this; epoch seconds and durations are far below. */
const leastMilliseconds = 1e12;

/** Makes a check of the numbers of every answer to the run's key. */
function countCheck(header: QuotaRole, test: (answer: Counted) => string | undefined): Rule['check'] {
  return function* check(evidence) {
    for (const answer of shown(evidence)) {
      yield { judged: answer };
      const expected = test(answer);
      if (expected !== undefined) yield { breach: quotaBreach(evidence, answer, header, expected) };
    }
  };
}

/** Makes a check that one header keeps its value within the month, which takes the server's time. */
function staysInMonth(header: QuotaRole, pick: (evidence: Evidence) => readonly Counted[]): Rule['check'] {
  return function* check(evidence) {
    for (const [before, after] of monthMates(pick(evidence), evidence)) {
      if (header === 'reset' && after.serverNow === undefined) continue;
      yield { judged: after };
      if (before.quota[header] !== after.quota[header]) {
        yield { breach: quotaBreach(evidence, after, header, `${before.quota[header]}, as before`) };
      }
    }
  };
}

function* checkReset(evidence: Evidence): Generator<CheckOutcome> {
  for (const answer of counted(evidence)) {
    const { serverNow } = answer as Answer;
    if (serverNow === undefined || answer.quota.reset <= leastMilliseconds) continue;
    yield { judged: answer };
    const reset = answer.quota.reset / 1000;
    if (reset > serverNow - dateLagSeconds && reset <= serverNow + longestMonth) continue;
    yield { breach: quotaBreach(evidence, answer, 'reset', `within a month after ${stamp(serverNow)}`) };
  }
}

const isWithinLimit = countCheck('remaining', ({ quota: { limit, remaining } }) =>
  limit > 0 && remaining <= limit ? undefined : `at most the limit of ${limit}, which is above zero`,
);

const isWithoutAdditional = countCheck('additional', ({ quota: { remaining, additional } }) =>
  remaining > 0 && additional > 0 ? `0 while ${remaining} requests remain` : undefined,
);

const isInMilliseconds = countCheck('reset', ({ quota: { reset } }) =>
  reset > leastMilliseconds ? undefined : 'Unix milliseconds',
);

/** Refusals show the same month; every run requests two of them with its key. */
const needs: readonly Need[] = [...anyAnswer, faultyNeed('from-left-out'), faultyNeed('pool-unknown')];

/** Rules of the headers of one answer, and of values that stay the same within a month. */
export const quotaValueRules: readonly Rule[] = [
  {
    id: 'quota/remaining-is-within-limit',
    shows: 'out of range',
    ...quotaMust,
    statement: 'The limit is above zero, and the remaining requests are at most the limit.',
    broken: 'More requests remain than the limit allows',
    why: 'A remainder above the limit makes any plan wrong.',
    exactly: '0 < limit, remaining ≤ limit.',
    restsOn: ['quota-limit', 'quota-remaining'],
    needs,
    check: isWithinLimit,
  },
  {
    id: 'quota/additional-only-beyond-limit',
    shows: 'out of range',
    ...quotaMust,
    statement: 'Additional requests are counted only when nothing remains, and are 0 until then.',
    broken: 'Additional requests are counted within the limit',
    why: 'The document says so, and they may be billed.',
    exactly: 'remaining > 0 ⇒ additional = 0.',
    restsOn: ['quota-remaining', 'quota-additional'],
    needs,
    check: isWithoutAdditional,
  },
  {
    id: 'quota/limit-is-constant',
    shows: 'changing',
    ...quotaShould,
    statement: 'The limit stays the same within a run.',
    broken: 'The quota limit changes within a run',
    why: 'It is agreed for the month; a limit that moves with use is another number.',
    restsOn: ['quota-limit'],
    needs,
    check: staysInMonth('limit', addressed),
  },
  {
    id: 'quota/reset-is-in-milliseconds',
    shows: 'other unit',
    ...quotaMust,
    statement: 'The reset is a Unix time in milliseconds.',
    broken: 'The quota reset is not in milliseconds',
    why: 'Read as milliseconds, a time in seconds lies in 1970, so clients never wait.',
    exactly: 'reset > 10¹².',
    restsOn: ['quota-reset'],
    needs,
    check: isInMilliseconds,
  },
  {
    id: 'quota/reset-is-within-a-month',
    shows: 'out of range',
    ...quotaShould,
    statement: 'The reset lies in the future, at most a month ahead.',
    broken: 'The quota reset is not within a month',
    why: 'It is typically the end of the month; a reset in the past is not being maintained.',
    exactly: 'now − 2 < reset ÷ 1000 ≤ now + 32 days.',
    restsOn: ['quota-reset'],
    needs: anyAnswer,
    check: checkReset,
  },
  {
    id: 'quota/reset-is-constant',
    shows: 'changing',
    ...quotaShould,
    statement: 'The reset stays the same until it is reached.',
    broken: 'The quota reset moves before it is reached',
    why: 'A reset that moves with every answer never comes.',
    exactly: 'one value, except within 120 s of the reset.',
    restsOn: ['quota-reset'],
    needs: anyAnswer,
    check: staysInMonth('reset', counted),
  },
];
