import type { Distortion } from '../../service/api/distortion.ts';

/** When a trouble began and ends, in milliseconds of the double's clock; one without an end lasts. */
export type TroubleSpan = {
  readonly began: number;
  readonly ended?: number;
  /** The answers in it say how long to wait. */
  readonly tells: boolean;
};

/** What a double does to a client for a while; what it remembers lives in it, so each scenario makes its own. */
export type Trouble = {
  readonly distortion: Distortion;
  /** Undefined as long as it has not begun. */
  readonly span: () => TroubleSpan | undefined;
};

/** How long a trouble lasts, and whether its answers say so. */
export type TroubleLength = { readonly ms?: number; readonly tells?: boolean };

/**
 * A stretch of time that begins with the second request that brings a key: the first is answered well, so that a client
 * that loads something at its start comes into its stride, and shows how often it comes.
 */
export class Stretch {
  readonly #length: TroubleLength;
  #requests = 0;
  #span: TroubleSpan | undefined;

  constructor(length: TroubleLength) {
    this.#length = length;
  }

  /** Hears of a request at `now` (ms). */
  count(now: number): void {
    this.#requests += 1;
    if (this.#requests < 2) return;
    const { ms, tells = false } = this.#length;
    this.#span ??= { began: now, tells, ...(ms !== undefined && { ended: now + ms }) };
  }

  get span(): TroubleSpan | undefined {
    return this.#span;
  }

  /** Milliseconds that are left of it at `now`; 0 before and after. */
  left(now: number): number {
    if (!this.#span || now < this.#span.began) return 0;
    return Math.max(0, (this.#span.ended ?? Number.POSITIVE_INFINITY) - now);
  }
}

/** A trouble over a stretch; `bend` says what it does while the stretch lasts. */
export function during(length: TroubleLength, bend: (stretch: Stretch) => Distortion): Trouble {
  const stretch = new Stretch(length);
  const { request: taken, ...distortion } = bend(stretch);
  return {
    distortion: {
      ...distortion,
      request: (request, circumstance) => {
        if (request.apiKey !== undefined) stretch.count(request.now);
        return taken?.(request, circumstance) ?? request;
      },
    },
    span: () => stretch.span,
  };
}
