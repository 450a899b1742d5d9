import type { Requested } from '@candleproof/law/reading/requested';
import type { Distortion } from '@candleproof/reference-service/api/distortion';
import type { Reply } from '@candleproof/reference-service/api/message';
import { problemReply, Refusal } from '@candleproof/reference-service/api/refusal';
import { withDelivery } from '@candleproof/reference-service/faults/bending/bent-reply';
import type { ServiceOptions } from '@candleproof/reference-service/start';
import type { WholeExchange } from '../client-exchange.ts';

/** Start and end of a trouble, in milliseconds of the double's clock; without an end it continues. */
export type TroubleSpan = {
  readonly began: number;
  readonly ended?: number;
  /** True if the answers state how long to wait. */
  readonly isAnnounced: boolean;
};

/** A temporary disturbance with its state; every play makes a new one. */
export type Trouble = {
  readonly distortion: Distortion;
  /** Returns undefined before the trouble begins. */
  readonly span: () => TroubleSpan | undefined;
};

/**
 * The usual first request of a trouble; the one before it is answered well, so that a client can load what it needs.
 */
export const usualFirst = 2;

/** The length of a trouble, its first request with a key, and whether answers announce it. */
export type TroubleLength = { readonly ms?: number; readonly first?: number; readonly isAnnounced?: boolean };

/** A period that begins with a request with a key, the second unless set otherwise. */
class Stretch {
  readonly #length: TroubleLength;
  #requests = 0;
  #span: TroubleSpan | undefined;

  constructor(length: TroubleLength) {
    this.#length = length;
  }

  count(now: number): void {
    const { ms, first = usualFirst, isAnnounced = false } = this.#length;
    this.#requests += 1;
    if (this.#requests < first) return;
    this.#span ??= { began: now, isAnnounced, ...(ms !== undefined && { ended: now + ms }) };
  }

  get span(): TroubleSpan | undefined {
    return this.#span;
  }

  /** Returns the milliseconds left at `now`; 0 before and after the period. */
  millisecondsLeft(now: number): number {
    if (!this.#span || now < this.#span.began) return 0;
    return Math.max(0, (this.#span.ended ?? Number.POSITIVE_INFINITY) - now);
  }
}

/** Returns a trouble with the distortion that `bend` makes for its period. */
function during(length: TroubleLength, bend: (stretch: Stretch) => Distortion): Trouble {
  const stretch = new Stretch(length);
  const { request: taken, ...distortion } = bend(stretch);
  return {
    distortion: {
      ...distortion,
      request: (request, context) => {
        if (request.apiKey !== undefined) stretch.count(request.now);
        return taken?.(request, context) ?? request;
      },
    },
    span: () => stretch.span,
  };
}

/** Ends the month `ms` after the first request; later requests count in the next month. */
export function endMonthAfter(ms: number): Trouble {
  let span: TroubleSpan | undefined;
  return {
    distortion: {
      month: (month, { now, request }) => {
        if (request.apiKey !== undefined) span ??= { began: now, ended: now + ms, isAnnounced: true };
        if (span?.ended === undefined) return month;
        return now <= span.ended ? { ...month, reset: span.ended } : { ...month, name: `${month.name} anew` };
      },
    },
    span: () => span,
  };
}

/** Answers 429 with Retry-After for `ms`, without counting the requests. */
export function refuseTemporarily(ms: number, first = usualFirst): Trouble {
  return refuseDuring(
    { ms, first, isAnnounced: true },
    (waitMs) => new Refusal(429, 'too-fast', 'Too many requests.', retryAfter(waitMs)),
  );
}

/** Answers 503 for `ms`, with or without Retry-After. */
export function failTemporarily(ms: number, isAnnounced: boolean, first = usualFirst): Trouble {
  return refuseDuring(
    { ms, first, isAnnounced },
    (waitMs) =>
      new Refusal(503, 'unavailable', 'The service is not available.', isAnnounced ? retryAfter(waitMs) : {}),
  );
}

/** Delays every answer by `waitMs` for `ms`. */
export function delayAnswers(ms: number, waitMs: number, first = usualFirst): Trouble {
  return during({ ms, first }, (stretch) => ({
    reply: (reply, { now }) =>
      stretch.millisecondsLeft(now) > 0 ? withDelivery(reply, { wait: waitMs }) : reply,
  }));
}

/** Revokes the key, as if it had never been issued. */
export function revokeKey(first = usualFirst): Trouble {
  return during({ first }, (stretch) => ({
    request: (request) =>
      request.apiKey !== undefined && stretch.millisecondsLeft(request.now) > 0
        ? { ...request, apiKey: 'revoked' }
        : request,
  }));
}

function refuseDuring(length: TroubleLength, refusal: (waitMs: number) => Refusal): Trouble {
  return during(length, (stretch: Stretch) => ({
    charge: (requests, { now }) => (stretch.millisecondsLeft(now) > 0 ? 0 : requests),
    reply: (reply, { now }) =>
      stretch.millisecondsLeft(now) > 0 ? refuseReply(reply, refusal(stretch.millisecondsLeft(now))) : reply,
  }));
}

/** Replaces a reply by a refusal, and keeps only the headers that are common to all replies. */
function refuseReply(reply: Reply, refusal: Refusal): Reply {
  const { status, headers, body } = problemReply(refusal, '00000000-0000-4000-8000-000000000000', 'problem');
  const gone = /^(content-type|etag|cache-control)$/i;
  return { status, body, headers: [...headers, ...reply.headers.filter(([name]) => !gone.test(name))] };
}

function retryAfter(ms: number): { headers: Reply['headers'] } {
  return { headers: [['Retry-After', String(Math.max(1, Math.ceil(ms / 1000)))]] };
}

/** A control is undisturbed, a trouble ends, and wrong data needs an expectation. */
export type ScenarioKind = 'control' | 'trouble' | 'wrong data';

/** The double's settings for one scenario, made again for every play. */
export type Staging = {
  readonly quota?: NonNullable<ServiceOptions['quota']>;
  readonly faults?: readonly string[];
  readonly distortion?: Distortion;
  readonly trouble?: Trouble;
};

/** A difficulty that the double plays to a client. */
export type ClientScenario = {
  readonly id: string;
  readonly title: string;
  readonly kind: ScenarioKind;
  /** Makes the settings; a trouble begins with the `first` request, by default the second. */
  readonly stage: (first?: number) => Staging;
  /** Time (ms) that the trouble lasts. */
  readonly lasts?: number;
  /** Rules that a trouble tests; if none of them was judged, the scenario is inconclusive. */
  readonly about?: readonly string[];
  /** True if its rules bound how fast a client repeats, which a busy processor would slow down. */
  readonly isPaced?: true;
  /** Returns whether a good answer has wrong data; `before` has the earlier answers of the same path. */
  readonly isWrong?: (
    requested: Requested,
    answer: WholeExchange,
    before: readonly WholeExchange[],
  ) => boolean;
};
