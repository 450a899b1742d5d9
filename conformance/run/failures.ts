import type { Exchange } from '../../contract/reading/exchange.ts';
import type { PlannedRequest } from '../plan/planned-request.ts';

/** A refusal is what this request is sent for: it says nothing about the key or the quota. */
export function isMeantToFail({ need }: PlannedRequest): boolean {
  return Boolean(need.unkeyed || need.trial || need.errorCase || need.method || need.plainHttp);
}

/** Failures that may be gone a moment later. */
export function mayPass({ response, failure }: Exchange, planned: PlannedRequest): boolean {
  if (planned.need.plainHttp) return false;
  if (failure) return failure.kind !== 'too-large';
  const status = response?.status ?? 0;
  if (status >= 500) return status !== 501;
  return !isMeantToFail(planned) && (status === 429 || isRefusal(status));
}

/** Returns whether a status refuses the key: 401 or 403. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

/** Returns whether an exchange failed before a connection was made. */
export function isUnconnected({ failure }: Exchange): boolean {
  return failure !== undefined && ['dns', 'connect', 'tls'].includes(failure.phase);
}

/** Requests that are sent together stand together in the plan; every other one is a separate group. */
export function inGroups(requests: readonly PlannedRequest[]): PlannedRequest[][] {
  const groups: PlannedRequest[][] = [];
  for (const request of requests) {
    const current = groups.at(-1);
    if (request.together && current?.[0]?.together) current.push(request);
    else groups.push([request]);
  }
  return groups;
}
