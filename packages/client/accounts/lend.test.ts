import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { settle } from './ledger.ts';
import { expire, type Ledger, longestSilence, newLedger, rebase, reserve } from './ledger-state.ts';
import { type LendRequest, lend } from './lend.ts';
import { RequestTally } from './request-tally.ts';
import { HonestService } from './testing/honest-service.ts';

const reset = Date.UTC(2026, 10, 1) - 1;
const begin = Date.UTC(2026, 9, 1);
const all: LendRequest = { most: 60, reserve: 0 };

/** Returns the ledger of a key of which so many of 1,000 requests are left. */
function leaving(remaining: number): Ledger {
  return rebase(newLedger, { at: begin, quota: { limit: 1000, remaining, additional: 0, reset } });
}

test('what is left is lent, up to the number that was wanted', () => {
  expect(lend(leaving(10), all, begin)).toMatchObject({ verdict: 'lend', n: 10 });
  expect(lend(leaving(500), all, begin)).toMatchObject({ verdict: 'lend', n: 60 });
});

test('a spent month lends nothing, and says what is left and until when', () => {
  expect(lend(leaving(0), all, begin)).toEqual({
    verdict: 'spent',
    left: { remaining: 0, limit: 1000, reset, kept: 0, reserved: 0 },
  });
});

test('a declared reserve is never lent', () => {
  expect(lend(leaving(107), { ...all, reserve: 10 }, begin)).toMatchObject({ verdict: 'lend', n: 7 });
  expect(lend(leaving(100), { ...all, reserve: 10 }, begin)).toMatchObject({
    verdict: 'spent',
    left: { remaining: 100, kept: 100 },
  });
});

test('what another holder has reserved is not lent again, and what the counters show of it is not counted twice', () => {
  const theirs = reserve(leaving(40), 'theirs', 30, begin);
  expect(lend(theirs, all, begin)).toMatchObject({ verdict: 'lend', n: 10 });
  const { theirs: own } = theirs.open;
  if (!own) throw new Error('not reserved');
  const shown: Ledger = {
    ...rebase(theirs, { at: begin, quota: { limit: 1000, remaining: 20, additional: 0, reset } }),
    open: { theirs: { ...own, shown: 20 } },
  };
  expect(lend(shown, all, begin)).toMatchObject({ verdict: 'lend', n: 10 });
  expect(lend(reserve(leaving(40), 'theirs', 40, begin), all, begin)).toMatchObject({
    verdict: 'spent',
    left: { remaining: 40, reserved: 40 },
  });
});

test('an unknown month, and one that is over, lets one request out, and everybody else waits for its answer', () => {
  for (const ledger of [newLedger, leaving(0)]) {
    const late = reset + 200_000;
    expect(lend(ledger, all, late)).toEqual({ verdict: 'scout' });
    expect(lend(reserve(ledger, 'scout', 1, late), all, late)).toEqual({ verdict: 'wait' });
  }
  expect(lend(leaving(5), { ...all, isFresh: true }, reset + 200_000)).toMatchObject({
    verdict: 'lend',
    n: 5,
  });
});

test('a spent month that the service still shows after its reset by our clock costs one request an hour', () => {
  const late = reset + 7_200_000;
  const scouted = (at: number): Ledger => {
    const taken = reserve(leaving(0), 'scout', 1, late);
    const quota = { limit: 1000, remaining: 0, additional: 1, reset };
    const spent = { sent: 1, doubtful: 0, answered: 1, newest: { at, quota } };
    return settle(taken, 'scout', spent, late).ledger;
  };
  for (const at of [late, reset - 7_200_000]) {
    expect(lend(scouted(at), all, late + 1000)).toMatchObject({ verdict: 'spent' });
    expect(lend(scouted(at), all, late - 1000)).toMatchObject({ verdict: 'spent' });
    expect(lend(scouted(at), all, late + 3_600_000)).toEqual({ verdict: 'scout' });
  }
  // By its own clock, the service has reached the reset in the meantime.
  expect(lend(scouted(reset - 1000), all, late + 120_000)).toMatchObject({ verdict: 'spent' });
  expect(lend(scouted(reset - 1000), all, late + 121_000)).toEqual({ verdict: 'scout' });
});

test('doubt alone stops nothing: one more request settles it', () => {
  const killed = reserve(leaving(20), 'killed', 60, begin);
  const doubted = expire(killed, begin + longestSilence + 1);
  expect(lend(doubted, all, begin)).toMatchObject({ verdict: 'scout' });
  const spent = expire(reserve(leaving(0), 'killed', 60, begin), begin + longestSilence + 1);
  expect(lend(spent, all, begin)).toMatchObject({ verdict: 'spent' });
});

test('a key without a limit is not bounded by one', () => {
  const unlimited = rebase(newLedger, { at: begin, quota: { limit: 0, remaining: 0, additional: 0, reset } });
  expect(lend(unlimited, all, begin)).toEqual({ verdict: 'scout' });
});

/** The next step of a command: it asks for requests, sends one, or ends. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('ask', 'send', 'answer', 'lose', 'end'),
    pick: fc.nat(9),
    n: fc.integer({ min: 1, max: 20 }),
  }),
  { maxLength: 120 },
);

test('whatever the order, commands of one ledger never send beyond what was left', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 60 }), fc.boolean(), (drawn, left, isKnown) => {
      const limit = 100;
      const service = new HonestService(limit, limit - left);
      const quota = { limit, remaining: left, additional: 0, reset: service.reset };
      let ledger = isKnown ? rebase(newLedger, { at: 0, quota }) : newLedger;
      const commands: { id: string; left: number; tally: RequestTally }[] = [];
      let [ids, lost] = [0, 0];
      for (const { kind, pick, n } of drawn) {
        const at = pick % Math.max(1, commands.length);
        const command = commands[at];
        if (kind === 'answer' || kind === 'lose') {
          service.simulate(kind === 'answer' ? 'charge' : 'lose', pick);
          service.simulate('answer', pick);
          if (kind === 'lose') lost += 1;
        } else if (kind === 'ask') {
          const lending = lend(ledger, { most: n, reserve: 0 }, service.now);
          if (lending.verdict === 'wait' || lending.verdict === 'spent') continue;
          const id = `r${++ids}`;
          const lent = lending.verdict === 'lend' ? lending.n : 1;
          ledger = reserve(ledger, id, lent, service.now);
          commands.push({ id, left: lent, tally: new RequestTally() });
        } else if (kind === 'send' && command && command.left > 0) {
          command.left -= 1;
          const land = command.tally.leave();
          service.send(command.id, (answer) => land(answer && { at: service.now, quota: answer }));
        } else if (kind === 'end' && command) {
          service.finish(command.id);
          commands.splice(at, 1);
          ({ ledger } = settle(ledger, command.id, command.tally.spent, service.now));
        }
      }
      service.finish();
      // The one request that finds out about a month that nobody knows may be the first beyond it.
      const scouts = isKnown ? 0 : Math.max(0, 1 - left);
      // Nor can anybody know whether a request without an answer was counted before one more is answered.
      expect(service.used).toBeLessThanOrEqual(limit + scouts + lost);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 3000 : 300 },
  );
});
