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
  if (key && early > 0) return service.store.usage.used(key.key, month.name);
  return charge(service, visit, 1);
}

/** A burst is a key's own, or where many share it, that of each client address. */
function earlyOf(bursts: Pacing, { key, burst, shared }: KnownKey, { client, now }: ApiRequest): number {
  if (burst === undefined) return 0;
  return bursts.early(shared ? `${key} ${client}` : String(key), now, { atOnce: burst, perSecond: burst });
}

/** Takes the request out of the count again. */
export function giveBack(service: Service, visit: Visit): Soon<void> {
  if (visit.early > 0) return undefined;
  return after(charge(service, visit, -1), (count) => {
    visit.used = count;
  });
}

function charge(
  { store, distortions }: Service,
  { key, month, circumstance }: Visit,
  sign: 1 | -1,
): Soon<number> {
  if (!key) return 0;
  const requests = bend(distortions(), 'charge', 1, circumstance);
  return store.usage.count(key.key, month.name, sign * requests);
}

function pathOf(request: ApiRequest): string {
  return request.target.split('?', 1)[0] ?? '';
}
