import { day } from '../results/calendar.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { Condition } from './cause.ts';
import { formatMinute } from './coverage-conditions.ts';
import { formatLength } from './words.ts';

/** Days before its end at which a certificate is reported, each a message; the last one pages. */
const stageDays = [21, 7, 1];

/** The certificates that targets were served last; plain JSON, by target, Unix ms of their ends. */
export class Certificates {
  readonly #ends: Map<string, number>;

  constructor(ends: Readonly<Record<string, number>> = {}) {
    this.#ends = new Map(Object.entries(ends));
  }

  get state(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#ends);
  }

  take({ series, certificateEnd }: SlotRecord): void {
    if (certificateEnd !== undefined) this.#ends.set(series.target, certificateEnd);
  }

  /** Certificates that end soon, at `now` (Unix ms). */
  conditions(now: number): Condition[] {
    return [...this.#ends].map(([target, end]) => {
      const reached = stageDays.filter((days) => end - now < (days + 0.5) * day);
      return {
        source: 'certificate',
        subject: { target },
        holds: reached.length > 0,
        severity: reached.includes(1) ? 'page' : 'ticket',
        // One certificate may serve many targets.
        family: `certificate ${end}`,
        words: (at) => formatEnd(end, at),
        marks: reached.map(String),
        // Each stage is one message.
        reminder: Number.POSITIVE_INFINITY,
      };
    });
  }
}

function formatEnd(end: number, now: number): string {
  const days = Math.round((end - now) / day);
  const left = days < 1 ? formatLength(end - now) : `${days} day${days === 1 ? '' : 's'}`;
  return end <= now
    ? `its certificate ended ${formatMinute(end)}: clients refuse it`
    : `its certificate ends ${formatMinute(end)}, in ${left}\ndo: renew it, or ask those who run the API to`;
}
