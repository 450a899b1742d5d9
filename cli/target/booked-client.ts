import { budgetFor } from '../../conformance/plan/plan.ts';
import { LedgerUnavailable } from '../../http/ledger/ledger-unavailable.ts';
import { accountId, openLedgers } from '../../http/ledger/ledgers.ts';
import type { Client } from '../../http/send/client.ts';
import { ledgerFile } from '../files/state-folder.ts';
import { quotaReader, type RemoteTarget } from './target-flags.ts';

type Sender = Pick<Client, 'send'>;
type BookedClient = Sender & { close(): Promise<void> };

/**
 * A run's client whose requests are in the key's ledger, for others who use the key on this machine. A run that its
 * user has requested goes on without a ledger where none can be kept.
 */
export async function bookedClient(
  target: RemoteTarget | undefined,
  budget: number | 'auto' | undefined,
  client: Sender,
): Promise<BookedClient> {
  const bare: BookedClient = { send: (request) => client.send(request), close: async () => undefined };
  const isShared = target && (!target.isLoopback || Boolean(process.env.CANDLEPROOF_STATE_DIR));
  if (target?.apiKey === undefined || !isShared) return bare;
  const warn = warnOnce();
  try {
    const ledgers = await openLedgers(ledgerFile(), { readQuota: quotaReader(target) });
    const account = ledgers.account(accountId(target.facts.baseUrl, target.apiKey));
    const most = budgetFor(typeof budget === 'number' ? budget : undefined).budget;
    const { send } = (await account.reserveAnyway(most)).client(client, warn);
    return { send, close: () => orWarn(warn, () => ledgers.close()) };
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
  return ({ message }) => {
    if (!isReported)
      process.stderr.write(
        `candleproof: ${message}; the run goes on without one (CANDLEPROOF_STATE_DIR names another folder)\n`,
      );
    isReported = true;
  };
}
