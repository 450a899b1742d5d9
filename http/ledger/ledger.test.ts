import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test as base, expect } from '@playwright/test';
import type { Exchange } from '../../contract/reading/exchange.ts';
import { usualShares } from '../../planning/allowance.ts';
import type { QuotaAnswer } from '../../planning/ledger-entry.ts';
import { KEY } from '../testing/targets.ts';
import type { KeyAccount } from './account.ts';
import { LedgerUnavailable, ReservationSpent } from './ledger-unavailable.ts';
import { accountId, openLedgers } from './ledgers.ts';
import type { Sender } from './reservation.ts';
import { exchangeWith, quotaInBody, withKey } from './testing/quota-server.ts';

const begin = Date.UTC(2026, 9, 1);
const reset = Date.UTC(2026, 10, 1) - 1;
const id = accountId('https://target.example', KEY);
const light = { purpose: 'monitor', cost: 2, need: 0, credit: 0 } as const;

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from its pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'candleproof-ledger-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
});

function answering(...used: number[]): Sender {
  const left = [...used];
  return {
    send: async () => {
      const spent = left.shift() ?? 0;
      const quota: QuotaAnswer = { limit: 1000, remaining: 1000 - spent, additional: 0, reset };
      return exchangeWith(JSON.stringify(quota));
    },
  };
}

function open(folder: string, now: () => number = () => begin) {
  return openLedgers(join(folder, 'state', 'ledger.db'), { readQuota: quotaInBody, now });
}

/** Sends one after the other whatever the month leaves. */
async function spend(account: KeyAccount, ...used: number[]): Promise<void> {
  const reservation = account.reserveAnyway(used.length);
  const client = reservation.client(answering(...used));
  for (const _ of used) await client.send(withKey);
  reservation.end();
}

test('two who have the file open see one account', async ({ folder }) => {
  const [ours, theirs] = [open(folder).account(id), open(folder).account(id)];
  expect(ours.status(begin)).toBeUndefined();
  await spend(ours, 100);
  await spend(theirs, 101, 109);
  expect(ours.status(begin)).toEqual({
    limit: 1000,
    remaining: 891,
    additional: 0,
    reset,
    at: begin,
    reserved: 0,
  });
  expect(ours.events(0)).toEqual([{ serial: 1, event: { kind: 'foreign-use', at: begin, n: 7 } }]);
  expect(theirs.events(1)).toEqual([]);
  expect(open(folder).account('another').events(0)).toEqual([]);
});

test('a ledger of before goes on where it stood', async ({ folder }) => {
  await spend(open(folder).account(id), 100, 109);
  const file = join(folder, 'state', 'ledger.db');
  const known = open(folder).account(id).status(begin);
  expect(known).toMatchObject({ remaining: 891 });
  const old = new DatabaseSync(file);
  const { changes } = old
    .prepare(`UPDATE account SET ledger = replace(ledger, '"foreign":', '"to' || 'ld":')`)
    .run();
  old.exec('PRAGMA user_version = 1');
  old.close();
  expect(changes).toBe(1);
  const account = open(folder).account(id);
  expect(account.status(begin)).toEqual(known);
  await spend(account, 112);
  expect(account.status(begin)).toMatchObject({ remaining: 888 });
});

test('what one has reserved another is not granted', async ({ folder }) => {
  const [ours, theirs] = [open(folder).account(id), open(folder).account(id)];
  await spend(ours, 890);
  const shares = { ...usualShares, check: 0, load: 0, confirm: 0 };
  const all = ours.ask({ ...light, cost: 9 }, shares, begin);
  expect(all.verdict).toBe('run');
  expect(theirs.ask(light, shares, begin)).toEqual({ verdict: 'skip', why: 'reserve', credit: 1 });
  if (all.verdict === 'run') all.reservation.end();
  expect(theirs.ask(light, shares, begin).verdict).toBe('run');
});

test('nothing leaves beyond the reservation, or once it is ended', async ({ folder }) => {
  const account = open(folder).account(id);
  const reservation = account.reserveAnyway(1);
  let sent = 0;
  const inner: Sender = {
    send: (request) => {
      sent += 1;
      return answering(sent).send(request);
    },
  };
  await reservation.client(inner).send(withKey);
  await expect(reservation.client(inner).send(withKey)).rejects.toBeInstanceOf(ReservationSpent);
  const given = account.reserveAnyway(5);
  given.end();
  await expect(given.client(inner).send(withKey)).rejects.toBeInstanceOf(ReservationSpent);
  expect(sent).toBe(1);
});

