import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@playwright/test';
import { everyStore, type TestLedger } from './testing/ledger-test.ts';
import { QuotaServer, senderTo, withKey } from './testing/quota-server.ts';

const account = 'shared';
const kills = Number(process.env.CANDLEPROOF_KILLS ?? 5);

function spender(place: TestLedger, url: string, count: number, together: number): ChildProcess {
  const script = new URL('./testing/spender.ts', import.meta.url).pathname;
  const args = [script, place.address, account, url, String(count), String(together)];
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
}

/** Sends one request without others in flight; after its answer the ledger is exact. */
async function askAlone(place: TestLedger, url: string) {
  const ledgers = await place.openHere();
  const reservation = await ledgers.account(account).reserveAnyway(1);
  await reservation.client(senderTo(url)).send(withKey);
  await reservation.end();
  const status = await ledgers.account(account).status(Date.now());
  const events = await ledgers.account(account).events(0);
  await ledgers.close();
  return { status, events };
}

for (const [store, test] of everyStore) {
  test(`${store}: several processes at once keep one exact sum and accuse nobody`, async ({ place }) => {
    const server = new QuotaServer();
    const url = await server.listen();
    const processes = [1, 3, 4].map((together) => spender(place, url, 120, together));
    const codes = await Promise.all(processes.map(async (child) => (await once(child, 'close'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const { status, events } = await askAlone(place, url);
    expect(server.used).toBe(361);
    expect(status).toMatchObject({ remaining: 10_000 - 361, reserved: 0 });
    expect(events).toEqual([]);
    server.close();
  });

  test(`${store}: what a killed process had in flight is doubtful and its reservation is free`, async ({
    place,
  }) => {
    let held = Promise.withResolvers<void>();
    let isHeld = false;
    const server = new QuotaServer(async () => {
      if (!isHeld) return;
      held.resolve();
      await new Promise(() => undefined);
    });
    const url = await server.listen();
    await askAlone(place, url);
    for (let kill = 0; kill < kills; kill++) {
      held = Promise.withResolvers();
      isHeld = true;
      const before = server.used;
      const child = spender(place, url, 30, 3);
      await held.promise;
      child.kill('SIGKILL');
      await once(child, 'close');
      await place.outlive();
      isHeld = false;
      const ledgers = await place.openHere();
      const status = await ledgers.account(account).status(Date.now());
      expect(status?.reserved).toBe(0);
      // Never fewer than the service has counted, and never more than were sent.
      expect(status?.remaining).toBeLessThanOrEqual(10_000 - server.used);
      expect(status?.remaining).toBeGreaterThanOrEqual(10_000 - before - 3);
      await ledgers.close();
      const { status: after, events } = await askAlone(place, url);
      expect(after).toMatchObject({ remaining: 10_000 - server.used, reserved: 0 });
      expect(events).toEqual([]);
    }
    server.close();
  });

  test(`${store}: processes that open a new ledger at the same moment all get it`, async ({ place }) => {
    const server = new QuotaServer();
    const url = await server.listen();
    const processes = Array.from({ length: 5 }, () => spender(place, url, 1, 1));
    const codes = await Promise.all(processes.map(async (child) => (await once(child, 'close'))[0]));
    expect(codes).toEqual([0, 0, 0, 0, 0]);
    server.close();
  });
}
