import { bend } from '../distortion.ts';
import type { ReplyHeader } from '../message.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { Visit } from '../visit.ts';

/** Lets a request for data in, or throws the Refusal: no key, another network's key, or an allowance that is spent. */
export function admit(service: Service, visit: Visit): void {
  refuseStrangers(service, visit);
  refuseOtherNetwork(service, visit);
  refuseBeyondLimit(service, visit);
}

/** Throws a Refusal 429 for more requests in a second than were agreed. */
export function refuseEarly({ early }: Visit): void {
  if (early === 0) return;
  throw new Refusal(429, 'too-fast', 'More requests in a second than this key allows.', {
    headers: [retryAfter(early)],
  });
}

/** One body for a missing, malformed, unknown and revoked key, so that nobody learns which keys exist. */
function refuseStrangers(service: Service, visit: Visit): void {
  const admitted = visit.key !== undefined || !service.choices.keyRequired;
  if (bend(service.distortions(), 'admitted', admitted, visit.circumstance)) return;
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
