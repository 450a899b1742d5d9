import { after, mended, type Soon } from '../soon.ts';
import { admit, refuseEarly } from './admission/admission.ts';
import { QUOTA_HEADERS, quotaHeaders, quotaNumbers } from './admission/quota.ts';
import { bend } from './distortion.ts';
import type { ApiRequest, Reply, ReplyHeader } from './message.ts';
import { operationReply, preflightReply } from './operations.ts';
import { ownFault, problemReply } from './problem.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';
import { giveBack, received, type Visit, visitOf } from './visit.ts';

const LONGEST_TARGET = 2048;
const METHODS = 'GET, HEAD, OPTIONS';
const EXPOSED = [...QUOTA_HEADERS, 'ETag', 'Retry-After', 'X-Request-Id'].join(', ');

/**
 * Answers one request. Paths and methods are public; then comes the key, then its quota, then the parameters,
 * then the pool. A known key is counted once on every answer but a fault of our own and one that came too fast, and
 * every answer carries the four rate limit headers (§8).
 */
export function answer(service: Service, requested: ApiRequest): Soon<Reply> {
  return after(received(service, asTaken(service, requested)), (visit) =>
    after(guarded(service, visit), (reply) => finished(service, visit, reply)),
  );
}

function finished(service: Service, visit: Visit, reply: Reply): Reply {
  const headers = [...reply.headers, ...commonHeaders(service, visit)];
  const whole = { ...reply, headers, ...(visit.held > 0 && { delivery: { wait: visit.held } }) };
  note(service, visit, reply);
  return bend(service.distortions(), 'reply', whole, visit.circumstance);
}

/** The answer to bytes that never became a request, such as headers beyond the size limit. */
export function answerToNoise(service: Service, now: number, refusal: Refusal): Reply {
  const nobody = { apiKey: undefined, ifNoneMatch: undefined, client: '' };
  const visit = visitOf(service, { method: 'GET', target: '/', ...nobody, now }, undefined);
  const reply = problemReply(refusal, visit.requestId, service.choices.errorBody);
  return { ...reply, headers: [...reply.headers, ...commonHeaders(service, visit)] };
}

/** The request that is answered: the one that came, unless a distortion takes it for another. */
function asTaken(service: Service, request: ApiRequest): ApiRequest {
  const distortions = service.distortions();
  if (distortions.length === 0) return request;
  const circumstance = { now: request.now, operation: undefined, request, key: undefined };
  return bend(distortions, 'request', request, circumstance);
}

function guarded(service: Service, visit: Visit): Soon<Reply> {
  const refused = (refusal: Refusal): Reply =>
    problemReply(refusal, visit.requestId, service.choices.errorBody);
  return mended(
    () => admittedReply(service, visit),
    (error) => {
      if (error instanceof Refusal) return refused(error);
      service.logger.error({ requestId: visit.requestId, err: error }, 'answer failed');
      return after(giveBack(service, visit), () => refused(ownFault(error)));
    },
  );
}

function admittedReply(service: Service, visit: Visit): Soon<Reply> {
  const { request, route } = visit;
  if (request.target.length > LONGEST_TARGET) {
    throw new Refusal(
      414,
      'target-too-long',
      `The path and query are longer than ${LONGEST_TARGET} characters.`,
    );
  }
  refuseEarly(visit);
  if (!route) throw new Refusal(404, 'unknown-path', 'Nothing is served under this path.');
  if (request.method === 'OPTIONS') return preflightReply(METHODS);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Refusal(405, 'method-not-allowed', 'The data is read-only.', { headers: [['Allow', METHODS]] });
  }
  admit(service, visit);
  return after(service.market.extendTo(Math.floor(request.now / 1000)), () =>
    operationReply(service, route, visit.circumstance),
  );
}

const SAME_FOR_ALL: readonly ReplyHeader[] = [
  ['Vary', 'x-api-key'],
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED],
];

function commonHeaders(service: Service, visit: Visit): ReplyHeader[] {
  const quota = quotaNumbers(visit.key?.monthlyLimit ?? 0, visit.used, visit.month);
  return [
    dateHeader(visit.request.now),
    ['X-Request-Id', visit.requestId],
    ...SAME_FOR_ALL,
    ...quotaHeaders(bend(service.distortions(), 'quota', quota, visit.circumstance)),
  ];
}

let dated: { readonly second: number; readonly header: ReplyHeader } = {
  second: Number.NaN,
  header: ['', ''],
};

/** Many answers leave in one second. */
function dateHeader(now: number): ReplyHeader {
  const second = Math.floor(now / 1000);
  if (second !== dated.second) dated = { second, header: ['Date', new Date(now).toUTCString()] };
  return dated.header;
}

function note(service: Service, { request, requestId, route, key }: Visit, { status, body }: Reply): void {
  const { method } = request;
  const [operation, length] = [route?.operation, body.length];
  service.logger.debug({ requestId, method, operation, key: key?.key, status, length }, 'answered');
}
