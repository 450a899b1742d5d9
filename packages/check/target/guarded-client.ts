import { KeyGuard, type KeyLeft } from '@candleproof/client/ledger/key-guard';
import { accountId, LedgerUnavailable } from '@candleproof/client/ledger/ledger-store';
import { type LedgerPlace, openLedgers } from '@candleproof/client/ledger/ledgers';
import type { Client } from '@candleproof/client/send/client';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { readAnyQuota, readSuccessQuota } from '@candleproof/law/reading/quota';
import { splitBudget } from '../plan/plan.ts';
import { createTargetClient, type SendingOptions } from './client.ts';
import type { Target } from './target.ts';

type Sender = Pick<Client, 'send'>;

/** A client that sends nothing beyond what the key's month leaves, and whose ledger knows who else uses the key. */
type GuardedSender = Sender & {
  /** Returns what may still be sent with the key; undefined until an answer shows it. */
  left(): Promise<KeyLeft | undefined>;
  /** Returns whether others have used the key so far, as far as the ledger was read. */
  hasCompany(): Promise<boolean>;
};

/** Requests between two reads of the ledger that show whether others use the key. */
const requestsBetween = 8;

export type Booking = {
  /** The ledger of the key's account; without it, the counters of the answers alone bound what is sent. */
  readonly ledger?: LedgerPlace | undefined;
  /** Called once if the ledger cannot be kept: the run goes on without it. */
  readonly onUnbooked?: (error: LedgerUnavailable) => void;
  /** Requests may go beyond what the key's month leaves, which may be billed. */
  readonly allowOverage?: boolean | undefined;
};

type GuardChoices = Booking &
  Pick<SendingOptions, 'timeout'> & { readonly budget?: number | 'auto' | undefined };

/**
 * Runs work with a client of the target that sends no request with the key beyond what its month leaves, and books them in
 * the key's ledger, for others who use it; closes both after it. `budget` is the most requests to reserve.
 */
export async function withClient<Result>(
  target: Target,
  options: SendingOptions & GuardChoices,
  work: (client: GuardedSender) => Promise<Result>,
): Promise<Result> {
  const client = createTargetClient(target, options);
  const guarded = await guardRequests(target, options, client);
  try {
    return await work(guarded);
  } finally {
    await client.close();
    await guarded.close();
  }
}

/** Returns the key of a target that is bounded by its month; the embedded service gives each run a key of its own. */
function boundedKey({ facts, apiKey, spec, terms }: Target): GuardedKey | undefined {
  if (apiKey === undefined || facts.name === 'local') return undefined;
  return { baseUrl: facts.baseUrl, text: apiKey, quota: spec.quota, reserve: terms?.reserve };
}

async function guardRequests(
  target: Target,
  choices: GuardChoices,
  client: Sender,
): Promise<GuardedSender & { close(): Promise<void> }> {
  const send: Sender['send'] = (request) => client.send(request);
  const left = async (): Promise<KeyLeft> => ({ requests: Number.POSITIVE_INFINITY });
  const key = boundedKey(target);
  if (!key) return { send, left, hasCompany: async () => false, close: async () => undefined };
  const { guard, close } = await openGuard(key, choices);
  const hasCompany = rememberCompany(target, () => guard.hasCompany());
  const guarded = guard.client(client);
  let sent = 0;
  return {
    hasCompany,
    left: () => guard.left(),
    send: async (request) => {
      sent += 1;
      if (sent % requestsBetween === 0) await hasCompany();
      return guarded.send(request);
    },
    close,
  };
}

/** A key, its origin, the headers of its month, and the percent of it that is kept. */
export type GuardedKey = {
  readonly baseUrl: string;
  readonly text: string;
  readonly quota: Spec['quota'];
  readonly reserve?: number | undefined;
};

/** Opens the guard of a key; the caller closes it, which gives back what was reserved and not sent. */
export async function openGuard(
  { baseUrl, text, quota, reserve = 0 }: GuardedKey,
  { ledger, budget, onUnbooked, allowOverage, timeout }: GuardChoices,
): Promise<{ readonly guard: KeyGuard; close(): Promise<void> }> {
  const warn = reportOnce(onUnbooked);
  const readQuota = (exchange: Exchange) => readSuccessQuota(quota, exchange);
  const opening = ledger === undefined ? undefined : openLedgers(ledger, { readQuota });
  const ledgers = await opening?.catch(warnOrThrow(warn));
  const guard = new KeyGuard({
    account: ledgers?.account(accountId(baseUrl, text)),
    readQuota: (exchange) => readAnyQuota(quota, exchange),
    most: splitBudget(typeof budget === 'number' ? budget : undefined).budget,
    reserve,
    patienceMs: timeout,
    onTrouble: warn,
    isFree: allowOverage,
  });
  const close = async (): Promise<void> => {
    await guard.close();
    await ledgers?.close().catch(warnOrThrow(warn));
  };
  return { guard, close };
}

/** Makes a question whose first yes is final; it matters only if our requests alone would move the counters. */
function rememberCompany({ facts }: Target, ask: () => Promise<boolean>): () => Promise<boolean> {
  let isKnown = false;
  return async () => {
    if (facts.soleUser && !isKnown) isKnown = await ask().catch(() => false);
    return isKnown;
  };
}

function warnOrThrow(warn: (error: LedgerUnavailable) => void): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof LedgerUnavailable)) throw error;
    warn(error);
  };
}

function reportOnce(report: Booking['onUnbooked']): (error: LedgerUnavailable) => void {
  let isReported = false;
  return (error) => {
    if (!isReported) report?.(error);
    isReported = true;
  };
}
