import { quotaReader, type Target } from '@candleproof/check/target/target';
import type { KeyAccount } from '@candleproof/client/ledger/account';
import { accountId, MonthSpent } from '@candleproof/client/ledger/ledger-store';
import { type LedgerPlace, openLedgers } from '@candleproof/client/ledger/ledgers';
import type { Bulk } from '@candleproof/client/ledger/reservation';
import type { Client } from '@candleproof/client/send/client';
import { UsageError } from '@candleproof/files/usage-error';
import { type MonthAccount, type Shares, spendable, usualShares } from '@candleproof/law/planning/allowance';
import type { Exchange } from '@candleproof/law/reading/exchange';
import type { WholeQuota } from '@candleproof/law/reading/quota';

/** Holds the requests that a load may spend of its key, and books them. */
export type LoadBooking = {
  /** Sends one request, which is booked; its answer reports the month. */
  look(client: Pick<Client, 'send'>, path: string): Promise<Exchange>;
  /** Books a whole bill; throws a UsageError for one that the key cannot pay above its reserve. */
  grant(bill: number, month: WholeQuota | undefined): Promise<Bulk>;
  close(): Promise<void>;
};

/** The present scale of the load, and whether the service is the embedded one, or the month no bound. */
type LoadedBy = {
  readonly isEmbedded: boolean;
  readonly scale: number;
  readonly ledger: LedgerPlace | undefined;
  readonly allowOverage?: boolean | undefined;
};

const nothing: Bulk = { end: async () => undefined };

/** Longest wait in ms for another command's answer that shows the month. */
const patienceMs = 10_000;

/**
 * Opens the booking of a target: its key's account in the ledger. Without a ledger, and for the embedded service, whose
 * key has no other user, it keeps no books. A ledger that cannot be kept is an error: no load goes unbooked.
 */
export async function openLoadBooking(target: Target, by: LoadedBy): Promise<LoadBooking> {
  const { isEmbedded, scale, ledger, allowOverage } = by;
  const shares = target.terms?.shares ?? usualShares;
  if (isEmbedded || target.apiKey === undefined || ledger === undefined)
    return unbookedLoad(target, shares, by);
  const ledgers = await openLedgers(ledger, { readQuota: quotaReader(target) });
  const account = ledgers.account(accountId(target.facts.baseUrl, target.apiKey));
  const one = { most: 1, reserve: target.terms?.reserve ?? 0, patienceMs };
  return {
    async look(client, path) {
      const reservation = allowOverage
        ? await account.reserveAnyway(1)
        : (await account.lend(one)).reservation;
      try {
        return await reservation.client(client).send({ path, credential: 'api-key' });
      } finally {
        await reservation.end();
      }
    },
    grant: async (bill, month) =>
      allowOverage
        ? (await account.reserveAnyway(bill)).sendInBulk()
        : reserveBulk(account, { bill, scale }, month, shares),
    close: () => ledgers.close(),
  };
}

function unbookedLoad(
  { apiKey }: Target,
  shares: Shares,
  { isEmbedded, scale, allowOverage }: LoadedBy,
): LoadBooking {
  const credential = apiKey === undefined ? 'none' : 'api-key';
  return {
    look: (client, path) => client.send({ path, credential }),
    grant: async (bill, month) => {
      // A key without other users needs no share for them.
      const kept = isEmbedded
        ? { check: 0, monitor: 0, load: 90, confirm: 0, reserve: shares.reserve }
        : shares;
      const most = month && !allowOverage ? spendable(month, kept, 'load', Date.now()) : undefined;
      if (month && most !== undefined && most < bill) throw refuseBill({ bill, scale }, most, month, kept);
      return nothing;
    },
    close: async () => undefined,
  };
}

async function reserveBulk(
  account: KeyAccount,
  { bill, scale }: Billed,
  month: WholeQuota | undefined,
  shares: Shares,
): Promise<Bulk> {
  if (!month) return nothing;
  const now = Date.now();
  const requested = await account.ask({ purpose: 'load', cost: bill, credit: 0 }, shares, now);
  if (requested.verdict === 'run') return requested.reservation.sendInBulk();
  if (requested.why === 'unknown')
    throw new UsageError('load: the key’s month is not known: somebody else’s request is still under way');
  const left = (await account.month(now)) ?? month;
  throw refuseBill({ bill, scale }, spendable(left, shares, 'load', now), left, shares);
}

/** Returns the refusal of a bill: of a spent month whatever its size, else of one that asks for too much. */
function refuseBill(
  billed: Billed,
  most: number,
  { remaining, limit, reset }: MonthAccount,
  { reserve }: Shares,
): UsageError | MonthSpent {
  const kept = Math.ceil((limit * reserve) / 100);
  return remaining <= kept
    ? new MonthSpent({ remaining, limit, reset, kept, reserved: 0 })
    : overBudgetError(billed, most);
}

type Billed = { readonly bill: number; readonly scale: number };

function overBudgetError({ bill, scale }: Billed, most: number): UsageError {
  const fitting = roundDown((scale * most) / bill);
  const mend =
    fitting > 0 ? `give --scale ${fitting}, or a smaller --rate or --duration` : 'wait for its reset';
  return new UsageError(
    `load: the bill is ${bill} requests, and the key has ${most} to spare for load above its reserve and the other shares: ${mend}`,
  );
}

/** Three digits of a number, none of them too high. */
function roundDown(value: number): number {
  const place = 10 ** (2 - Math.floor(Math.log10(value)));
  return value > 0 ? Math.floor(value * place) / place : 0;
}
