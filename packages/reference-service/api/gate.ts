import { recover, type Soon, thenSoon } from '../soon.ts';
import { QUOTA_HEADERS, quotaHeaders, quotaNumbers } from './admission/quota.ts';
import { bend } from './distortion.ts';
import type { ApiRequest, Reply, ReplyHeader } from './message.ts';
import { operationReply, preflightReply } from './operations.ts';
import { internalRefusal, problemReply, Refusal } from './refusal.ts';
import type { Service } from './service.ts';
import { giveBack, makeVisit, receiveRequest, type Visit } from './visit.ts';

const LONGEST_TARGET = 2048;
const METHODS = 'GET, HEAD, OPTIONS';
const EXPOSED = [...QUOTA_HEADERS, 'ETag', 'Retry-After', 'X-Request-Id'].join(', ');

/**
 * Answers one request. Checks path and method first, then key, quota, parameters and pool. A request with a known key is
 * counted once, unless the service failed or the request came too fast. Every reply has the four rate limit headers (§8).
 */
export function answer(service: Service, requested: ApiRequest): Soon<Reply> {
  return thenSoon(receiveRequest(service, distortRequest(service, requested)), (visit) =>
    thenSoon(replyOrProblem(service, visit), (reply) => finishReply(service, visit, reply)),
  );
}

function finishReply(service: Service, visit: Visit, reply: Reply): Reply {
  const headers = [...reply.headers, ...commonHeaders(service, visit)];
  const hasKey = visit.key !== undefined;
  const whole = { ...reply, headers, hasKey, ...(visit.held > 0 && { delivery: { wait: visit.held } }) };
  logAnswer(service, visit, reply);
  return bend(service.distortions(), 'reply', whole, visit.context);
}

/** Returns the reply to bytes that are not a valid request, such as headers beyond the size limit. */
export function answerMalformed(service: Service, now: number, refusal: Refusal): Reply {
  const nobody = { apiKey: undefined, ifNoneMatch: undefined, client: '' };
  const visit = makeVisit(service, { method: 'GET', target: '/', ...nobody, now }, undefined);
  const reply = problemReply(refusal, visit.requestId, service.choices.errorBody);
  return { ...reply, headers: [...reply.headers, ...commonHeaders(service, visit)] };
}

/** Returns the request to answer: the one received, unless a distortion replaces it. */
function distortRequest(service: Service, request: ApiRequest): ApiRequest {
  const distortions = service.distortions();
  if (distortions.length === 0) return request;
  const context = { now: request.now, operation: undefined, request, key: undefined };
  return bend(distortions, 'request', request, context);
}

function replyOrProblem(service: Service, visit: Visit): Soon<Reply> {
  const refused = (refusal: Refusal): Reply =>
    problemReply(refusal, visit.requestId, service.choices.errorBody);
  return recover(
    () => admitAndReply(service, visit),
    (error) => {
      if (error instanceof Refusal) return refused(error);
      service.logger.error({ requestId: visit.requestId, err: error }, 'answer failed');
      return thenSoon(giveBack(service, visit), () => refused(internalRefusal(error)));
    },
  );
}

function admitAndReply(service: Service, visit: Visit): Soon<Reply> {
  const { request, route } = visit;
  if (request.target.length > LONGEST_TARGET) {
    throw new Refusal(
      414,
      'target-too-long',
      `The path and query are longer than ${LONGEST_TARGET} characters.`,
    );
  }
  refuseTooFast(visit);
  if (!route) throw new Refusal(404, 'unknown-path', 'Nothing is served under this path.');
  if (request.method === 'OPTIONS') return preflightReply(METHODS);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Refusal(405, 'method-not-allowed', 'The data is read-only.', { headers: [['Allow', METHODS]] });
  }
  admit(service, visit);
  return thenSoon(service.market.extendTo(Math.floor(request.now / 1000)), () =>
    operationReply(service, route, visit.context),
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
    ...quotaHeaders(bend(service.distortions(), 'quota', quota, visit.context)),
  ];
}

let lastDate: { readonly second: number; readonly header: ReplyHeader } = {
  second: Number.NaN,
  header: ['', ''],
};

/** Formats the Date header once a second. */
function dateHeader(now: number): ReplyHeader {
  const second = Math.floor(now / 1000);
  if (second !== lastDate.second) lastDate = { second, header: ['Date', new Date(now).toUTCString()] };
  return lastDate.header;
}

function logAnswer(
  service: Service,
  { request, requestId, route, key }: Visit,
  { status, body }: Reply,
): void {
  const { method } = request;
  const [operation, length] = [route?.operation, body.length];
  service.logger.debug({ requestId, method, operation, key: key?.key, status, length }, 'answered');
}

/** Throws Refusal for a request without a valid key, with a key of another network, or beyond the key's monthly limit. */
function admit(service: Service, visit: Visit): void {
  refuseUnknownKey(service, visit);
  refuseOtherNetwork(service, visit);
  refuseBeyondLimit(service, visit);
}

/** Throws Refusal 429 for a request beyond the key's burst limit. */
function refuseTooFast({ early }: Visit): void {
  if (early === 0) return;
  throw new Refusal(429, 'too-fast', 'More requests in a second than this key allows.', {
    headers: [retryAfter(early)],
  });
}

/** Gives one reply for missing, malformed, unknown and revoked keys, so that it does not reveal which keys exist. */
function refuseUnknownKey(service: Service, visit: Visit): void {
  const admitted = visit.key !== undefined || !service.choices.keyRequired;
  if (bend(service.distortions(), 'admitted', admitted, visit.context)) return;
  const status = service.choices.missingKeyStatus;
  const headers: ReplyHeader[] = status === 401 ? [['WWW-Authenticate', 'ApiKey realm="market data"']] : [];
  throw new Refusal(status, 'key-required', 'The x-api-key header must carry a key that was issued.', {
    headers,
  });
}

function refuseOtherNetwork({ network }: Service, { key }: Visit): void {
  if (key?.network === undefined || key.network === network) return;
  throw new Refusal(403, 'other-network', `This key is good for ${key.network} alone; this is ${network}.`);
}

function refuseBeyondLimit({ choices }: Service, { key, used, month, request }: Visit): void {
  if (!key || used <= key.monthlyLimit) return;
  if (!key.hardCap && choices.overLimit === 'served') return;
  throw new Refusal(429, 'quota-spent', "The month's requests are used up.", {
    headers: [retryAfter(month.reset + 1 - request.now)],
  });
}

function retryAfter(milliseconds: number): ReplyHeader {
  return ['Retry-After', String(Math.ceil(milliseconds / 1000))];
}
