import { randomUUID } from 'node:crypto';
import { type Soon, thenSoon } from '../soon.ts';
import type { KnownKey } from '../store/accounts.ts';
import type { Pacing } from './admission/pacing.ts';
import type { CalendarMonth } from './admission/quota.ts';
import { bend, type RequestContext } from './distortion.ts';
import type { ApiRequest } from './message.ts';
import { prepareReply } from './operations.ts';
import { findRoute, type Route } from './parameters.ts';
import type { Service } from './service.ts';

/** One request at the gate, with its key, its route and the month's use. */
export type Visit = {
  readonly request: ApiRequest;
  readonly requestId: string;
  readonly route: Route | undefined;
  readonly key: KnownKey | undefined;
  readonly month: CalendarMonth;
  /** Milliseconds by which the request exceeds its key's burst limit. If positive, it is not counted. */
  readonly early: number;
  /** Milliseconds by which the answer is delayed after many wrong keys. */
  readonly held: number;
  /** The request as distortions see it. */
  readonly context: RequestContext;
  used: number;
};

/** Finds the key of a request and counts the request, regardless of the outcome. */
export function receiveRequest(service: Service, request: ApiRequest): Soon<Visit> {
  const { apiKey } = request;
  if (apiKey === undefined) return makeVisit(service, request, undefined);
  return thenSoon(service.store.keys.find(apiKey), (key) => {
    const visit = makeVisit(service, request, key);
    const counting = countUse(service, visit);
    const { route, context } = visit;
    if (counting instanceof Promise && key && route) prepareReply(service, route, context);
    return thenSoon(counting, (count) => {
      visit.used = count;
      return visit;
    });
  });
}

/** Returns a visit that is not counted. */
export function makeVisit(service: Service, request: ApiRequest, key: KnownKey | undefined): Visit {
  const { bursts, wrongKeys, quotaCalendar, choices } = service;
  const { apiKey, client, now } = request;
  const early = key ? burstEarliness(bursts, key, request) : 0;
  const isWrong = apiKey !== undefined && !key && choices.keyRequired;
  const held = isWrong ? wrongKeys.delay(client, now) : 0;
  const route = findRoute(requestPath(request));
  const context = { now, operation: route?.operation, request, key: key?.key };
  const month = bend(service.distortions(), 'month', quotaCalendar.month(now), context);
  return { request, requestId: randomUUID(), route, key, month, early, held, context, used: 0 };
}

/** Returns the key's use after this request, which is counted unless it comes too early. */
function countUse(service: Service, visit: Visit): Soon<number> {
  const { key, early, month } = visit;
  const { usage } = service.store;
  if (!key) return 0;
  if (early > 0) return usage.used(key.key, month.name);
  return usage.count(key.key, month.name, requestCharge(service, visit));
}

/** Limits bursts per key, or per client address if many clients share the key. */
function burstEarliness(
  bursts: Pacing,
  { key, burst, shared }: KnownKey,
  { client, now }: ApiRequest,
): number {
  if (burst === undefined) return 0;
  return bursts.earliness(shared ? `${key} ${client}` : String(key), now, {
    atOnce: burst,
    perSecond: burst,
  });
}

/** Reverts the count of a request, if it was the last one counted. */
export function giveBack(service: Service, visit: Visit): Soon<void> {
  const { key, month, early, used } = visit;
  if (!key || early > 0) return undefined;
  return thenSoon(
    service.store.usage.giveBack(key.key, month.name, used, requestCharge(service, visit)),
    (count) => {
      visit.used = count;
    },
  );
}

/** Returns the number of requests that this one is counted as. */
function requestCharge({ distortions }: Service, { context }: Visit): number {
  return bend(distortions(), 'charge', 1, context);
}

function requestPath(request: ApiRequest): string {
  const end = request.target.indexOf('?');
  return end < 0 ? request.target : request.target.slice(0, end);
}
