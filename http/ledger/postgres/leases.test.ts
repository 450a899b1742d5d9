import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { PostgresAddress } from '../../../postgres/address.ts';
import type { PostgresDatabase } from '../../../postgres/postgres-database.ts';
import { CutLine } from '../../../postgres/testing/cut-line.ts';
import type { KeyAccount } from '../account.ts';
import { LedgerAway } from '../ledger-store.ts';
import { type Ledgers, openLedgers } from '../ledgers.ts';
import { type TestLedger, postgresTest as test } from '../testing/ledger-test.ts';
import { exchangeWith, QuotaServer, quotaInBody, withKey } from '../testing/quota-server.ts';

/** Shares that keep back only the reserve, so that the ledger alone protects it. */
const greedy = { check: 0, monitor: 90, load: 0, confirm: 0, reserve: 10 };
const limit = 100;
const most = 90;
const reset = Date.now() + 20 * 86_400_000;
const leaseMs = 4000;
const times = { leaseMs, renewMs: 100, silenceMs: 500 };

/** Returns the pace that leads to a block of `size` requests: half a request less, because it is rounded up. */
const paceOf = (block: number): number => (block - 0.5) / leaseMs;

/** A service that counts requests, and members that send them. */
class Shared {
  readonly #opened: Ledgers[] = [];
  readonly #line: CutLine;
  readonly #folder: string;
  readonly #place: TestLedger;
  #far = '';
  used = 0;

  constructor(place: TestLedger, folder: string) {
    this.#place = place;
    this.#folder = folder;
    this.#line = new CutLine(Number(new URL(place.address).port));
  }

  get line(): CutLine {
    return this.#line;
  }

