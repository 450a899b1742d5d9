import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@playwright/test';
import { everyDatabase, type TestLedger } from './testing/ledger-test.ts';
import { QuotaServer, senderTo, withKey } from './testing/quota-server.ts';

const account = 'shared';
const kills = Number(process.env.CANDLEPROOF_KILLS ?? 5);

function started(script: string, ...args: readonly (string | number)[]): ChildProcess {
  const path = new URL(`./testing/${script}`, import.meta.url).pathname;
  return spawn(process.execPath, [path, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
}

async function ended(child: ChildProcess): Promise<string> {
  const lines = child.stdout?.toArray() ?? [];
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return (await lines).join('');
}

/** Sends one request beside no other; after its answer the ledger is exact. */
async function askAlone(place: TestLedger, url: string, now?: () => number) {
  const shared = (await place.open(now)).account(account);
  const reservation = await shared.reserveAnyway(1);
  await reservation.client(senderTo(url)).send(withKey);
  await reservation.end();
  return { status: await shared.status(Date.now()), events: await shared.events(0) };
}

for (const [name, test] of everyDatabase) {
  test(`${name}: several processes at once keep one exact sum and accuse nobody`, async ({ place }) => {
    const server = new QuotaServer();
    const url = await server.listen();
    const spenders = [1, 3, 4].map((together) =>
      started('spender.ts', place.address, account, url, 120, together),
    );
    await Promise.all(spenders.map(ended));
    const { status, events } = await askAlone(place, url);
    expect(server.used).toBe(361);
    expect(status).toMatchObject({ remaining: 10_000 - 361, reserved: 0 });
    expect(events).toEqual([]);
    server.close();
  });

  test(`${name}: a month of three processes at once stays above the reserve`, async ({ place }) => {
    const server = new QuotaServer(undefined, 300);
    const url = await server.listen();
    await askAlone(place, url);
    const members = [1, 2, 3].map(() => started('month-spender.ts', place.address, account, url, 240));
    const sent = (await Promise.all(members.map(ended))).map(Number);
    expect(sent.reduce((sum, count) => sum + count, 1)).toBe(server.used);
    expect(server.used).toBeLessThanOrEqual(270);
    expect(server.used).toBeGreaterThan(200);
    // One that starts late on a busy machine finds less.
    for (const count of sent) expect(count).toBeGreaterThan(0);
    expect((await askAlone(place, url)).events).toEqual([]);
    server.close();
  });

  test(`${name}: what a killed process had reserved counts as spent until an answer shows the truth`, async ({
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
    let minutes = 0;
    const now = (): number => Date.now() + minutes * 60_000;
    await askAlone(place, url, now);
    for (let kill = 0; kill < kills; kill++) {
      held = Promise.withResolvers();
      isHeld = true;
      const before = server.used;
      const child = started('spender.ts', place.address, account, url, 30, 3);
      await held.promise;
      child.kill('SIGKILL');
      await once(child, 'close');
      isHeld = false;
      const shared = (await place.open(now)).account(account);
      expect(await shared.status(Date.now())).toMatchObject({ remaining: 10_000 - before, reserved: 30 });
      minutes += 2;
      expect(await shared.status(Date.now())).toMatchObject({ remaining: 10_000 - before - 30, reserved: 0 });
      const { status, events } = await askAlone(place, url, now);
      expect(status).toMatchObject({ remaining: 10_000 - server.used, reserved: 0 });
      expect(events).toEqual([]);
      minutes = 0;
    }
    server.close();
  });

  test(`${name}: processes that open a new ledger at the same moment all get it`, async ({ place }) => {
    const server = new QuotaServer();
    const url = await server.listen();
    const spenders = Array.from({ length: 5 }, () =>
      started('spender.ts', place.address, account, url, 1, 1),
    );
    await Promise.all(spenders.map(ended));
    server.close();
  });
}
