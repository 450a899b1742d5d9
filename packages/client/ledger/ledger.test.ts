import { usualShares } from '@candleproof/law/planning/allowance';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { expect } from '@playwright/test';
import { MonthSpent, ReservationSpent } from './ledger-store.ts';
import type { Sender } from './reservation.ts';
import { everyDatabase } from './testing/ledger-test.ts';
import { exchangeWith, withKey } from './testing/quota-server.ts';
import { accountIn, answering, begin, id, reset, spend } from './testing/spending.ts';

const light = { purpose: 'monitor', cost: 2, credit: 0 } as const;

for (const [name, test] of everyDatabase) {
  test(`${name}: two who have the ledger open see one account`, async ({ place }) => {
    const [ours, theirs] = [await accountIn(place), await accountIn(place)];
    expect(await ours.status(begin)).toBeUndefined();
    await spend(ours, 100);
    await spend(theirs, 101, 109);
    expect(await ours.status(begin)).toEqual({
      limit: 1000,
      remaining: 891,
      additional: 0,
      reset,
      at: begin,
      reserved: 0,
    });
    expect(await ours.events(0)).toEqual([{ serial: 1, event: { kind: 'foreign-use', at: begin, n: 7 } }]);
    expect(await theirs.events(1)).toEqual([]);
    expect(await (await place.open()).account('another').events(0)).toEqual([]);
  });

  test(`${name}: what one sees pass all others know, without a request`, async ({ place }) => {
    const [ours, theirs] = [await accountIn(place), await accountIn(place)];
    const quota = { limit: 1000, remaining: 400, additional: 0, reset };
    await ours.noteAnswer({ at: begin, quota });
    expect(await theirs.status(begin)).toMatchObject({ remaining: 400, reserved: 0 });
    await theirs.noteAnswer({ quota: { ...quota, remaining: 401 } });
    expect(await ours.month(begin)).toMatchObject({ remaining: 400 });
    expect(await ours.events(0)).toEqual([]);
  });

  test(`${name}: what one has reserved another is not granted`, async ({ place }) => {
    const [ours, theirs] = [await accountIn(place), await accountIn(place)];
    await spend(ours, 890);
    const shares = { ...usualShares, check: 0, load: 0, confirm: 0 };
    const all = await ours.ask({ ...light, cost: 9 }, shares, begin);
    expect(all.verdict).toBe('run');
    expect(await theirs.ask(light, shares, begin)).toEqual({ verdict: 'skip', why: 'reserve', credit: 1 });
    if (all.verdict === 'run') await all.reservation.end();
    expect((await theirs.ask(light, shares, begin)).verdict).toBe('run');
  });

  test(`${name}: a stopped key is rechecked once a day over all its holders`, async ({ place }) => {
    const [ours, theirs] = [await accountIn(place), await accountIn(place)];
    await spend(ours, 900);
    const recheck = { ...light, mayRecheck: true };
    const verdictAt = async (account: typeof ours, ms: number): Promise<string> =>
      (await account.ask(recheck, usualShares, begin + ms)).verdict;
    const day = 86_400_000;
    expect(await verdictAt(ours, day - 1)).toBe('skip');
    expect(await verdictAt(theirs, day)).toBe('run');
    expect(await verdictAt(ours, day + 1)).toBe('skip');
    expect(await verdictAt(ours, 2 * day)).toBe('run');
  });

  test(`${name}: of all who hold a key one reports it until it gives that up or is gone`, async ({
    place,
  }) => {
    let now = begin;
    const [ours, theirs] = [(await place.open(() => now)).account(id), await accountIn(place)];
    expect(await ours.claimReport('fra')).toBe(true);
    expect(await theirs.claimReport('nyc')).toBe(false);
    await theirs.giveUpReport('nyc');
    expect(await theirs.claimReport('nyc')).toBe(false);
    expect(await ours.claimReport('fra')).toBe(true);
    await ours.giveUpReport('fra');
    expect(await theirs.claimReport('nyc')).toBe(true);
    now += 3_599_999;
    expect(await ours.claimReport('fra')).toBe(false);
    now += 1;
    expect(await ours.claimReport('fra')).toBe(true);
  });

  test(`${name}: nothing leaves beyond the reservation, or once it is ended`, async ({ place }) => {
    const account = await accountIn(place);
    const reservation = await account.reserveAnyway(1);
    let sent = 0;
    const inner: Sender = {
      send: (request) => {
        sent += 1;
        return answering(sent).send(request);
      },
    };
    await reservation.client(inner).send(withKey);
    await expect(reservation.client(inner).send(withKey)).rejects.toBeInstanceOf(ReservationSpent);
    const given = await account.reserveAnyway(5);
    await given.end();
    await expect(given.client(inner).send(withKey)).rejects.toBeInstanceOf(ReservationSpent);
    expect(sent).toBe(1);
  });

  test(`${name}: a limit that is raised in a spent month counts from the first answer that shows it`, async ({
    place,
  }) => {
    const [ours, theirs] = [await accountIn(place), await accountIn(place)];
    const wish = { most: 5, reserve: 0, patienceMs: 0 };
    await spend(ours, 1000);
    await expect(theirs.lend(wish)).rejects.toBeInstanceOf(MonthSpent);
    const beyond = await ours.reserveAnyway(1);
    const quota = { limit: 2000, remaining: 999, additional: 0, reset };
    await beyond.client({ send: async () => exchangeWith(JSON.stringify(quota)) }).send(withKey);
    await beyond.end();
    const { reservation, month } = await theirs.lend(wish);
    await reservation.end();
    expect(month).toMatchObject({ limit: 2000, remaining: 999 });
  });

  test(`${name}: requests without the key pass and are not booked`, async ({ place }) => {
    const account = await accountIn(place);
    const reservation = await account.reserveAnyway(1);
    const client = reservation.client(answering(1, 1));
    await client.send({ path: '/tokens', credential: 'none' });
    await client.send({ path: '/tokens', credential: 'trial:empty', trialKey: '' });
    await reservation.end();
    expect(await account.status(begin)).toBeUndefined();
  });

  test(`${name}: requests without an answer may count, and count as spent until another shows it`, async ({
    place,
  }) => {
    const account = await accountIn(place);
    await spend(account, 10);
    const reservation = await account.reserveAnyway(2);
    expect(await account.status(begin)).toMatchObject({ remaining: 990, reserved: 2 });
    const failing = reservation.client({ send: () => Promise.reject(new Error('closed')) });
    await expect(failing.send(withKey)).rejects.toThrow('closed');
    await reservation.end();
    expect(await account.status(begin)).toMatchObject({ remaining: 989, reserved: 0 });
    await spend(account, 11);
    expect(await account.status(begin)).toMatchObject({ remaining: 989, reserved: 0 });
    await spend(account, 13);
    expect((await account.events(0)).map(({ event }) => event)).toMatchObject([
      { kind: 'foreign-use', n: 1 },
    ]);
  });

  test(`${name}: who shares the key learns of it while a reservation is open`, async ({ place }) => {
    const [ours, theirs] = [await accountIn(place), await accountIn(place)];
    const check = await ours.reserveAnyway(5);
    await check.client(answering(7)).send(withKey);
    expect([await check.hasCompany(), await theirs.month(begin)]).toMatchObject([false, { remaining: 993 }]);
    await spend(theirs, 8);
    expect(await check.hasCompany()).toBe(true);
  });

  test(`${name}: an answer is dated by the service where it says its time`, async ({ place }) => {
    const account = await accountIn(place);
    const at = begin + 5000;
    const send = async (): Promise<Exchange> => {
      const { response, ...rest } = await answering(1).send(withKey);
      return {
        ...rest,
        ...(response && { response: { ...response, headers: [['date', new Date(at).toUTCString()]] } }),
      };
    };
    const reservation = await account.reserveAnyway(1);
    await reservation.client({ send }).send(withKey);
    await reservation.end();
    expect((await account.status(begin))?.at).toBe(at);
  });

  test(`${name}: a month that is over leaves nothing known of the next`, async ({ place }) => {
    const account = await accountIn(place);
    await spend(account, 10);
    expect(await account.status(reset + 300_000)).not.toHaveProperty('remaining', expect.anything());
  });

  test(`${name}: who closes gives back, and leaves requests in flight doubtful`, async ({ place }) => {
    const ledgers = await place.open(() => begin);
    await spend(ledgers.account(id), 10);
    const left = Promise.withResolvers<() => void>();
    const pending = (await ledgers.account(id).reserveAnyway(20))
      .client({
        send: () => new Promise((resolve) => left.resolve(() => resolve(exchangeWith('')))),
      })
      .send(withKey);
    const answer = await left.promise;
    await ledgers.close();
    answer();
    expect((await pending).response?.status).toBe(200);
    expect(await (await accountIn(place)).status(begin)).toMatchObject({ remaining: 989, reserved: 0 });
  });

  test(`${name}: a tool's requests are spent until it ends, and then as its answers show`, async ({
    place,
  }) => {
    const account = await accountIn(place);
    await spend(account, 10);
    const bulk = (await account.reserveAnyway(100)).sendInBulk();
    expect(await account.status(begin)).toMatchObject({ remaining: 990, reserved: 100 });
    await bulk.end(40, { limit: 1000, remaining: 930, additional: 0, reset });
    expect(await account.status(begin)).toMatchObject({ remaining: 930, reserved: 0 });
    expect(await account.events(0)).toEqual([]);
    const broken = await place.open(() => begin);
    (await broken.account(id).reserveAnyway(100)).sendInBulk();
    await broken.close();
    expect(await account.status(begin)).toMatchObject({ remaining: 830, reserved: 0 });
  });

  test(`${name}: old events are dropped and their numbers stay`, async ({ place }) => {
    const account = await accountIn(place);
    for (let n = 0; n < 202; n++) await spend(account, 2 * n);
    const events = await account.events(0);
    expect([events.length, events[0]?.serial, events.at(-1)?.serial]).toEqual([200, 2, 201]);
    expect(await account.events(200)).toMatchObject([{ serial: 201, event: { kind: 'foreign-use', n: 1 } }]);
  });
}
