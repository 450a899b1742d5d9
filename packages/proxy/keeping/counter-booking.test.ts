import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { expect, test } from '@playwright/test';
import { CounterBooking } from './counter-booking.ts';

const account = 'a'.repeat(64);
const reset = Date.UTC(2031, 0, 1);

test('counters that cannot be booked are dropped and said once, until they can be booked again', async () => {
  mkdirSync(test.info().outputDir, { recursive: true });
  const file = test.info().outputPath('ledger.db');
  const lost: string[] = [];
  const booking = await CounterBooking.open({ file }, (reason) => lost.push(reason));
  const see = (remaining: number): void =>
    booking.see({ account, at: Date.now(), quota: { limit: 10_000, remaining, additional: 0, reset } });
  const ledgers = await openLedgers(file, { readQuota: () => undefined });
  const remaining = async () => (await ledgers.account(account).status(Date.now()))?.remaining;
  const database = new DatabaseSync(file, { timeout: 5000 });
  see(9000);
  await expect.poll(remaining).toBe(9000);
  database.exec('ALTER TABLE ledger_account RENAME TO away');
  see(8999);
  see(8998);
  await expect.poll(() => lost).toEqual([expect.stringMatching(/account/)]);
  database.exec('ALTER TABLE away RENAME TO ledger_account');
  see(8997);
  await expect.poll(remaining).toBe(8997);
  database.exec('ALTER TABLE ledger_account RENAME TO away');
  see(8996);
  await expect.poll(() => lost).toHaveLength(2);
  database.exec('ALTER TABLE away RENAME TO ledger_account');
  database.close();
  await booking.close(5000);
  await ledgers.close();
});
