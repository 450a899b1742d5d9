import { budgetFor } from '../../conformance/plan/plan.ts';
import { accountId } from '../../http/ledger/account-id.ts';
import { LedgerAway, LedgerUnavailable } from '../../http/ledger/ledger-unavailable.ts';
import { openLedgers } from '../../http/ledger/ledgers.ts';
import type { Client } from '../../http/send/client.ts';
import { isBooked, readLedger } from '../database/read-ledger.ts';
import { quotaReader, type RemoteTarget } from './target-flags.ts';

type Sender = Pick<Client, 'send'>;
type BookedClient = Sender & { close(): Promise<void> };

/**
 * A run's client whose requests are in the key's ledger, for others who use the key. A run that its
 * user has requested goes on without a ledger where none can be kept.
 */
export async function bookedClient(
  target: RemoteTarget | undefined,
  budget: number | 'auto' | undefined,
  client: Sender,
): Promise<BookedClient> {
  const bare: BookedClient = { send: (request) => client.send(request), close: async () => undefined };
  if (target?.apiKey === undefined) return bare;
  const place = readLedger(target.configured?.ledger, process.env);
  if (!isBooked(target.isLoopback, place, process.env)) return bare;
  const warn = warnOnce();
  try {
    const ledgers = await openLedgers(place, { readQuota: quotaReader(target) });
    const account = ledgers.account(accountId(target.facts.baseUrl, target.apiKey));
    const most = budgetFor(typeof budget === 'number' ? budget : undefined).budget;
    // A database that is away would be waited for with each request.
    let isAway = false;
    const onTrouble = (error: LedgerUnavailable): void => {
      isAway ||= error instanceof LedgerAway;
      warn(error);
    };
    const booked = (await account.reserveAnyway(most)).client(client, onTrouble);
    return {
      send: (request) => (isAway ? bare : booked).send(request),
      close: () => orWarn(warn, () => ledgers.close()),
    };
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    warn(error);
    return bare;
  }
}

async function orWarn(warn: (error: LedgerUnavailable) => void, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    warn(error);
  }
}

function warnOnce(): (error: LedgerUnavailable) => void {
  let isReported = false;
  return (error) => {
    const mend = error instanceof LedgerAway ? '' : ' (CANDLEPROOF_STATE_DIR names another folder)';
    if (!isReported)
      process.stderr.write(`candleproof: ${error.message}; the run goes on without a ledger${mend}\n`);
    isReported = true;
  };
}
