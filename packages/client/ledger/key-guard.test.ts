import { expect } from '@playwright/test';
import fc from 'fast-check';
import type { KeyAccount } from './account.ts';
import { KeyGuard } from './key-guard.ts';
import { MonthSpent } from './ledger-store.ts';
import type { Sender } from './reservation.ts';
import { everyDatabase, sqliteTest, type TestLedger } from './testing/ledger-test.ts';
import { exchangeWith, quotaInBody, withKey } from './testing/quota-server.ts';
import { begin, id, reset, spend } from './testing/spending.ts';

const limit = 1000;

/** A service in memory that counts on arrival, beyond the limit too, and answers a little later. */
class CountingService {
  used: number;
  #turn = 0;

  constructor(left: number) {
    this.used = limit - left;
  }

  readonly sender: Sender = {
    send: async () => {
      this.used += 1;
      const [remaining, additional] = [Math.max(0, limit - this.used), Math.max(0, this.used - limit)];
      this.#turn += 1;
      await new Promise((resolve) => setTimeout(resolve, this.#turn % 3));
      return exchangeWith(JSON.stringify({ limit, remaining, additional, reset }));
    },
  };
}

/** Opens the account at the start of the month, as another process would. */
async function accountIn(place: TestLedger): Promise<KeyAccount> {
  return (await place.open(() => begin)).account(id);
}

function guard(account: KeyAccount | undefined, most = 60, reserve = 0): KeyGuard {
  const onTrouble = (error: Error): never => {
    throw error;
  };
  return new KeyGuard({ account, readQuota: quotaInBody, most, reserve, patienceMs: 5000, onTrouble });
}

/** Sends requests, `together` at a time, until they are all sent or the month is spent; returns how many were. */
async function sendAll(guarded: KeyGuard, sender: Sender, most: number, together = 1): Promise<number> {
  const client = guarded.client(sender);
  let sent = 0;
  const sendSome = async (): Promise<void> => {
    for (let n = 0; n < most / together; n++) {
      await client.send(withKey);
      sent += 1;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: together }, sendSome));
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(MonthSpent);
  await guarded.close();
  return sent;
}

for (const [name, test] of everyDatabase) {
  test(`${name}: a guard sends what the ledger knows to be left, and no more`, async ({ place }) => {
    const service = new CountingService(10);
    await spend(await accountIn(place), limit - 10);
    const guarded = guard(await accountIn(place));
    expect(await guarded.left()).toMatchObject({ requests: 10, month: { remaining: 10, limit, reset } });
    expect(await sendAll(guarded, service.sender, 40)).toBe(10);
    const late = guard(await accountIn(place));
    expect(await late.left()).toMatchObject({ requests: 0 });
    await expect(late.client(service.sender).send(withKey)).rejects.toMatchObject({
      left: { remaining: 0, limit, reset },
    });
    expect(service.used).toBe(limit);
  });

  test(`${name}: two at once share what is left, whether it was known or not`, async ({ place }) => {
    const service = new CountingService(40);
    const [ours, theirs] = [guard(await accountIn(place), 25), guard(await accountIn(place), 25)];
    const sent = await Promise.all([
      sendAll(ours, service.sender, 25, 5),
      sendAll(theirs, service.sender, 25, 5),
    ]);
    expect(sent.reduce((sum, n) => sum + n)).toBe(40);
    expect(service.used).toBe(limit);
  });
}

sqliteTest('a reserve is kept, and requests without the key pass a spent month', async ({ place }) => {
  const service = new CountingService(103);
  const guarded = guard(await accountIn(place), 60, 10);
  expect(await guarded.left()).toBeUndefined();
  expect(await sendAll(guarded, service.sender, 40)).toBe(3);
  const client = guard(await accountIn(place), 60, 10).client(service.sender);
  await expect(client.send(withKey)).rejects.toBeInstanceOf(MonthSpent);
  await client.send({ path: '/tokens', credential: 'none' });
  await client.send({ path: '/tokens', credential: 'trial:empty', trialKey: '' });
});

sqliteTest('a month that is over does not stop the first request of the next', async ({ place }) => {
  await spend(await accountIn(place), limit);
  const later = (await place.open(() => reset + 600_000)).account(id);
  const next = reset + 31 * 86_400_000;
  const guarded = guard(later);
  let used = 0;
  const sender: Sender = {
    send: async () => {
      used += 1;
      return exchangeWith(JSON.stringify({ limit, remaining: limit - used, additional: 0, reset: next }));
    },
  };
  expect(await sendAll(guarded, sender, 20)).toBe(20);
});

sqliteTest('a clock far from the service’s does not keep two from sharing its month', async ({ place }) => {
  const service = new CountingService(30);
  const late = async (): Promise<KeyAccount> => (await place.open(() => reset + 1e10)).account(id);
  const guards = [guard(await late(), 25), guard(await late(), 25)];
  const sent = await Promise.all(guards.map((guarded) => sendAll(guarded, service.sender, 25)));
  expect(sent.reduce((sum, n) => sum + n)).toBe(30);
});

for (const [name, step] of [
  ['two hours ahead', 7_200_000],
  ['two hours back', -7_200_000],
  ['a month ahead', 31 * 86_400_000],
] as const) {
  sqliteTest(`a clock that is set ${name} lends nobody what another has reserved`, async ({ place }) => {
    const service = new CountingService(40);
    await spend(await accountIn(place), limit - 40);
    let now = begin + 86_400_000;
    const open = async (): Promise<KeyAccount> => (await place.open(() => now)).account(id);
    const [slow, quick] = [guard(await open(), 25), guard(await open(), 60)];
    const client = slow.client(service.sender);
    for (let n = 0; n < 5; n++) await client.send(withKey);
    now += step;
    await sendAll(quick, service.sender, 60);
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => client.send(withKey)));
    expect(service.used).toBeLessThanOrEqual(limit);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(MonthSpent);
    await slow.close();
    now -= step;
    const late = guard(await open());
    await sendAll(late, service.sender, 60);
    expect(service.used).toBe(limit);
  });
}

sqliteTest('without a ledger the counters of the answers are the bound', async () => {
  const service = new CountingService(7);
  expect(await sendAll(guard(undefined), service.sender, 30, 10)).toBe(7);
  expect(service.used).toBe(limit);
});

sqliteTest('a service without counters bounds nothing', async ({ place }) => {
  let sent = 0;
  const sender: Sender = {
    send: async () => {
      sent += 1;
      return exchangeWith('');
    },
  };
  const guarded = guard(await accountIn(place), 60);
  expect(await sendAll(guarded, sender, 30, 3)).toBe(30);
  expect(sent).toBe(30);
});

sqliteTest(
  'whatever is left, two guards at once send no request beyond it by the count of the service',
  async ({ place }) => {
    const sending = fc.record({
      most: fc.integer({ min: 1, max: 60 }),
      together: fc.integer({ min: 1, max: 8 }),
    });
    let key = 0;
    await fc.assert(
      fc.asyncProperty(sending, sending, fc.nat(60), fc.boolean(), async (one, other, left, isKnown) => {
        const service = new CountingService(left);
        const own = `key ${key++}`;
        const open = async (): Promise<KeyAccount> => (await place.open(() => begin)).account(own);
        if (isKnown) await spend(await open(), limit - left);
        await Promise.all(
          [one, other].map(async ({ most, together }) =>
            sendAll(guard(await open(), most), service.sender, most, together),
          ),
        );
        // One request has to find out about a month that nobody knows.
        expect(service.used).toBeLessThanOrEqual(isKnown || left > 0 ? limit : limit + 1);
      }),
      { numRuns: 40 },
    );
  },
);
