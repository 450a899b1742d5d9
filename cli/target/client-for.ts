import type { SecureContext } from 'node:tls';
import { version } from '../../files/package-files.ts';
import type { Redaction } from '../../http/secrets/redaction.ts';
import { type Client, createClient } from '../../http/send/client.ts';
import { USUAL_MOST_BODY_BYTES } from '../../http/send/kept-bodies.ts';
import { readSpec } from './accepted-spec.ts';
import type { RemoteTarget } from './target-flags.ts';

/** Requests per second away from loopback, when nobody says otherwise. */
const politeRate = 5;

type ClientFlags = {
  readonly rate?: number;
  readonly timeout: number;
  /** Most MB of one body. */
  readonly maxBody?: number;
  /** Most bodies of that size that are kept together; no limit where left out, for clients that live long. */
  readonly mostBodies?: number;
  /** What the target's authority makes, where several clients share it. */
  readonly trust?: SecureContext | undefined;
  /** What several clients of the target conceal. */
  readonly redaction?: Redaction;
};

/** The client of a target, paced and with the deadlines that the flags of a run ask for. */
export function clientFor(
  { facts, apiKey, ca, isLoopback, specFile }: RemoteTarget,
  { rate, timeout, trust, redaction, maxBody, mostBodies }: ClientFlags,
): Client {
  const maxBodyBytes = maxBody === undefined ? USUAL_MOST_BODY_BYTES : maxBody * 1024 * 1024;
  return createClient({
    baseUrl: facts.baseUrl,
    apiKey,
    keyHeader: readSpec(specFile).keyHeader,
    ca: trust ?? ca,
    redaction,
    ratePerSecond: rate ?? (isLoopback ? undefined : politeRate),
    maxBodyBytes,
    mostKeptBytes: mostBodies === undefined ? undefined : mostBodies * maxBodyBytes,
    deadlines: { connectMs: timeout / 2, headersMs: timeout, bodyMs: timeout },
    ...(!isLoopback && { proxyEnv: process.env }),
    version,
    longestWaitMs: timeout,
  });
}

/** Full bodies that a run keeps: what a check needs is a fifth of it, what a hostile target sends knows no end. */
export const mostBodiesOfRun = 4;

/** Milliseconds before asking again: the embedded service answers at once or not at all; a remote one may need a moment. */
export function pauseFor({ isLoopback }: RemoteTarget): number {
  return isLoopback ? 50 : 1000;
}
