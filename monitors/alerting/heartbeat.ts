import type { Definition, Sink } from '../plan/definition.ts';
import { formatMinute, type TargetCoverage } from './coverage-conditions.ts';
import type { AlertMessage } from './message.ts';
import { type SendOptions, send as usualSend } from './send.ts';

/**
 * Sends the monitor's heartbeat, so that receivers can tell a silent monitor from a dead one. It goes directly to its
 * sink. A failed heartbeat is only counted and never sent later, because it would be out of date.
 */
export class Heartbeat {
  readonly #location: string;
  readonly #sink: Sink | undefined;
  readonly #every: number;
  readonly #send: typeof usualSend;
  #last: number | undefined;
  #isUnderWay = false;
  #sent = 0;
  #failed = 0;

  constructor({ location, alerting }: Pick<Definition, 'location' | 'alerting'>, send = usualSend) {
    const { heartbeat, sinks } = alerting;
    this.#location = location;
    this.#sink = sinks.find(({ name }) => name === heartbeat?.sink);
    this.#every = heartbeat?.every ?? Number.POSITIVE_INFINITY;
    this.#send = send;
  }

  get counts(): { readonly sent: number; readonly failed: number } {
    return { sent: this.#sent, failed: this.#failed };
  }

  /** Sends a heartbeat if one is due: also right after a start, and after the clock was set back. Never rejects. */
  async tick({ now, ...options }: SendOptions, sights: readonly TargetCoverage[] = []): Promise<void> {
    const since = now - (this.#last ?? Number.NEGATIVE_INFINITY);
    if (this.#sink === undefined || this.#isUnderWay || (since >= 0 && since < this.#every)) return;
    this.#last = now;
    this.#isUnderWay = true;
    const reason = await this.#send(this.#sink, this.#message(now, sights), { now, ...options });
    this.#isUnderWay = false;
    if (reason === undefined) this.#sent++;
    else this.#failed++;
  }

  #message(now: number, sights: readonly TargetCoverage[]): AlertMessage {
    const location = this.#location;
    return {
      id: ['heartbeat', location, now].map((part) => encodeURIComponent(part)).join('/'),
      kind: 'heartbeat',
      at: new Date(now).toISOString(),
      location,
      text: [`the monitor at ${location} is alive`, ...sights.flatMap(blindness)].join('; '),
      targets: sights.map(({ target, seen: { judged }, blindSince }) => ({
        target,
        ...(judged !== undefined && { lastJudged: new Date(judged).toISOString() }),
        ...(blindSince !== undefined && { blindSince: new Date(blindSince).toISOString() }),
      })),
    };
  }
}

/** Describes a monitor that lives and sees nothing. */
function blindness({ target, blindSince }: TargetCoverage): string[] {
  return blindSince === undefined ? [] : [`${target} is not judged since ${formatMinute(blindSince)}`];
}