test('requests without the key pass and are not booked', async ({ folder }) => {
  const account = open(folder).account(id);
  const client = account.reserveAnyway(1).client(answering(1, 1));
  await client.send({ path: '/tokens', credential: 'none' });
  await client.send({ path: '/tokens', credential: 'trial:empty', trialKey: '' });
  expect(account.status(begin)).toBeUndefined();
});

test('a request is booked before it leaves and doubtful where it fails', async ({ folder }) => {
  const account = open(folder).account(id);
  await spend(account, 10);
  const reservation = account.reserveAnyway(2);
  const seen: (number | undefined)[] = [];
  const failing = reservation.client({
    send: async () => {
      seen.push(open(folder).account(id).status(begin)?.remaining);
      throw new Error('closed');
    },
  });
  await expect(failing.send(withKey)).rejects.toThrow('closed');
  expect(seen).toEqual([989]);
  await spend(account, 11, 13);
  expect(account.events(0).map(({ event }) => event)).toMatchObject([{ kind: 'foreign-use', n: 1 }]);
});

test('an answer is dated by the service where it says its time', async ({ folder }) => {
  const account = open(folder).account(id);
  const at = begin + 5000;
  const send = async (): Promise<Exchange> => {
    const { response, ...rest } = await answering(1).send(withKey);
    return {
      ...rest,
      ...(response && { response: { ...response, headers: [['date', new Date(at).toUTCString()]] } }),
    };
  };
  await account.reserveAnyway(1).client({ send }).send(withKey);
  expect(account.status(begin)?.at).toBe(at);
});

test('a month that is over leaves nothing known of the next', async ({ folder }) => {
  const account = open(folder).account(id);
  await spend(account, 10);
  expect(account.status(reset + 300_000)).not.toHaveProperty('remaining');
});

test('who closes gives back, and leaves flights doubtful', async ({ folder }) => {
  const ledgers = open(folder);
  await spend(ledgers.account(id), 10);
  let answer = (): void => undefined;
  const pending = ledgers
    .account(id)
    .reserveAnyway(20)
    .client({
      send: () =>
        new Promise((resolve) => {
          answer = () => resolve(exchangeWith(''));
        }),
    })
    .send(withKey);
  ledgers.close();
  answer();
  await expect(pending).rejects.toBeInstanceOf(LedgerUnavailable);
  expect(open(folder).account(id).status(begin)).toMatchObject({ remaining: 989, reserved: 0 });
});

test('old events are dropped and their numbers stay', async ({ folder }) => {
  const account = open(folder).account(id);
  await spend(account, 1);
  const file = new DatabaseSync(join(folder, 'state', 'ledger.db'));
  const event = JSON.stringify({ kind: 'foreign-use', at: begin, n: 1 });
  file.exec('BEGIN');
  const insert = file.prepare('INSERT INTO event (account, event) VALUES (?, ?)');
  for (let n = 0; n < 10_000; n++) insert.run(id, event);
  file.exec('COMMIT');
  await spend(account, 3);
  const events = account.events(0);
  expect(events).toHaveLength(10_000);
  expect(events.at(0)?.serial).toBe(2);
  expect(events.at(-1)).toEqual({ serial: 10_001, event: { kind: 'foreign-use', at: begin, n: 1 } });
});

test('no file of the folder holds the key, and none is open to others', async ({ folder }) => {
  const ledgers = open(folder);
  await spend(ledgers.account(id), 10, 20);
  const state = join(folder, 'state');
  expect(statSync(state).mode & 0o777).toBe(0o700);
  const files = readdirSync(state);
  expect(files).toContain('ledger.db-wal');
  for (const file of files) {
    expect(statSync(join(state, file)).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(join(state, file)).toString('latin1');
    expect(bytes).not.toContain(KEY);
    expect(bytes).not.toContain(Buffer.from(KEY).toString('base64'));
  }
});

test('a ledger that fails is reported, and a run that may goes on without', async ({ folder }) => {
  const ledgers = open(folder);
  const reservation = ledgers.account(id).reserveAnyway(9);
  const other = new DatabaseSync(join(folder, 'state', 'ledger.db'));
  other.exec('DROP TABLE flight');
  await expect(reservation.client(answering(1)).send(withKey)).rejects.toBeInstanceOf(LedgerUnavailable);
  const reported: string[] = [];
  const lenient = reservation.client(answering(1), (_error, when) => reported.push(when));
  expect((await lenient.send(withKey)).response?.status).toBe(200);
  expect(reported).toEqual(['leaving']);
});
