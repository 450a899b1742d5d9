import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import { KEY } from '../../testing/targets.ts';
import { LedgerUnavailable, ReservationSpent } from '../ledger-store.ts';
import { sqliteTest as test } from '../testing/ledger-test.ts';
import { withKey } from '../testing/quota-server.ts';
import { accountIn, answering, begin, id, spend } from '../testing/spending.ts';

test('old events are dropped and their numbers stay', async ({ place, folder }) => {
  const account = await accountIn(place);
  await spend(account, 1);
  const file = new DatabaseSync(join(folder, 'state', 'ledger.db'));
  const event = JSON.stringify({ kind: 'foreign-use', at: begin, n: 1 });
  file.exec('BEGIN');
  const insert = file.prepare('INSERT INTO event (account, event) VALUES (?, ?)');
  for (let n = 0; n < 10_000; n++) insert.run(id, event);
  file.exec('COMMIT');
  await spend(account, 3);
  const events = await account.events(0);
  expect(events).toHaveLength(10_000);
  expect(events.at(0)?.serial).toBe(2);
  expect(events.at(-1)).toEqual({ serial: 10_001, event: { kind: 'foreign-use', at: begin, n: 1 } });
});

test('what is booked at one moment is booked together, and what is refused is refused alone', async ({
  place,
}) => {
  const account = await accountIn(place);
  await spend(account, 10);
  const reservation = await account.reserveAnyway(2);
  const client = reservation.client(answering(11, 12, 13));
  const sent = await Promise.allSettled([1, 2, 3].map(() => client.send(withKey)));
  expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(sent[2]).toMatchObject({ reason: expect.any(ReservationSpent) });
  expect(await account.status(begin)).toMatchObject({ remaining: 988, reserved: 0 });
});

test('no file of the folder holds the key, and none is open to others', async ({ place, folder }) => {
  const ledgers = await place.open({ now: () => begin });
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

test('a ledger that fails is reported, and a run that may goes on without', async ({ place, folder }) => {
  const ledgers = await place.open({ now: () => begin });
  const reservation = await ledgers.account(id).reserveAnyway(9);
  const other = new DatabaseSync(join(folder, 'state', 'ledger.db'));
  other.exec('DROP TABLE flight');
  await expect(reservation.client(answering(1)).send(withKey)).rejects.toBeInstanceOf(LedgerUnavailable);
  const reported: string[] = [];
  const lenient = reservation.client(answering(1), (_error, when) => reported.push(when));
  expect((await lenient.send(withKey)).response?.status).toBe(200);
  expect(reported).toEqual(['leaving']);
});
