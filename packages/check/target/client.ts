import type { SecureContext } from 'node:tls';
import { KeyGuard, type KeyLeft } from '@candleproof/client/ledger/key-guard';
import { accountId, LedgerUnavailable } from '@candleproof/client/ledger/ledger-store';
import { type LedgerPlace, openLedgers } from '@candleproof/client/ledger/ledgers';
import type { Redaction } from '@candleproof/client/secrets/redaction';
import { type Client, createClient } from '@candleproof/client/send/client';
import { USUAL_MAX_BODY_BYTES } from '@candleproof/client/send/kept-bodies';
import { moveParameters } from '@candleproof/document/spec/sent-request';
import type { Spec } from '@candleproof/document/spec/spec';
import { version } from '@candleproof/files/package-files';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { readAnyQuota, readSuccessQuota } from '@candleproof/law/reading/quota';
import { splitBudget } from '../plan/plan.ts';
import type { FirstJudged } from '../run/run.ts';
import type { Target } from './target.ts';

/** Requests per second that no service minds. */
const politeRate = 5;

/** Returns the default requests per second away from loopback: a polite rate that the document allows. */
function defaultRate({ ratePerMinute = Number.POSITIVE_INFINITY }: Pick<Spec, 'ratePerMinute'>): number {
  return Math.min(politeRate, ratePerMinute / 60);
}

/** Returns the seconds that `requests` to a target take at the usual rate, at least one second for each. */
export function estimateSeconds(requests: number, spec: Pick<Spec, 'ratePerMinute'>): number {
  return Math.ceil(requests * Math.max(1, 1 / defaultRate(spec)));
}

/** Words how far a check is, and what its pace leaves to wait for: `14 of 46 requests, nothing broken in 10, about 9 s left`. */
export function wordProgress(
  [sent, planned]: readonly [number, number],
  { isLoopback, spec }: Pick<Target, 'isLoopback' | 'spec'>,
  rate = isLoopback ? undefined : defaultRate(spec),
  first?: FirstJudged,
): string {
  const done = `${sent} of ${planned} requests${first ? `, ${wordFirst(first)}` : ''}`;
  return rate === undefined || sent >= planned
    ? done
    : `${done}, about ${Math.ceil((planned - sent) / rate)} s left`;
}

function wordFirst({ broken, sent }: FirstJudged): string {
  if (broken === 0) return `nothing broken in ${sent}`;
  return `${broken} ${broken === 1 ? 'rule' : 'rules'} broken in ${sent}`;
}

export type SendingOptions = {
  /** Requests per second. */
  readonly rate?: number;
  /** Longest wait for an answer, in ms. */
  readonly timeout: number;
  /** Most MB of one body. */
  readonly maxBody?: number;
  /** Most bodies of that size to keep at a time; no limit by default, for clients that live long. */
  readonly mostBodies?: number;
  /** The context made of the target's authority, if several clients share it. */
  readonly trust?: SecureContext | undefined;
  /** The secrets that several clients of the target hide. */
  readonly redaction?: Redaction;
};

/** Returns a client of the target with a polite pace and deadlines; the caller closes it. */
export function createTargetClient(
  { facts, apiKey, furtherKeys = [], ca, isLoopback, proxyEnv, spec }: Target,
  { rate, timeout, trust, redaction, maxBody, mostBodies }: SendingOptions,
): Client {
  const maxBodyBytes = maxBody === undefined ? USUAL_MAX_BODY_BYTES : maxBody * 1024 * 1024;
  return createClient({
    baseUrl: facts.baseUrl,
    apiKey,
    keyPlace: spec.keyPlaces?.[0],
    moveParameters: (path) => moveParameters(spec, path),
    furtherKeys: spec.keyPlaces?.slice(1).flatMap((place, at) => {
      const text = furtherKeys[at];
      return text === undefined ? [] : [{ place, text }];
    }),
    ca: trust ?? ca,
    redaction,
    ratePerSecond: rate ?? (isLoopback ? undefined : defaultRate(spec)),
    maxBodyBytes,
    maxKeptBytes: mostBodies === undefined ? undefined : mostBodies * maxBodyBytes,
    deadlines: { connectMs: timeout / 2, headersMs: timeout, bodyMs: timeout },
    proxyEnv,
    version,
    longestWaitMs: timeout,
  });
}

/** Full bodies that a run keeps: a check needs a fifth of it, and a hostile target sends without end. */
export const maxBodiesOfRun = 4;

/** Returns the wait in ms before a request is repeated: the embedded service answers at once, a remote one may need a moment. */
export function retryPause({ isLoopback }: Target): number {
  return isLoopback ? 50 : 1000;
}

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
