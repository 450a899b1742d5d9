import { expect } from '@playwright/test';
import type { KeyAccount } from '../account.ts';
import { openLedgers } from '../ledgers.ts';
import { postgresTest as test } from '../testing/ledger-test.ts';
import { exchangeWith, placeOf, quotaInBody, withKey } from '../testing/quota-server.ts';

const shares = { check: 0, monitor: 90, load: 0, confirm: 0, reserve: 10 };
const times = { leaseMs: 3_600_000, renewMs: 100, silenceMs: 60_000 };
const reset = Date.UTC(2026, 10, 1) - 1;
const hour = 3_600_000;

test('blocks of a month that is over keep no member from finding out what the next one has', async ({
  place,
}) => {
  let now = reset - 2 * hour;
  const server = {
    send: async () => exchangeWith(JSON.stringify({ limit: 100, remaining: 50, additional: 0, reset })),
  };
  const members = await Promise.all(
    ['one', 'two', 'three'].map((self) =>
      openLedgers(placeOf(place.address), {
        ...{ readQuota: quotaInBody, times, now: () => now, life: { self, isAlive: () => true } },
        blockFile: test.info().outputPath(self, 'blocks.json'),
      }),
    ),
  );
  const ask = (account: KeyAccount) =>
    account.ask({ purpose: 'monitor', cost: 1, pace: 4 / hour, credit: 1 }, shares, now);
  const accounts = members.map((member) => member.account('shared'));
  // The first request shows the month; each of the next ones takes a block of it.
  for (const account of [accounts[0], ...accounts]) {
    const granted = account && (await ask(account));
    if (granted?.verdict !== 'run') throw new Error('nothing is granted');
    await granted.reservation.client(server).send(withKey);
    await granted.reservation.end();
  }
  expect((await accounts[0]?.status(now))?.reserved).toBeGreaterThanOrEqual(3);
  now = reset + hour;
  const [first, second] = accounts;
  const scout = first && (await ask(first));
  expect(scout?.verdict).toBe('run');
  // One at a time, as always.
  expect(second && (await ask(second))).toMatchObject({ verdict: 'skip', why: 'unknown' });
  for (const member of members) await member.close();
});
