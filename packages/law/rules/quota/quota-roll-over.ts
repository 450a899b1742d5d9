import { stamp } from '@candleproof/document/spec/interval';
import { countUsage } from '../../reading/quota.ts';
import { rollOverSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { groupFlights } from '../../relations/flights.ts';
import { anyAnswer, latestInEachInterval } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { type Counted, counted, quotaBreach, quotaMust, quotaShould } from './quota-counting.ts';

const day = 86_400_000;

/** A month has 28 to 31 days, and an hour more or less if clocks change in it. */
const monthMs = { least: 28 * day - 3_600_000, most: 31 * day + 3_600_000 };

type RollOver = {
  /** The last answer before the reset that it reported, and the first one well after it. */
  readonly before: Counted;
  readonly after: Counted;
  /** The most of our requests since that reset that the last answer may count, whichever machine answered them. */
  readonly used: number;
};

function listRollOvers(evidence: Evidence): RollOver[] {
  const all = counted(evidence);
  return all.flatMap((before, index) => {
    const reset = before.quota.reset;
    const isLast = (all[index + 1]?.serverNow ?? 0) * 1000 >= reset;
    const after = all.find((answer) => (answer.serverNow ?? 0) * 1000 >= reset + rollOverSeconds * 1000);
    if (!isLast || !after || before.quota.reset < 1e12 || (before.serverNow ?? Infinity) * 1000 >= reset)
      return [];
    // Any of the requests that were under way together may have been counted first.
    const together = groupFlights(evidence.answers).find((flight) => flight.includes(after)) ?? [after];
    return [{ before, after, used: Math.max(...together.map(({ index }) => index)) - before.index }];
  });
}

/** A run of seconds seldom spans the end of a month. */
const noReset: CheckOutcome = { undecided: 'no reset passed between two answers', dead: true };

/** Checks that after the reported reset another one is reported, and the use of the month before is gone. */
function* checkReset(evidence: Evidence): Generator<CheckOutcome> {
  const rollOvers = listRollOvers(evidence);
  if (rollOvers.length === 0) yield noReset;
  for (const rollOver of rollOvers) {
    const { before, after } = rollOver;
    if (after.quota.reset <= before.quota.reset) {
      yield {
        breach: quotaBreach(
          evidence,
          after,
          'reset',
          `a time after ${stamp(roundReset(before))}, which has passed`,
        ),
      };
    } else if (isKept(rollOver, evidence.target.soleUser)) {
      const header = after.quota.additional > 0 ? 'additional' : 'remaining';
      yield {
        breach: quotaBreach(
          evidence,
          after,
          header,
          `counters that began anew at ${stamp(roundReset(before))}`,
        ),
      };
    } else yield { judged: after };
  }
}

/** Others may have used the key as much again; as its sole user, the run knows its use since. */
function isKept({ before, after, used: spent }: RollOver, soleUser: boolean): boolean {
  const used = countUsage(after.quota);
  return soleUser ? used > spent : used === countUsage(before.quota) + spent && used > spent;
}

function* checkMonth(evidence: Evidence): Generator<CheckOutcome> {
  const rollOvers = listRollOvers(evidence);
  if (rollOvers.length === 0) yield noReset;
  for (const { before, after } of rollOvers) {
    const passed = after.quota.reset - before.quota.reset;
    if (passed <= 0) continue;
    if (passed >= monthMs.least && passed <= monthMs.most) yield { judged: after };
    else
      yield { breach: quotaBreach(evidence, after, 'reset', `a month after ${stamp(roundReset(before))}`) };
  }
}

/** Rounds a reset, which may be the last millisecond of its month. */
function roundReset({ quota }: Counted): number {
  return Math.ceil(quota.reset / 1000);
}

export const rollOverRules: readonly Rule[] = [
  {
    id: 'quota/resets-at-its-time',
    shows: 'miscounted',
    ...quotaMust,
    statement: 'At the reset the counters start over and a new reset is reported.',
    broken: 'The counters do not start over at the reset',
    why: 'Otherwise clients that waited for it are locked out for another month.',
    exactly:
      'from 120 s after the reset on, a later reset is reported, and use is what we have requested since. Where others use the key, it is a breach if use continued as if nothing had been reset.',
    restsOn: ['quota-reset', 'quota-remaining', 'quota-additional'],
    needs: [...anyAnswer, ...latestInEachInterval],
    check: checkReset,
  },
  {
    id: 'quota/resets-are-a-month-apart',
    shows: 'miscounted',
    ...quotaShould,
    statement: 'The next reset is a month after the last.',
    broken: 'Resets are not a month apart',
    why: 'The allowance is agreed by the month.',
    exactly: '28 to 31 days, give or take an hour.',
    restsOn: ['quota-reset'],
    needs: [...anyAnswer, ...latestInEachInterval],
    check: checkMonth,
  },
];
