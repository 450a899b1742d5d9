import type { SecureContext } from 'node:tls';
import { moveParameters } from '../../contract/document/sent-request.ts';
import type { Spec } from '../../contract/document/spec.ts';
import { version } from '../../files/package-files.ts';
import { accountId, LedgerAway, LedgerUnavailable } from '../../http/ledger/ledger-store.ts';
import { type LedgerPlace, openLedgers } from '../../http/ledger/ledgers.ts';
import type { Redaction } from '../../http/secrets/redaction.ts';
import { type Client, createClient } from '../../http/send/client.ts';
import { USUAL_MOST_BODY_BYTES } from '../../http/send/kept-bodies.ts';
import { splitBudget } from '../plan/plan.ts';
import type { FirstJudged } from '../run/run.ts';
import { quotaReader, type Target } from './target.ts';

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
  const maxBodyBytes = maxBody === undefined ? USUAL_MOST_BODY_BYTES : maxBody * 1024 * 1024;
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
    mostKeptBytes: mostBodies === undefined ? undefined : mostBodies * maxBodyBytes,
    deadlines: { connectMs: timeout / 2, headersMs: timeout, bodyMs: timeout },
    proxyEnv,
    version,
    longestWaitMs: timeout,
  });
}

/** Full bodies that a run keeps: a check needs a fifth of it, and a hostile target sends without end. */
export const mostBodiesOfRun = 4;

/** Returns the wait in ms before a request is repeated: the embedded service answers at once, a remote one may need a moment. */
export function retryPause({ isLoopback }: Target): number {
  return isLoopback ? 50 : 1000;
}

type Sender = Pick<Client, 'send'>;

/** A client whose ledger knows who else uses the key. */
type BookedSender = Sender & {
  /** Returns whether others have used the key so far, as far as the ledger was read. */
  hasCompany(): Promise<boolean>;
};

/** Requests between two reads of the ledger that show whether others use the key. */
const requestsBetween = 8;

export type Booking = {
  /** The ledger of the key's account; without it, nothing is booked. */
  readonly ledger?: LedgerPlace | undefined;
  /** Called once if the ledger cannot be kept: the run goes on without it. */
  readonly onUnbooked?: (error: LedgerUnavailable) => void;
};

/**
 * Runs work with a client of the target whose requests are booked in the key's ledger, for others who use the key;
 * closes both after it. `budget` is the most requests to reserve.
 */
export async function withClient<Result>(
  target: Target,
  options: SendingOptions & Booking & { readonly budget?: number | 'auto' | undefined },
  work: (client: BookedSender) => Promise<Result>,
): Promise<Result> {
  const client = createTargetClient(target, options);
  const booked = await bookRequests(target, options, client);
  try {
    return await work(booked);
  } finally {
    await client.close();
    await booked.close();
  }
}

async function bookRequests(
  target: Target,
  { ledger, budget, onUnbooked }: Booking & { readonly budget?: number | 'auto' | undefined },
  client: Sender,
): Promise<BookedSender & { close(): Promise<void> }> {
  const send: Sender['send'] = (request) => client.send(request);
  const bare = { send, hasCompany: async () => false, close: async () => undefined };
  if (target.apiKey === undefined || ledger === undefined) return bare;
  const warn = reportOnce(onUnbooked);
  try {
    const ledgers = await openLedgers(ledger, { readQuota: quotaReader(target) });
    const account = ledgers.account(accountId(target.facts.baseUrl, target.apiKey));
    const most = splitBudget(typeof budget === 'number' ? budget : undefined).budget;
    // A database that is away would be waited for again and again.
    let isAway = false;
    const onTrouble = (error: LedgerUnavailable): void => {
      isAway ||= error instanceof LedgerAway;
      warn(error);
    };
    const reservation = await account.reserveAnyway(most, onTrouble);
    const booked = reservation.client(client);
    const hasCompany = rememberCompany(target, () => (isAway ? bare : reservation).hasCompany());
    await hasCompany();
    let sent = 0;
    return {
      hasCompany,
      send: async (request) => {
        sent += 1;
        if (sent % requestsBetween === 0) await hasCompany();
        return booked.send(request);
      },
      close: () => ledgers.close().catch(warnOrThrow(warn)),
    };
  } catch (error) {
    warnOrThrow(warn)(error);
    return bare;
  }
}

/** Makes a question whose first yes is final; it matters only if our requests alone would move the counters. */
function rememberCompany({ facts }: Target, ask: () => Promise<boolean>): () => Promise<boolean> {
  let isKnown = false;
  return async () => {
    if (facts.soleUser && !isKnown) isKnown = await ask().catch(() => false);
    return isKnown;
  };
}

function warnOrThrow(warn: (error: LedgerUnavailable) => void): (error: unknown) => void {
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
