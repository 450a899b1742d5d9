import type { Condition } from './cause.ts';
import { formatMinute } from './coverage-conditions.ts';

/** Ms for which a sink has to fail before the others report it: a receiver may be restarted. */
const patienceMs = 10 * 60_000;

type Health = { readonly failingSince?: number; readonly reason?: string; readonly heldUntil?: number };

/** Keeps for each sink since when it takes nothing, and until when it wants nothing. Times in Unix ms. */
export class SinkHealth {
  readonly #known = new Map<string, Health>();

  /** @param wanted ms for which the receiver wants no more messages */
  note(sink: string, reason: string | undefined, now: number, wanted?: number): void {
    const { failingSince = now } = this.#known.get(sink) ?? {};
    const held = wanted === undefined ? {} : { heldUntil: now + wanted };
    this.#known.set(sink, reason === undefined ? {} : { failingSince, reason, ...held });
  }

  isHeld(sink: string, now: number): boolean {
    return now < (this.#known.get(sink)?.heldUntil ?? Number.NEGATIVE_INFINITY);
  }

  shift(by: number): void {
    for (const [sink, { failingSince, heldUntil, ...rest }] of this.#known)
      this.#known.set(sink, {
        ...rest,
        ...(failingSince !== undefined && { failingSince: failingSince + by }),
        ...(heldUntil !== undefined && { heldUntil: heldUntil + by }),
      });
  }

  /** Returns for each sink whether it has failed for so long that the others have to report it. */
  conditions(sinks: readonly string[], now: number): Condition[] {
    return sinks.map((sink) => {
      const known = this.#known.get(sink);
      const since = known?.failingSince;
      return {
        source: 'sink',
        subject: { sink },
        holds: known && since !== undefined && now - since >= patienceMs,
        severity: 'page',
        family: `sink ${sink}`,
        words: () =>
          `it takes no messages since ${formatMinute(since ?? now)}: ${known?.reason ?? 'it fails'}\ndo: mend the receiver, or watch the page until then`,
        ...(since !== undefined && { began: since }),
      };
    });
  }
}