  /** Uses up this many requests, and books the answer in the ledger. */
  async begin(used: number): Promise<KeyAccount> {
    this.used = used - 1;
    const url = new URL(this.#place.address);
    url.port = String(await this.#line.listen());
    this.#far = url.href;
    const near = (await this.#place.open({ name: 'near' })).account('shared');
    const first = await near.reserveAnyway(1);
    await first.client(this).send(withKey);
    await first.end();
    return near;
  }

  /** Opens a member that connects to the database over the line, and has a separate block file. */
  async far(self = 'far'): Promise<KeyAccount> {
    const blockFile = join(this.#folder, self, 'blocks.json');
    const life = { self, isAlive: () => true };
    const ledgers = await openLedgers(new PostgresAddress(this.#far), {
      ...{ readQuota: quotaInBody, life, blockFile, times },
    });
    this.#opened.push(ledgers);
    return ledgers.account('shared');
  }

  send = async () => {
    this.used += 1;
    const quota = { limit, remaining: limit - this.used, additional: 0, reset };
    return exchangeWith(JSON.stringify(quota));
  };

  async close(): Promise<void> {
    for (const ledgers of this.#opened) await ledgers.close().catch(() => undefined);
    this.#line.close();
  }
}

/** Spends granted requests one by one, up to a limit; resolves to their number. */
async function spend(account: KeyAccount, shared: Shared, atMost = limit, block = 1): Promise<number> {
  for (let sent = 0; sent < atMost; sent++) {
    const ask = { purpose: 'monitor', cost: 1, pace: paceOf(block), credit: 1 } as const;
    const granted = await account.ask(ask, greedy, Date.now());
    if (granted.verdict === 'skip') return sent;
    await granted.reservation.client(shared).send(withKey);
    await granted.reservation.end();
    expect(shared.used).toBeLessThanOrEqual(most);
  }
  return atMost;
}

const sharedTest = test.extend<{ shared: Shared }>({
  shared: async ({ place }, use, info) => {
    const shared = new Shared(place, info.outputPath());
    await use(shared);
    await shared.close();
  },
});

async function lastFence(database: PostgresDatabase): Promise<number> {
  const [row] = await database.query("SELECT max(fence) AS fence FROM ledger_lease WHERE holder = 'far'");
  return Number(row?.fence);
}

sharedTest('who is cut off spends its block, and stops when the lease ends', async ({ shared, postgres }) => {
  const near = await shared.begin(70);
  const far = await shared.far();
  expect(await spend(far, shared, 1, 6)).toBe(1);
  const before = await lastFence(postgres.database);
  shared.line.cut();
  expect(await spend(far, shared, 4)).toBe(4);
  // All requests except the other member's block.
  expect(await spend(near, shared)).toBe(most - 71 - 6);
  expect(shared.used).toBe(most - 2);
  const isRefused = (): Promise<boolean> =>
    far.reserveAnyway(1).then(
      (part) => part.end().then(() => false),
      () => true,
    );
  await expect.poll(isRefused, { timeout: 3 * leaseMs }).toBe(true);
  await expect(spend(far, shared, 1)).rejects.toBeInstanceOf(LedgerAway);
  shared.line.mend();
  const rejoined = async (): Promise<boolean> => {
    await spend(far, shared).catch(() => 0);
    return (await lastFence(postgres.database)) > before;
  };
  await expect.poll(rejoined, { timeout: 10_000 }).toBe(true);
  // A request without others in flight shows which part of the block was never sent.
  const check = await near.reserveAnyway(1);
  await check.client(shared).send(withKey);
  expect(await spend(far, shared)).toBe(1);
  expect(await near.events(0)).toEqual([]);
});

for (const [used, least] of [
  [60, 16],
  [80, 1],
  [86, 0],
] as const) {
  sharedTest(
    `two that are cut off at ${used} spend what each had taken along, and never the reserve`,
    // Each waits for the end of two leases.
    used === 80 ? {} : { tag: '@thorough' },
    async ({ shared }) => {
      const near = await shared.begin(used);
      const cutOff = [await shared.far('one'), await shared.far('other')];
      for (const keyAccount of cutOff) await spend(keyAccount, shared, 1, 8);
      const before = shared.used;
      shared.line.cut();
      // Until the longest lease has ended; the present member meanwhile takes every grant.
      const over = Date.now() + 2 * leaseMs;
      let sent = 0;
      while (Date.now() < over) {
        for (const keyAccount of cutOff) sent += await spend(keyAccount, shared, 1).catch(refusedAway);
        await spend(near, shared, 1);
        await pause(50);
      }
      expect(sent).toBeGreaterThanOrEqual(least);
      expect(sent).toBeLessThanOrEqual(Math.min(2 * 8, most - before));
      expect(shared.used).toBeLessThanOrEqual(most);
      await spend(near, shared);
      expect(shared.used).toBeLessThanOrEqual(most);
    },
  );
}

function refusedAway(error: unknown): number {
  if (!(error instanceof LedgerAway)) throw error;
  return 0;
}

sharedTest('who comes back in time returns what it has not spent', async ({ shared }) => {
  const near = await shared.begin(40);
  const far = await shared.far();
  await spend(far, shared, 1, 6);
  shared.line.cut();
  expect(await spend(far, shared, 2)).toBe(2);
  // Another booking counts the block as sent meanwhile.
  await spend(near, shared, 1);
  expect((await near.status(Date.now()))?.remaining).toBeLessThan(limit - shared.used);
  shared.line.mend();
  await expect
    .poll(async () => {
      await spend(near, shared, 1);
      const { remaining = 0, reserved } = (await near.status(Date.now())) ?? {};
      return [limit - shared.used - remaining, reserved];
    })
    .toEqual([0, 0]);
  expect(await near.events(0)).toEqual([]);
});

sharedTest('a restart while cut off neither forgets nor doubles the block', async ({ shared }) => {
  const near = await shared.begin(70);
  await spend(await shared.far(), shared, 1, 6);
  shared.line.cut();
  const first = await shared.far();
  expect(await spend(first, shared, 2)).toBe(2);
  const second = await shared.far();
  expect(await spend(second, shared, 4)).toBe(4);
  await expect(spend(second, shared, 1)).rejects.toBeInstanceOf(LedgerAway);
  await spend(near, shared);
  expect(shared.used).toBe(most);
  expect(await near.events(0)).toEqual([]);
});

sharedTest('probes that begin together take one block along', async ({ shared }) => {
  const near = await shared.begin(40);
  const far = await shared.far();
  const ask = { purpose: 'monitor', cost: 1, pace: paceOf(6), credit: 1 } as const;
  const granted = await Promise.all([1, 2, 3].map(() => far.ask(ask, greedy, Date.now())));
  for (const grant of granted) if (grant.verdict === 'run') await grant.reservation.end();
  expect((await near.status(Date.now()))?.reserved).toBe(6);
});

sharedTest('what was granted in an answer that never came is free again', async ({ shared }) => {
  const near = await shared.begin(40);
  const far = await shared.far();
  shared.line.loseAnswerTo('COMMIT');
  const ask = { purpose: 'monitor', cost: 7, credit: 1 } as const;
  await expect(far.ask(ask, greedy, Date.now())).rejects.toBeInstanceOf(LedgerAway);
  await expect.poll(async () => (await near.status(Date.now()))?.reserved, { timeout: 10_000 }).toBe(0);
});

sharedTest('a lease is not given up while a grant of it is in hand', async ({ shared }) => {
  await shared.begin(40);
  const far = await shared.far();
  const ask = { purpose: 'monitor', cost: 2, credit: 1 } as const;
  const granted = await far.ask(ask, greedy, Date.now());
  shared.line.loseAnswerTo('COMMIT');
  await expect(far.ask(ask, greedy, Date.now())).rejects.toBeInstanceOf(LedgerAway);
  // Long enough for a new lease, if one were taken.
  await pause(4 * times.renewMs);
  if (granted.verdict !== 'run') throw new Error('nothing is granted');
  for (const _ of [1, 2]) await granted.reservation.client(shared).send(withKey);
  await granted.reservation.end();
  expect(shared.used).toBe(42);
});

sharedTest('the need of all members slows each of them down', async ({ shared }) => {
  const near = await shared.begin(50);
  const far = await shared.far();
  const ask = (account: KeyAccount) =>
    account.ask(
      { purpose: 'monitor', cost: 1, pace: 40 / (reset - Date.now()), credit: 0 },
      greedy,
      Date.now(),
    );
  const alone = await ask(near);
  expect(alone).toMatchObject({ verdict: 'run' });
  if (alone.verdict === 'run') await alone.reservation.end();
  const beside = await ask(far);
  expect(beside.verdict).toBe('run');
  expect(beside.credit).toBeCloseTo(-0.5);
  expect((await near.status(Date.now()))?.others).toBe(1);
  await shared.close();
  expect(await ask(near)).toMatchObject({ verdict: 'run' });
});

sharedTest('what others spend is booked once, by one of all who see it', async ({ shared }) => {
  const near = await shared.begin(10);
  const far = await shared.far();
  shared.used += 7;
  for (const keyAccount of [near, far, near]) await spend(keyAccount, shared, 1);
  const events = await near.events(0);
  expect(events).toMatchObject([{ event: { kind: 'foreign-use', n: 7 } }]);
  expect(await far.events(0)).toEqual(events);
});

function started(script: string, ...args: readonly (string | number)[]): ChildProcess {
  const path = new URL(`../testing/${script}`, import.meta.url).pathname;
  return spawn(process.execPath, [path, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
}

test('what a killed holder had is free once its lease has ended, and its flights are spent', async ({
  place,
}) => {
  const held = Promise.withResolvers<void>();
  const server = new QuotaServer(async () => {
    if (server.used < 3) return;
    held.resolve();
    await new Promise(() => undefined);
  });
  const child = started('spender.ts', place.address, 'shared', await server.listen(), 30, 1, 1500);
  await held.promise;
  child.kill('SIGKILL');
  await once(child, 'close');
  const account = (await place.open()).account('shared');
  const left = async () => {
    const { limit: whole = 0, remaining = 0, reserved } = (await account.status(Date.now())) ?? {};
    return [whole - remaining, reserved];
  };
  expect(await left()).toEqual([3, 27]);
  await expect.poll(left, { timeout: 10_000 }).toEqual([3, 0]);
  server.close();
});

test('a month of three processes at once stays above the reserve', async ({ place }) => {
  const server = new QuotaServer(undefined, 300);
  const url = await server.listen();
  await once(started('spender.ts', place.address, 'shared', url, 1, 1), 'close');
  const members = [1, 2, 3].map(() => started('month-spender.ts', place.address, 'shared', url, 240));
  const sent = await Promise.all(
    members.map(async (member) => {
      const lines = member.stdout?.toArray() ?? [];
      const [code] = await once(member, 'close');
      expect(code).toBe(0);
      return Number((await lines).join(''));
    }),
  );
  expect(sent.reduce((sum, count) => sum + count, 1)).toBe(server.used);
  expect(server.used).toBeLessThanOrEqual(270);
  expect(server.used).toBeGreaterThan(200);
  for (const count of sent) expect(count).toBeGreaterThan(30);
  expect(await (await place.open()).account('shared').events(0)).toEqual([]);
  server.close();
});
