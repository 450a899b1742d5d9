import type { Reply } from '../../service/api/message.ts';
import { problemReply, Refusal } from '../../service/api/refusal.ts';
import { delivered } from '../../service/faults/bending/bent-reply.ts';
import { during, type Stretch, type Trouble } from './trouble.ts';

/** Answers 429 and says in Retry-After when to come back; what it refuses so is not counted. */
export function refusedFor(ms: number): Trouble {
  return turnedAway(
    { ms, tells: true },
    (waitMs) => new Refusal(429, 'too-fast', 'Too many requests.', wait(waitMs)),
  );
}

/** Answers 503, with Retry-After or without a word of how long it lasts. */
export function unavailableFor(ms: number, tells: boolean): Trouble {
  return turnedAway(
    { ms, tells },
    (waitMs) => new Refusal(503, 'unavailable', 'The service is not available.', tells ? wait(waitMs) : {}),
  );
}

/** Gives every answer late by `waitMs`. */
export function slowFor(ms: number, waitMs: number): Trouble {
  return during({ ms }, (stretch) => ({
    reply: (reply, { now }) => (stretch.left(now) > 0 ? delivered(reply, { wait: waitMs }) : reply),
  }));
}

/** The key is taken back: whatever brings it is answered as if it had never been issued. */
export function keyRevoked(): Trouble {
  return during({}, (stretch) => ({
    request: (request) =>
      request.apiKey !== undefined && stretch.left(request.now) > 0
        ? { ...request, apiKey: 'revoked' }
        : request,
  }));
}

function turnedAway(
  length: { readonly ms: number; readonly tells: boolean },
  refusal: (waitMs: number) => Refusal,
): Trouble {
  return during(length, (stretch: Stretch) => ({
    charge: (requests, { now }) => (stretch.left(now) > 0 ? 0 : requests),
    reply: (reply, { now }) => (stretch.left(now) > 0 ? refused(reply, refusal(stretch.left(now))) : reply),
  }));
}

/** The headers that every answer has stay; those of the data go. */
function refused(reply: Reply, refusal: Refusal): Reply {
  const { status, headers, body } = problemReply(refusal, '00000000-0000-4000-8000-000000000000', 'problem');
  const gone = /^(content-type|etag|cache-control)$/i;
  return { status, body, headers: [...headers, ...reply.headers.filter(([name]) => !gone.test(name))] };
}

function wait(ms: number): { headers: Reply['headers'] } {
  return { headers: [['Retry-After', String(Math.max(1, Math.ceil(ms / 1000)))]] };
}
