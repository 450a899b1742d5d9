import { randomUUID } from 'node:crypto';
import type { KnownKey } from '../store/key-store.ts';
import { bend, type Circumstance } from './distortion.ts';
import type { ApiRequest, HeaderLine, Reply } from './message.ts';
import { operationReply, preflightReply } from './operations.ts';
import { ownFault, problemReply } from './problem.ts';
import { QUOTA_HEADERS, type QuotaMonth, quotaHeaders, quotaMonth, quotaNumbers } from './quota.ts';
import { Refusal } from './refusal.ts';
import { type Route, routeOf } from './routes.ts';
import type { Service } from './service.ts';

/** One request at the gate: who asks, for what, and how much of the month's allowance is used by now. */
type Visit = {
  readonly request: ApiRequest;
  readonly requestId: string;
  readonly route: Route | undefined;
  readonly key: KnownKey | undefined;
  readonly month: QuotaMonth;
  used: number;
};

const LONGEST_TARGET = 2048;
const METHODS = 'GET, HEAD, OPTIONS';

/**
 * Answers one request. Paths and methods are public; then comes the key, then its quota, then the parameters,
 * then the pool. A known key is counted once on every answer but a fault of our own, and every answer
 * carries the four rate limit headers (§8).
 */
export function answer(service: Service, request: ApiRequest): Reply {
  const visit = arrival(service, request);
  const reply = guarded(service, visit);
  const finished = { ...reply, headers: [...reply.headers, ...commonHeaders(service, visit)] };
  note(service, visit, reply);
  return bend(service.distortions(), 'reply', finished, circumstanceOf(visit));
}

/** The answer to bytes that never became a request, such as headers beyond the size limit. */
export function answerToNoise(service: Service, now: number, refusal: Refusal): Reply {
  const request = { method: 'GET', target: '/', apiKey: undefined, ifNoneMatch: undefined, now };
  const visit = arrival(service, request);
  const reply = problemReply(refusal, visit.requestId, service.choices.errorBody);
  return { ...reply, headers: [...reply.headers, ...commonHeaders(service, visit)] };
}

function arrival(service: Service, request: ApiRequest): Visit {
  const key = request.apiKey === undefined ? undefined : service.store.keys.known(request.apiKey);
  const month = quotaMonth(request.now, service.choices.quotaMonthUtcOffsetMinutes);
  const visit: Visit = {
    request,
    requestId: randomUUID(),
    route: routeOf(pathOf(request)),
    key,
    month,
    used: 0,
  };
  if (key) visit.used = service.store.keys.count(key.key, month.name, chargeOf(service, visit));
  return visit;
}

function guarded(service: Service, visit: Visit): Reply {
  try {
    return admittedReply(service, visit);
  } catch (error) {
    if (error instanceof Refusal) return problemReply(error, visit.requestId, service.choices.errorBody);
    service.logger.error({ requestId: visit.requestId, err: error }, 'answer failed');
    giveBack(service, visit);
    return problemReply(ownFault(), visit.requestId, service.choices.errorBody);
  }
}

function admittedReply(service: Service, visit: Visit): Reply {
  const { request, route } = visit;
  if (request.target.length > LONGEST_TARGET) {
    throw new Refusal(
      414,
      'target-too-long',
      `The path and query are longer than ${LONGEST_TARGET} characters.`,
    );
  }
  if (!route) throw new Refusal(404, 'unknown-path', 'Nothing is served under this path.');
  if (request.method === 'OPTIONS') return preflightReply(METHODS);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Refusal(405, 'method-not-allowed', 'The data is read-only.', { headers: [['Allow', METHODS]] });
  }
  refuseStrangers(service, visit);
  refuseBeyondLimit(service, visit);
  service.simulation.extendTo(Math.floor(request.now / 1000));
  return operationReply(service, route, request);
}

/** One body for a missing, malformed and unknown key, so that nobody learns which keys exist. */
function refuseStrangers(service: Service, visit: Visit): void {
  const admitted = visit.key !== undefined || !service.choices.keyRequired;
  if (bend(service.distortions(), 'admitted', admitted, circumstanceOf(visit))) return;
  const status = service.choices.missingKeyStatus;
  const headers: HeaderLine[] = status === 401 ? [['WWW-Authenticate', 'ApiKey realm="market data"']] : [];
  throw new Refusal(status, 'key-required', 'The x-api-key header must carry a key that was issued.', {
    headers,
  });
}

function refuseBeyondLimit(service: Service, visit: Visit): void {
  const { key, used, month, request } = visit;
  if (!key || used <= key.monthlyLimit) return;
  if (!key.hardCap && service.choices.overLimit === 'served') return;
  const seconds = Math.ceil((month.reset + 1 - request.now) / 1000);
  const headers: HeaderLine[] = [['Retry-After', String(seconds)]];
  throw new Refusal(429, 'quota-spent', "The month's requests are used up.", { headers });
}

function commonHeaders(service: Service, visit: Visit): HeaderLine[] {
  const quota = quotaNumbers(visit.key?.monthlyLimit ?? 0, visit.used, visit.month);
  return [
    ['Date', new Date(visit.request.now).toUTCString()],
    ['X-Request-Id', visit.requestId],
    ['Vary', 'x-api-key'],
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Expose-Headers', [...QUOTA_HEADERS, 'ETag', 'Retry-After', 'X-Request-Id'].join(', ')],
    ...quotaHeaders(bend(service.distortions(), 'quota', quota, circumstanceOf(visit))),
  ];
}

function note(service: Service, { request, requestId, route, key }: Visit, { status, body }: Reply): void {
  const { operation } = route ?? {};
  const asked = { requestId, method: request.method, operation, key: key?.key };
  service.logger.debug({ ...asked, status, characters: body.length }, 'answered');
}

function giveBack(service: Service, visit: Visit): void {
  if (!visit.key) return;
  visit.used = service.store.keys.count(visit.key.key, visit.month.name, -chargeOf(service, visit));
}

function chargeOf(service: Service, visit: Visit): number {
  return bend(service.distortions(), 'charge', 1, circumstanceOf(visit));
}

function circumstanceOf(visit: Visit): Circumstance {
  return { now: visit.request.now, operation: visit.route?.operation };
}

function pathOf(request: ApiRequest): string {
  return request.target.split('?', 1)[0] ?? '';
}
