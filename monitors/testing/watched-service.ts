import { Redaction } from '@candleproof/client/secrets/redaction';
import { contextTrusting } from '@candleproof/client/send/agents';
import type { Client } from '@candleproof/client/send/client';
import { createClient } from '@candleproof/client/send/client';
import type { RunningService } from '@candleproof/reference-service/start';
import type { Clock } from '../probes/clock.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';

/**
 * A clock that only moves when a test lets time pass: months pass in seconds. `set` lets time pass until it shows an
 * instant; `step` shifts only the wall clock, by `ms`, as a person or a time server does.
 */
export type MovedClock = Clock & { set(now: number): void; step(ms: number): void };

/** Returns a clock that a test moves and sets. */
export function movedClock(start: number): MovedClock {
  let [passed, error] = [start, 0];
  return {
    now: () => passed + error,
    steady: () => passed,
    uptime: () => passed,
    sleep: () => Promise.resolve(),
    set: (instant) => {
      passed = instant - error;
    },
    step: (ms) => {
      error += ms;
    },
  };
}

export type ReachOptions = {
  readonly name: string;
  readonly clock: Clock;
  readonly key?: WatchedTarget['key'];
  readonly mayReset?: boolean;
  /** Between the client and what it sends. */
  readonly through?: (client: Pick<Client, 'send'>) => Pick<Client, 'send'>;
};

/** The reference service as a monitored target, its exchanges dated by the clock that both of them share. */
export function watchedService(
  { url, caPem, poolsV1, poolsV2 }: Pick<RunningService, 'url' | 'caPem' | 'poolsV1' | 'poolsV2'>,
  { name, clock, key, mayReset = true, through = (client) => client }: ReachOptions,
): WatchedTarget {
  const trust = contextTrusting(caPem);
  const redaction = new Redaction();
  return {
    facts: {
      name,
      baseUrl: url,
      pools: { v1: poolsV1, v2: poolsV2 },
      keyless: key === undefined,
      soleUser: false,
    },
    key,
    connect() {
      const client = createClient({
        baseUrl: url,
        apiKey: key?.text,
        ca: trust,
        redaction,
        deadlines: { connectMs: 5000, headersMs: 5000, bodyMs: 5000 },
        version: 'test',
        longestWaitMs: 1000,
      });
      const sent = through({
        send: async (request) => {
          const startedAt = new Date(clock.now()).toISOString();
          return { ...(await client.send(request)), startedAt };
        },
      });
      return { send: (request) => sent.send(request), close: () => client.close() };
    },
    mayReset,
    pauseMs: 1,
    words: 'mainnet',
    patienceMs: 5000,
  };
}
