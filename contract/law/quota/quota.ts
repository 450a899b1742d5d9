import { stamp } from '../../document/interval.ts';
import type { QuotaRole } from '../../document/roles.ts';
import { shorten } from '../../reading/describe.ts';
import { headerValues } from '../../reading/exchange.ts';
import type { Answer } from '../../reading/reading.ts';
import { dateLagSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { anyAnswer, latestInEachInterval } from '../needs.ts';
import { faulty, withoutKey } from '../refusal-needs.ts';
import type { Rule, Sight } from '../rule.ts';
import { isIntermediary } from '../transport/intermediary.ts';
import {
  type Counted,
  checkCounting,
  checkForward,
  counted,
  monthMates,
  quotaBreach,
} from './quota-counting.ts';

/** A month's reset can lie at most this far ahead, a day of grace for zones included. */
const longestMonth = 32 * 86_400;

/** Epoch milliseconds of today are above this, epoch seconds and durations far below. */
const leastMilliseconds = 1e12;

function* checkPresence({ answers, spec }: Evidence): Generator<Sight> {
  const accepts = spec.operations[0]?.acceptsHeader;
  for (const answer of answers) {
    const { complete, headers, status = 0 } = answer;
    if (!complete || !headers || isIntermediary(status)) continue;
    // Unknown paths and other methods may be answered in front of the service.
    if (!answer.requested || answer.exchange.request.method !== 'GET') continue;
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

/** A check of the numbers of one answer to our own key. */
function eachCount(header: QuotaRole, test: (answer: Counted) => string | undefined): Rule['check'] {
  return function* check(evidence) {
    for (const answer of counted(evidence)) {
      yield { judged: answer };
      const expected = test(answer);
      if (expected !== undefined) yield { breach: quotaBreach(evidence, answer, header, expected) };
    }
  };
}

/** A check that one header keeps its value within the month, which only a clock can tell from the next. */
function staysInMonth(header: QuotaRole): Rule['check'] {
  return function* check(evidence) {
    for (const [before, after] of monthMates(evidence)) {
      if (header === 'reset' && after.serverNow === undefined) continue;
      yield { judged: after };
      if (before.quota[header] !== after.quota[header]) {
        yield { breach: quotaBreach(evidence, after, header, `${before.quota[header]}, as before`) };
      }
    }
  };
}

function* checkReset(evidence: Evidence): Generator<Sight> {
  for (const answer of counted(evidence)) {
    const { serverNow } = answer as Answer;
    if (serverNow === undefined || answer.quota.reset <= leastMilliseconds) continue;
    yield { judged: answer };
    const reset = answer.quota.reset / 1000;
    if (reset > serverNow - dateLagSeconds && reset <= serverNow + longestMonth) continue;
    yield { breach: quotaBreach(evidence, answer, 'reset', `within a month after ${stamp(serverNow)}`) };
  }
}

export const quotaRules: readonly Rule[] = [
  {
    id: 'quota/headers-on-every-answer',
    section: '8',
    level: 'must',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    restsOnOurs: true,
    statement: 'Each answer carries the four quota headers, each once and as a whole number.',
    why: 'Clients plan their requests by them, and need them most on refusals.',
    exactly:
      "each name once, `^\\d+$`, on successes and refusals alike; 502, 503 and 504 are an intermediary's.",
    restsOn: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    needs: [...anyAnswer, ...withoutKey, faulty('from-left-out'), faulty('pool-unknown')],
    check: checkPresence,
  },
  {
    id: 'quota/remaining-is-within-limit',
    section: '8',
    level: 'must',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    restsOnOurs: true,
    statement: 'The limit is above zero, and what remains is at most the limit.',
    why: 'More left than allowed makes any plan wrong.',
    exactly: '0 < limit, remaining ≤ limit.',
    restsOn: ['quota-limit', 'quota-remaining'],
    needs: anyAnswer,
    check: eachCount('remaining', ({ quota: { limit, remaining } }) =>
      limit > 0 && remaining <= limit ? undefined : `at most the limit of ${limit}, which is above zero`,
    ),
  },
  {
    id: 'quota/additional-only-beyond-limit',
    section: '8',
    level: 'must',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    restsOnOurs: true,
    statement: 'Additional requests are counted only when nothing remains, and are 0 until then.',
    why: 'The document says so, and they may be billed.',
    exactly: 'remaining > 0 ⇒ additional = 0.',
    restsOn: ['quota-remaining', 'quota-additional'],
    needs: anyAnswer,
    check: eachCount('additional', ({ quota: { remaining, additional } }) =>
      remaining > 0 && additional > 0 ? `0 while ${remaining} requests remain` : undefined,
    ),
  },
  {
    id: 'quota/counts-every-request',
    section: '8',
    level: 'must',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    restsOnOurs: true,
    statement: 'Each request moves the counters by exactly one: remaining down, or additional-total up.',
    why: 'A plan is spent twice as fast where a request is charged twice.',
    exactly:
      'use = limit − remaining + additional. From one success to the next it moves by 1, and by up to 1 more for each failed or refused request between them. More than that is a breach only where nobody else uses the key, or where one operation alone is always charged the same excess.',
    restsOn: ['quota-remaining', 'quota-additional'],
    needs: [...anyAnswer, ...latestInEachInterval],
    check: checkCounting,
  },
  {
    id: 'quota/never-runs-backwards',
    section: '8',
    level: 'must',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    restsOnOurs: true,
    statement: 'Within a month neither the use of the quota nor the additional total falls.',
    why: 'Counters that jump back are kept apart by several servers, or lost.',
    exactly: 'use and additional do not fall, but within 120 s of the reset.',
    restsOn: ['quota-remaining', 'quota-additional'],
    needs: [...anyAnswer, ...latestInEachInterval],
    check: checkForward,
  },
  {
    id: 'quota/limit-is-constant',
    section: '8',
    level: 'should',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    statement: 'The limit stays the same within a run.',
    why: 'It is agreed for the month; a limit that moves with use is another number.',
    restsOn: ['quota-limit'],
    needs: anyAnswer,
    check: staysInMonth('limit'),
  },
  {
    id: 'quota/reset-is-in-milliseconds',
    section: '8',
    level: 'must',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    restsOnOurs: true,
    statement: 'The reset is a Unix time in milliseconds.',
    why: 'Taken for milliseconds, a time in seconds lies in 1970: clients never wait.',
    exactly: 'reset > 10¹².',
    restsOn: ['quota-reset'],
    needs: anyAnswer,
    check: eachCount('reset', ({ quota: { reset } }) =>
      reset > leastMilliseconds ? undefined : 'Unix milliseconds',
    ),
  },
  {
    id: 'quota/reset-is-within-a-month',
    section: '8',
    level: 'should',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    statement: 'The reset lies in the future, at most a month ahead.',
    why: 'It is typically the end of the month; a reset in the past says that nobody keeps it.',
    exactly: 'now − 2 < reset ÷ 1000 ≤ now + 32 days.',
    restsOn: ['quota-reset'],
    needs: anyAnswer,
    check: checkReset,
  },
  {
    id: 'quota/reset-is-constant',
    section: '8',
    level: 'should',
    uses: ['quota-limit', 'quota-remaining', 'quota-additional', 'quota-reset'],
    statement: 'The reset stays the same until it is reached.',
    why: 'A reset that moves on with every answer never comes.',
    exactly: 'one value, but within 120 s of the reset.',
    restsOn: ['quota-reset'],
    needs: anyAnswer,
    check: staysInMonth('reset'),
  },
];
