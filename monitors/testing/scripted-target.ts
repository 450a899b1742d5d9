import { setTimeout as sleep } from 'node:timers/promises';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Exchange, FailureKind, Phase } from '@candleproof/law/reading/exchange';
import type { Clock } from '../probes/clock.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';

export type TargetReply =
  /** `took`: ms that it reports as its duration, measured by default; `receive`: ms of it for the body. */
  | { readonly status: number; readonly body?: string; readonly took?: number; readonly receive?: number }
  | { readonly failure: FailureKind; readonly phase: Phase; readonly took?: number };

/** The month of a key as the fictional service counts it; other holders of the key may use it too. */
export type ScriptedMonth = { limit: number; used: number; reset: number };

export type Script = {
  readonly name: string;
  readonly clock: Clock;
  /** Answers by the number of the request, from 1; default: a token list. */
  readonly answer?: (count: number, request: SendRequest) => TargetReply | Promise<TargetReply>;
  readonly key?: WatchedTarget['key'];
  /** Returns the last instant of its certificate, Unix ms. */
  readonly certificateEnd?: () => number | undefined;
  /** Returns Unix ms by its clock; default: ours. */
  readonly date?: () => number;
  readonly month?: ScriptedMonth;
};

export type ScriptedTarget = WatchedTarget & { readonly sent: readonly SendRequest[] };

export const tokenList = { status: 200, body: '[]' } as const;

/** A target without a socket; closing its client ends what it has not answered, as the real one does. */
export function scriptedTarget(script: Script): ScriptedTarget {
  const { name, key, answer = () => tokenList } = script;
  const sent: SendRequest[] = [];
  return {
    sent,
    facts: {
      name,
      baseUrl: `https://${name}.invalid`,
      pools: { v1: [1], v2: [1] },
      keyless: key === undefined,
      soleUser: false,
    },
    key,
    connect() {
      const { promise: closed, reject } = Promise.withResolvers<never>();
      closed.catch(() => undefined);
      return {
        async send(request) {
          const count = sent.push(request);
          const startedAt = script.clock.now();
          const reply = await Promise.race([answer(count, request), closed]);
          return makeExchange(script, request, reply, startedAt);
        },
        close: async () => reject(new Error('the client is closed')),
      };
    },
    mayReset: true,
    pauseMs: 1,
    words: 'mainnet',
    patienceMs: 5000,
  };
}

function makeExchange(script: Script, sent: SendRequest, reply: TargetReply, startedAt: number): Exchange {
  const { name, clock, date: ownTime = clock.now } = script;
  const { path, credential, method = 'GET' } = sent;
  const request = { method, url: `https://${name}.invalid${path}`, headers: [], credential };
  const certificateEnd = script.certificateEnd?.();
  const rest = {
    ...(certificateEnd !== undefined && {
      connection: {
        ...{ id: 1, reused: false },
        tls: { version: 'TLSv1.3', certificateEnd: new Date(certificateEnd).toISOString() },
      },
    }),
    timings: {
      total: reply.took ?? 1 + clock.now() - startedAt,
      ...('receive' in reply && { receive: reply.receive }),
    },
    startedAt: new Date(startedAt).toISOString(),
  };
  if ('failure' in reply) {
    return { request, failure: { kind: reply.failure, phase: reply.phase, message: 'scripted' }, ...rest };
  }
  const { status, body = '' } = reply;
  const bytes = Buffer.byteLength(body);
  const date = new Date(ownTime()).toUTCString();
  return {
    request,
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: [['date', date], ['content-type', 'application/json'], ...counters(script.month)],
      body: { text: body, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes },
    },
    ...rest,
  };
}

/** Counts the request, whatever its answer. */
function counters(month: ScriptedMonth | undefined): [string, string][] {
  if (!month) return [];
  month.used += 1;
  return [
    ['x-ratelimit-limit', String(month.limit)],
    ['x-ratelimit-remaining', String(Math.max(0, month.limit - month.used))],
    ['x-ratelimit-additional-total', String(Math.max(0, month.used - month.limit))],
    ['x-ratelimit-reset', String(month.reset)],
  ];
}

/** Lets everything run that waits for no socket and no timer. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await sleep(0);
}
