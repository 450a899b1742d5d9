import { usualShares } from '@candleproof/law/planning/allowance';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { currentAccount, type GrantRequest, grant, spareWithoutLedger } from './grant.ts';
import { type Ledger, newLedger, rebase, reserve } from './ledger-state.ts';

const day = 86_400_000;
const reset = Date.UTC(2026, 10, 1) - 1;
const begin = Date.UTC(2026, 9, 1);

/** Returns the ledger of a key with one known answer. */
function known(used: number, limit = 10_000, at = begin): Ledger {
  return rebase(newLedger, { at, quota: { limit, remaining: limit - used, additional: 0, reset } });
}

const light: GrantRequest = { purpose: 'monitor', cost: 3, need: 5000, credit: 0 };

test('a probe within its share runs at every slot', () => {
  expect(grant(known(0), 0, usualShares, light, begin)).toEqual({ verdict: 'run', credit: 0 });
});

test('a key that lacks two of its first requests skips no slot for hundreds of them', () => {
  const ask = { purpose: 'monitor', cost: 1, need: 1801, credit: 0 } as const;
  let credit = 0;
  for (let slot = 0; slot < 300; slot++) {
    const granted = grant(known(1, 3000), 0, usualShares, { ...ask, credit }, begin);
    expect([slot, granted.verdict]).toEqual([slot, 'run']);
    credit = granted.credit;
  }
});

test('where half the need is left every second slot runs', () => {
  let credit = 0;
  const verdicts = Array.from({ length: 8 }, () => {
    const granted = grant(known(3500), 0, usualShares, { ...light, credit }, begin);
    credit = granted.credit;
    return granted.verdict;
  });
  expect(verdicts).toEqual(['run', 'skip', 'run', 'skip', 'run', 'skip', 'run', 'skip']);
});

test('a shortage runs its exact share of the slots', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 6000 }), (left) => {
      let [credit, runs] = [0, 0];
      for (let slot = 0; slot < 500; slot++) {
        const ask = { ...light, need: 6000, credit };
        const granted = grant(known(6000 - left), 0, usualShares, ask, begin);
        credit = granted.credit;
        if (granted.verdict === 'run') runs += 1;
      }
      expect(Math.abs(runs - (500 * left) / 6000)).toBeLessThan(1.01);
    }),
  );
});

test('nothing runs that would touch the reserve, nor what others have reserved', () => {
  const ask = { ...light, need: 3 };
  expect(grant(known(8997), 0, usualShares, ask, reset).verdict).toBe('run');
  expect(grant(known(8998), 0, usualShares, ask, reset)).toMatchObject({ verdict: 'skip', why: 'reserve' });
  const beside = reserve(known(8997), 'other', 1, reset);
  expect(grant(beside, 0, usualShares, ask, reset)).toMatchObject({ verdict: 'skip', why: 'reserve' });
  expect(grant(known(8997), 1, usualShares, ask, reset)).toMatchObject({ verdict: 'skip', why: 'reserve' });
});

test('a service that charges twice halves what is left', () => {
  const twice = { ...known(0), charge: 2 };
  expect(grant(twice, 0, usualShares, { ...light, need: 6000 }, begin)).toEqual({
    verdict: 'run',
    credit: -0.5,
  });
});

test('an unknown account is found out by one slot at a time', () => {
  expect(grant(newLedger, 0, usualShares, light, begin).verdict).toBe('run');
  const requested = reserve(newLedger, 'a', 3, begin);
  expect(grant(requested, 0, usualShares, light, begin)).toMatchObject({ verdict: 'skip', why: 'unknown' });
  expect(grant(newLedger, 0, usualShares, { ...light, isDear: true }, begin)).toEqual({
    verdict: 'skip',
    why: 'unknown',
    credit: 0,
  });
  expect(currentAccount(newLedger, 0, begin)).toBeUndefined();
});

test('a spent key asks again once its month is over, and hourly where it is not', () => {
  const spent = known(9500);
  const over = reset + 300_000;
  expect(grant(spent, 0, usualShares, light, reset).verdict).toBe('skip');
  expect(grant(spent, 0, usualShares, light, over).verdict).toBe('run');
  const overdue = known(9501, 10_000, over);
  expect(grant(overdue, 0, usualShares, light, over + 900_000).verdict).toBe('skip');
  expect(grant(overdue, 0, usualShares, light, over + 3_600_000).verdict).toBe('run');
});

