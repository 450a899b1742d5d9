import { isLoopback } from '@candleproof/client/send/base-url';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import { day } from '@candleproof/document/spec/interval';
import { firstOperation, listPools } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import {
  changingCases,
  drawnCases,
  type ErrorCase,
  errorCases,
  otherPlaces,
  steadyCases,
  type Trial,
  trialCredential,
} from '@candleproof/law/rules/error-cases';
import { faultyNeed } from '@candleproof/law/rules/refusal-needs';
import { errorRequest } from '../plan/error-requests.ts';
import { joinTricks, tricks } from '../plan/key-tricks.ts';
import { drawAccessTrials, isUnrestrained } from '../plan/scope.ts';
import { settledDay, type Times } from './times.ts';

/** A fault of a request, or of its key, for which it is refused. */
export type Refusable = 'no-key' | Trial | ErrorCase;

/** A request that is sent to be refused among those of a batch. */
export type RefusedPart = {
  readonly fault: Refusable;
  /** Numbers of the headers by which it may be let in without a key: one refusal clears all of them. */
  readonly tricks: readonly number[];
};

export const trickNumbers: readonly number[] = tricks.map((_, trick) => trick);

/** Lists the faults that an exploration may try: wrong keys and detours whose turn the seed gives, and faulty requests. */
export function listRefusable(target: TargetFacts, hasKey: boolean, seed: number): Refusable[] {
  const isFree = isUnrestrained(target, {});
  const faulty = [...steadyCases, ...drawnCases, ...(isFree ? changingCases : [])];
  if (!hasKey || target.keyless) return faulty.filter((name) => !isUnkeyed(name));
  const places = isLoopback(target.baseUrl) ? otherPlaces : [];
  return ['no-key', ...drawAccessTrials(target, { seed }), ...places, ...faulty];
}

/** Returns whether a fault is one of the key. */
export function isOfKey(fault: Refusable): boolean {
  return isUnkeyed(fault) || !isErrorCase(fault);
}

function isUnkeyed(fault: Refusable): boolean {
  return fault === 'no-key' || fault.startsWith('unkeyed');
}

function isErrorCase(fault: Refusable): fault is ErrorCase {
  return (errorCases as readonly Refusable[]).includes(fault);
}

/** A request to be refused, as it is sent; `trial` names the key that is made for it. */
export type RefusedRequest = Pick<SendRequest, 'path' | 'method' | 'headers' | 'credential'> & {
  readonly trial?: Trial;
};

export type RefusalScene = { readonly spec: Spec; readonly target: TargetFacts; readonly times: Times };

/** Returns the request to be refused beside one for a path; undefined if the document has none. */
export function makeRefused(
  { fault, tricks: chosen }: RefusedPart,
  path: string,
  { spec, target, times }: RefusalScene,
): RefusedRequest | undefined {
  const headers = joinTricks(
    tricks.filter((_, trick) => chosen.includes(trick)),
    spec.keyPlaces,
  );
  if (fault === 'no-key') return { path, credential: 'none', headers };
  if (!isErrorCase(fault)) return { path, credential: trialCredential(fault), trial: fault };
  const operation = firstOperation(spec, faultyNeed(fault).role);
  if (!operation) return undefined;
  const to = settledDay(times);
  const [pool = 1] = listPools(target, operation);
  const made = errorRequest(fault, { spec, target, operation, pool, from: to - 7 * day, to });
  if (!made) return undefined;
  return isUnkeyed(fault)
    ? { ...made, credential: 'none', headers: [...(made.headers ?? []), ...headers] }
    : { ...made, credential: 'api-key' };
}
