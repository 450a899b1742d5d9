import { randomUUID } from 'node:crypto';
import { after, type Soon } from '../soon.ts';
import type { KnownKey } from '../store/accounts.ts';
import type { Pacing } from './admission/pacing.ts';
import type { CalendarMonth } from './admission/quota.ts';
import { bend, type Circumstance } from './distortion.ts';
import type { ApiRequest } from './message.ts';
import { type Route, routeOf } from './routes.ts';
import type { Service } from './service.ts';

/** One request at the gate: who asks, for what, and how much of the month's allowance is used by now. */
export type Visit = {
  readonly request: ApiRequest;
  readonly requestId: string;
  readonly route: Route | undefined;
  readonly key: KnownKey | undefined;
  readonly month: CalendarMonth;
  /** Milliseconds by which it comes too early for its key's burst limit; it is not counted then. */
  readonly early: number;
  /** Milliseconds for which its answer waits, after many wrong keys. */
  readonly held: number;
  /** What a distortion may know of it. */
  readonly circumstance: Circumstance;
  used: number;
};

/** Receives a request: a known key is recognised and counted, whatever becomes of the request. */
export function received(service: Service, request: ApiRequest): Soon<Visit> {
  const { apiKey } = request;
  if (apiKey === undefined) return visitOf(service, request, undefined);
  return after(service.store.keys.known(apiKey), (key) => {
    const visit = visitOf(service, request, key);
    return after(used(service, visit), (count) => {
      visit.used = count;
      return visit;
    });
  });
}

/** A request that is counted for nobody. */
export function visitOf(service: Service, request: ApiRequest, key: KnownKey | undefined): Visit {
  const { bursts, wrongKeys, quotaCalendar, choices } = service;
  const { apiKey, client, now } = request;
  const early = key ? earlyOf(bursts, key, request) : 0;
  const isWrong = apiKey !== undefined && !key && choices.keyRequired;
  const held = isWrong ? wrongKeys.wait(client, now) : 0;
  const route = routeOf(pathOf(request));
  const circumstance = { now, operation: route?.operation, request, key: key?.key };
  const month = bend(service.distortions(), 'month', quotaCalendar.month(now), circumstance);
  return { request, requestId: randomUUID(), route, key, month, early, held, circumstance, used: 0 };
}

/** The key's use after this request, which is counted unless it comes too early. */
function used(service: Service, visit: Visit): Soon<number> {
  const { key, early, month } = visit;
  const { usage } = service.store;
  if (!key) return 0;
  if (early > 0) return usage.used(key.key, month.name);
  return usage.count(key.key, month.name, chargeOf(service, visit));
}

/** A burst is a key's own, or where many share it, that of each client address. */
function earlyOf(bursts: Pacing, { key, burst, shared }: KnownKey, { client, now }: ApiRequest): number {
  if (burst === undefined) return 0;
  return bursts.early(shared ? `${key} ${client}` : String(key), now, { atOnce: burst, perSecond: burst });
}

/** Takes the request out of the count again, if it is the last one that was counted. */
export function giveBack(service: Service, visit: Visit): Soon<void> {
  const { key, month, early, used } = visit;
  if (!key || early > 0) return undefined;
  return after(service.store.usage.giveBack(key.key, month.name, used, chargeOf(service, visit)), (count) => {
    visit.used = count;
  });
}

/** By how much a request is counted. */
function chargeOf({ distortions }: Service, { circumstance }: Visit): number {
  return bend(distortions(), 'charge', 1, circumstance);
}

function pathOf(request: ApiRequest): string {
  return request.target.split('?', 1)[0] ?? '';
}
