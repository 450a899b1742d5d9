import type { Client } from '@candleproof/client/send/client';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Reason } from '@candleproof/law/judge/reason';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import type { PlannedRequest } from '../plan/planned-request.ts';

/** Options that a run, a first look, a replay, a sweep and an exploration share. */
export type SendTerms = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  readonly client: Pick<Client, 'send'>;
  readonly hasKey: boolean;
  /** Most requests to send in all, those that are requested again included. */
  readonly budget: number;
  /** Milliseconds before a failed request is repeated. */
  readonly pauseMs: number;
  readonly onProgress?: (sent: number) => void;
  /** Ends the run at once. */
  readonly stop?: AbortSignal | undefined;
};

/** Sends a request, and waits for its answer until the run is stopped; undefined if it is, with nothing more sent. */
export async function sendUnlessStopped(
  client: Pick<Client, 'send'>,
  request: SendRequest,
  stop: AbortSignal | undefined,
): Promise<Exchange | undefined> {
  if (stop?.aborted) return undefined;
  const answer = client.send(request);
  return stop === undefined ? answer : waitUnlessStopped(answer, stop);
}

/** Waits, or less if the run is stopped. */
export async function pause(ms: number, stop: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await (stop === undefined ? promise : waitUnlessStopped(promise, stop));
  clearTimeout(timer);
}

/** Returns the reason of a run that was stopped early; undefined for one that was not. */
export function explainStop(stop: AbortSignal | undefined, sent: number): Reason | undefined {
  return stop?.aborted ? { code: 'stopped', sent, cause: String(stop.reason) } : undefined;
}

async function waitUnlessStopped<T>(awaited: Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  // Closing the client rejects what is still under way, which then has no other handler.
  awaited.catch(() => undefined);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  if (stop.aborted) end();
  stop.addEventListener('abort', end);
  return Promise.race([awaited, promise]).finally(() => stop.removeEventListener('abort', end));
}

/** Why a target can be sent nothing more, by its answer to a proper request with our key; undefined if it can. */
export function describeTrouble({ response, failure }: Exchange): string | undefined {
  if (failure) return `the target does not answer: ${failure.message}`;
  const status = response?.status ?? 0;
  if (status === 401 || status === 403) return `the key was refused (${status})`;
  if (status === 429) return 'the quota of the key is spent (429)';
  return status === 200 ? undefined : `the target answers ${status}`;
}

/** Returns whether a failure may be gone a moment later, so that its request is sent again. */
export function mayPass({ response, failure }: Exchange): boolean {
  if (failure) return failure.kind !== 'too-large' && failure.kind !== 'certificate';
  const status = response?.status ?? 0;
  return status >= 500 && status !== 501;
}

/** Returns whether an answer refuses the key, or says that its quota is spent. */
export function isTurnedAway({ response }: Exchange): boolean {
  const status = response?.status ?? 0;
  return status === 429 || isRefusal(status);
}

/** Returns whether a status refuses the key: 401 or 403. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

/** Returns whether an exchange failed before a connection was made. */
export function isUnconnected({ failure }: Exchange): boolean {
  return failure !== undefined && ['dns', 'connect', 'tls'].includes(failure.phase);
}

/** Groups requests that are sent together, which are adjacent in the plan; every other one is a separate group. */
export function groupRequests(requests: readonly PlannedRequest[]): PlannedRequest[][] {
  const groups: PlannedRequest[][] = [];
  for (const request of requests) {
    const current = groups.at(-1);
    if (request.together && current?.[0]?.together) current.push(request);
    else groups.push([request]);
  }
  return groups;
}