test('a holder without the ledger keeps more than the reserve, the more the older its newest answer is', () => {
  expect(spareWithoutLedger(known(0), begin)).toBe(100);
  expect(spareWithoutLedger(known(0), begin + 3 * day)).toBe(2100);
  expect(spareWithoutLedger(newLedger, begin)).toBe(0);
});

const recheck: GrantRequest = { ...light, mayRecheck: true };

/** Returns the grant of a slot of three requests, with `left` requests remaining after the last answer. */
function rechecked(left: number, ask = recheck, after = day, more: Partial<Ledger> = {}) {
  return grant({ ...known(10_000 - left), ...more }, 0, usualShares, ask, begin + after);
}

test('a stopped key is rechecked from its reserve a day after its last answer', () => {
  expect(rechecked(900, recheck, day - 1)).toMatchObject({ verdict: 'skip', why: 'reserve' });
  const granted = rechecked(900);
  expect(granted).toMatchObject({ verdict: 'run', recheck: { at: begin + day, reset, requests: 3 } });
  const noted = granted.verdict === 'run' && granted.recheck ? { rechecks: granted.recheck } : {};
  // Its answer may never come.
  expect(rechecked(900, recheck, 2 * day - 1, noted)).toMatchObject({ verdict: 'skip', why: 'reserve' });
  expect(rechecked(900, recheck, 2 * day, noted)).toMatchObject({ recheck: { requests: 6 } });
  expect(rechecked(900, light)).toMatchObject({ verdict: 'skip', why: 'reserve' });
  expect(rechecked(3).verdict).toBe('run');
});

test('a killed check near the reserve keeps the probes waiting for an hour, not for a day', () => {
  const doubts = { killed: { n: 3000, ended: 1 } };
  const eve = reset - begin - 2 * day;
  const granted = (more: Partial<Ledger>, after: number) => {
    const ledger = { ...known(6500, 10_000, begin + eve), ...more };
    return grant(ledger, 0, usualShares, { ...recheck, need: 100 }, begin + eve + after);
  };
  expect(granted({ doubts }, 3_600_000)).toMatchObject({ recheck: { requests: 3 } });
  expect(granted({ doubts }, 3_599_999)).toMatchObject({ verdict: 'skip', why: 'reserve' });
  expect(granted({}, 3_600_000).verdict).toBe('run');
  const failed = { failed: { n: 3, ended: 1 } };
  expect(rechecked(900, recheck, day - 1, { doubts: failed })).toMatchObject({ verdict: 'skip' });
});

test('a key below the cost of a recheck, or whose reserve rechecks have spent, waits for its reset', () => {
  expect(rechecked(2)).toMatchObject({ verdict: 'skip', why: 'reserve' });
  expect(rechecked(5, recheck, day, { charge: 2 })).toMatchObject({ verdict: 'skip', why: 'reserve' });
  const spent = { at: begin, reset, requests: 998 };
  expect(rechecked(900, recheck, day, { rechecks: spent })).toMatchObject({
    verdict: 'skip',
    why: 'reserve',
  });
  // Rechecks of another month do not count.
  expect(rechecked(900, recheck, day, { rechecks: { ...spent, reset: begin - 1 } }).verdict).toBe('run');
  const unreserved = { ...usualShares, monitor: 70, reserve: 0 };
  expect(grant(known(9999), 0, unreserved, recheck, begin + day)).toMatchObject({ verdict: 'skip' });
});

test('a month shared with a foreign user thins out evenly and lasts to its last day', () => {
  const quarter = 900_000;
  const perDay = new Array<number>(31).fill(0);
  let [used, credit] = [0, 0];
  for (let now = begin; now < reset; now += quarter) {
    const date = Math.floor((now - begin) / day);
    // Checks and load runs spend their shares; for four days, another user spends more.
    used += date >= 10 && date < 14 ? 7 : 1;
    const need = 2 * Math.ceil((reset - now) / quarter);
    const granted = grant(known(used), 0, usualShares, { ...light, cost: 2, need, credit }, now);
    credit = granted.credit;
    if (granted.verdict === 'skip') continue;
    used += 2;
    perDay[date] = (perDay[date] ?? 0) + 1;
  }
  expect(perDay.slice(0, 10)).toEqual(new Array(10).fill(96));
  const after = perDay.slice(15, 30);
  expect(Math.min(...after)).toBeGreaterThan(30);
  expect(Math.max(...after) - Math.min(...after)).toBeLessThanOrEqual(8);
  expect(10_000 - used).toBeGreaterThanOrEqual(1000);
});
