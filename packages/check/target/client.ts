import type { SecureContext } from 'node:tls';
import type { Redaction } from '@candleproof/client/secrets/redaction';
import { type Client, createClient } from '@candleproof/client/send/client';
import { USUAL_MAX_BODY_BYTES } from '@candleproof/client/send/kept-bodies';
import { moveParameters } from '@candleproof/document/spec/sent-request';
import type { Spec } from '@candleproof/document/spec/spec';
import { version } from '@candleproof/files/package-files';
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
