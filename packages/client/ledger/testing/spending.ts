import type { QuotaAnswer } from '../../accounts/ledger-entry.ts';
import { KEY } from '../../testing/targets.ts';
import type { KeyAccount } from '../account.ts';
import { accountId } from '../ledger-store.ts';
import type { Sender } from '../reservation.ts';
import type { TestLedger } from './ledger-test.ts';
import { exchangeWith, withKey } from './quota-server.ts';

export const begin = Date.UTC(2026, 9, 1);
export const reset = Date.UTC(2026, 10, 1) - 1;
export const id = accountId('https://target.example', KEY);

/** Opens the key's account as another holder at the start of the month. */
export async function accountIn(place: TestLedger): Promise<KeyAccount> {
  return (await place.open(() => begin)).account(id);
}

/** Returns a client whose answers report these numbers of used requests, of a thousand. */
export function answering(...used: number[]): Sender {
  const left = [...used];
  return {
    send: async () => {
      const spent = left.shift() ?? 0;
      const quota: QuotaAnswer = { limit: 1000, remaining: 1000 - spent, additional: 0, reset };
      return exchangeWith(JSON.stringify(quota));
    },
  };
}

/** Sends one request after the other, even if the month does not leave enough. */
export async function spend(account: KeyAccount, ...used: number[]): Promise<void> {
  const reservation = await account.reserveAnyway(used.length);
  const client = reservation.client(answering(...used));
  for (const _ of used) await client.send(withKey);
  await reservation.end();
}
