import { PostgresAddress } from '@candleproof/postgres/address';
import { CutLine } from '@candleproof/postgres/testing/cut-line';
import { expect } from '@playwright/test';
import type { KeyAccount } from './account.ts';
import { LedgerAway } from './ledger-store.ts';
import { type Ledgers, openLedgers } from './ledgers.ts';
import { type TestLedger, postgresTest as test } from './testing/ledger-test.ts';
import { exchangeWith, quotaInBody, withKey } from './testing/quota-server.ts';

/** Shares that keep back only the reserve, so that the ledger alone protects it. */
const greedy = { check: 0, monitor: 90, load: 0, confirm: 0, reserve: 10 };
const limit = 1000;
const reset = Date.now() + 20 * 86_400_000;
const slot = { purpose: 'monitor', cost: 2, credit: 1 } as const;

/** A service that counts requests, and a database that some of its users reach over a line. */
class Shared {
  readonly line: CutLine;
  readonly notices: string[] = [];
  readonly #place: TestLedger;
  readonly #opened: Ledgers[] = [];
  used = 0;

  constructor(place: TestLedger) {
    this.#place = place;
    this.line = new CutLine(Number(new URL(place.address).port));
  }

  /** Opens a holder beside the database, which books that this many requests are used. */
  async near(used: number): Promise<KeyAccount> {
    this.used = used - 2;
    const account = (await this.#place.open()).account('shared');
    await this.run(account);
    return account;
  }

  /** Opens a holder over the line, which continues without the database. */
  async far(port?: number): Promise<KeyAccount> {
    const url = new URL(this.#place.address);
    url.port = String(port ?? (await this.line.listen()));
    const ledgers = await openLedgers(new PostgresAddress(url.href), {
      readQuota: quotaInBody,
      without: { onAway: () => this.notices.push('away'), onBack: () => this.notices.push('back') },
    });
    this.#opened.push(ledgers);
    return ledgers.account('shared');
  }

  send = async () => {
    this.used += 1;
    const quota = { limit, remaining: limit - this.used, additional: 0, reset };
    return exchangeWith(JSON.stringify(quota));
  };

  /** Runs a slot if it is granted. */
  async run(account: KeyAccount, location = 'near'): Promise<boolean> {
    const granted = await account.ask({ ...slot, location }, greedy, Date.now());
    if (granted.verdict === 'skip') return false;
    const client = granted.reservation.client(this);
    for (let sent = 0; sent < slot.cost; sent++) await client.send(withKey);
    await granted.reservation.end();
    return true;
  }

  async close(): Promise<void> {
    for (const ledgers of this.#opened) await ledgers.close().catch(() => undefined);
    this.line.close();
  }
}

const sharedTest = test.extend<{ shared: Shared }>({
  shared: async ({ place }, use) => {
    const shared = new Shared(place);
    await use(shared);
    await shared.close();
  },
});

sharedTest(
  'who loses the database goes on, and books what it has sent once that is back',
  async ({ shared }) => {
    const near = await shared.near(700);
    const far = await shared.far();
    await shared.run(far, 'far');
    shared.line.cut();
    for (let n = 0; n < 5; n++) expect(await shared.run(far, 'far')).toBe(true);
    expect((await far.month(Date.now()))?.remaining).toBe(limit - 712);
    expect((await near.month(Date.now()))?.remaining).toBe(limit - 702);
    // It sees ten requests that nobody has booked, and asks first whether they are the other's.
    await shared.run(near);
    shared.line.mend();
    const notices = (): Promise<string[]> => shared.run(far, 'far').then(() => shared.notices);
    await expect.poll(notices, { timeout: 10_000 }).toEqual(['away', 'back']);
    expect((await near.month(Date.now()))?.remaining).toBe(limit - shared.used);
    shared.used += 7;
    for (const [account, location] of [[near], [far, 'far']] as const) await shared.run(account, location);
    expect(await near.events(0)).toMatchObject([{ event: { kind: 'foreign-use', n: 7 } }]);
  },
);

sharedTest('all who are cut off stop before the reserve, as does who is not', async ({ shared }) => {
  const near = await shared.near(800);
  const port = await shared.line.listen();
  const cutOff = [await shared.far(port), await shared.far(port)];
  for (const account of cutOff) await shared.run(account);
  shared.line.cut();
  while ((await Promise.all(cutOff.map((account) => shared.run(account)))).includes(true));
  // Each of them keeps a hundredth of the limit besides.
  expect(shared.used).toBeGreaterThanOrEqual(888);
  expect(shared.used).toBeLessThanOrEqual(892);
  await shared.run(near);
  while (await shared.run(near));
  expect(shared.used).toBe(900);
});

sharedTest('who begins without the database finds out the month by its first slot', async ({ shared }) => {
  await shared.near(700);
  const port = await shared.line.listen();
  shared.line.cut();
  const far = await shared.far(port);
  expect(await far.month(Date.now())).toBeUndefined();
  expect(await shared.run(far)).toBe(true);
  expect(await far.month(Date.now())).toMatchObject({ remaining: limit - 702 });
  expect(shared.notices).toEqual(['away']);
});

sharedTest(
  'while the database is away nobody claims a report, and a command is refused',
  async ({ shared }) => {
    const near = await shared.near(700);
    const far = await shared.far();
    shared.line.cut();
    await expect(far.claimReport('far')).rejects.toBeInstanceOf(LedgerAway);
    expect(await near.claimReport('near')).toBe(true);
    await expect(far.reserveAnyway(1)).rejects.toBeInstanceOf(LedgerAway);
    await expect(far.events(0)).rejects.toBeInstanceOf(LedgerAway);
  },
);

sharedTest(
  'a grant whose answer never came counts until its holder has been silent',
  async ({ shared, place }) => {
    const near = await shared.near(700);
    const far = await shared.far();
    await far.month(Date.now());
    shared.line.loseAnswerTo('UPDATE ledger_account');
    expect(await shared.run(far)).toBe(true);
    expect(await near.status(Date.now())).toMatchObject({ remaining: 300, reserved: 2 });
    const later = (await place.open(() => Date.now() + 90_000)).account('shared');
    expect(await later.status(Date.now())).toMatchObject({ remaining: 298, reserved: 0 });
  },
);

test('a database that refuses us ends even who could go on without it', async ({ place }) => {
  const url = new URL(place.address);
  url.pathname = '/nowhere';
  const without = { onAway: () => undefined, onBack: () => undefined };
  await expect(
    openLedgers(new PostgresAddress(url.href), { readQuota: quotaInBody, without }),
  ).rejects.toThrow(/is not open to us/);
});
