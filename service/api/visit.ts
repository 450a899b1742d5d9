import { randomUUID } from 'node:crypto';
import type { KnownKey } from '../store/key-store.ts';
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
export function received(service: Service, request: ApiRequest): Visit {
  const { store, bursts, wrongKeys, quotaCalendar, choices } = service;
  const { apiKey, client, now } = request;
  const key = apiKey === undefined ? undefined : store.keys.known(apiKey);
  const month = quotaCalendar.month(now);
  const early = key ? earlyOf(bursts, key, request) : 0;
  const isWrong = apiKey !== undefined && !key && choices.keyRequired;
  const held = isWrong ? wrongKeys.wait(client, now) : 0;
  const route = routeOf(pathOf(request));
  const circumstance = { now, operation: route?.operation, request, key: key?.key };
  const visit = { request, requestId: randomUUID(), route, key, month, early, held, circumstance, used: 0 };
  if (key && early > 0) visit.used = store.usage.used(key.key, month.name);
  else charge(service, visit, 1);
  return visit;
}

/** A burst is a key's own, or where many share it, that of each client address. */
function earlyOf(bursts: Pacing, { key, burst, shared }: KnownKey, { client, now }: ApiRequest): number {
  if (burst === undefined) return 0;
  return bursts.early(shared ? `${key} ${client}` : String(key), now, { atOnce: burst, perSecond: burst });
}

/** Takes the request out of the count again. */
export function giveBack(service: Service, visit: Visit): void {
  if (visit.early === 0) charge(service, visit, -1);
}

function charge({ store, distortions }: Service, visit: Visit, sign: 1 | -1): void {
  if (!visit.key) return;
  const requests = bend(distortions(), 'charge', 1, visit.circumstance);
  visit.used = store.usage.count(visit.key.key, visit.month.name, sign * requests);
}

function pathOf(request: ApiRequest): string {
  return request.target.split('?', 1)[0] ?? '';
}
