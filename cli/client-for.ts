import type { SecureContext } from 'node:tls';
import { type Client, createClient } from '../http/client.ts';
import type { RemoteTarget } from './target-flags.ts';
import { version } from './version.ts';

/** Requests per second away from loopback, when nobody says otherwise. */
const politeRate = 5;

type ClientFlags = {
  readonly rate?: number;
  readonly timeout: number;
  /** What the target's authority makes, where several clients share it. */
  readonly trust?: SecureContext | undefined;
};

/** The client of a target, paced and with the deadlines that the flags of a run ask for. */
export function clientFor(
  { facts, apiKey, ca, isLoopback }: RemoteTarget,
  { rate, timeout, trust }: ClientFlags,
): Client {
  return createClient({
    baseUrl: facts.baseUrl,
    apiKey,
    ca: trust ?? ca,
    ratePerSecond: rate ?? (isLoopback ? undefined : politeRate),
    deadlines: { connectMs: timeout / 2, headersMs: timeout, bodyMs: timeout },
    ...(!isLoopback && { proxyEnv: process.env }),
    version,
    longestWaitMs: timeout,
  });
}

/** Milliseconds before asking again: the embedded service answers at once or not at all; a remote one may need a moment. */
export function pauseFor({ isLoopback }: RemoteTarget): number {
  return isLoopback ? 50 : 1000;
}
