import { noteOwn, noteSeen, settle } from '../ledger.ts';
import type { LedgerEvent, QuotaAnswer, Spent } from '../ledger-entry.ts';
import {
  expire,
  hear,
  type Ledger,
  type LedgerChange,
  newLedger,
  prolong,
  reserve,
} from '../ledger-state.ts';

export const reset = Date.UTC(2026, 10, 1) - 1;
export const next = Date.UTC(2026, 11, 1) - 1;
export const start = Date.UTC(2026, 9, 10);

/** Returns the counters after `used` requests of a month. */
export function quotaAfter(used: number, limit = 10_000, end = reset): QuotaAnswer {
  const [remaining, additional] = [Math.max(0, limit - used), Math.max(0, used - limit)];
  return { limit, remaining, additional, reset: end };
}

/** One account whose events are collected, and a clock. */
export class QuotaStory {
  readonly events: Omit<LedgerEvent, 'at'>[] = [];
  ledger: Ledger = newLedger;
  at = start;

  /** Sends one request after the other, each in a reservation, `gap` ms apart or as listed. */
  sole(answers: readonly (number | QuotaAnswer)[], gaps: readonly number[] = []): this {
    for (const [index, answer] of answers.entries()) {
      this.at += gaps[index] ?? 900_000;
      const quota = typeof answer === 'number' ? quotaAfter(answer) : answer;
      this.take('sole').end('sole', [quota]);
    }
    return this;
  }

  /** @param location of a monitor */
  take(id: string, n = 1, location?: string): this {
    return this.change((ledger) => ({
      ledger: hear(reserve(ledger, id, n, this.at), location, this.at),
      events: [],
    }));
  }

  /** Settles a reservation with these answers to requests one after the other, and `doubtful` requests besides. */
  end(id: string, answers: readonly QuotaAnswer[], doubtful = 0): this {
    const newest = answers.at(-1);
    const answered = answers.filter(({ reset: end }) => end === newest?.reset).length;
    const counts = answers.map((quota) => ({
      at: this.at,
      usage: quota.limit - quota.remaining + quota.additional,
    }));
    return this.settle(id, {
      ...{ sent: answers.length + doubtful, doubtful, answered, counts },
      newest: newest && { at: this.at, quota: newest },
    });
  }

  settle(id: string, spent: Spent): this {
    return this.change((ledger) => settle(ledger, id, spent, this.at));
  }

  /** Shows that a reservation is still open. */
  prolong(id: string, n = 1): this {
    return this.change((ledger) => ({ ledger: prolong(ledger, id, n, this.at), events: [] }));
  }

  /** Shows that a reservation is still open, with its newest answer. */
  sign(id: string, quota: QuotaAnswer): this {
    return this.prolong(id).change((ledger) => noteOwn(ledger, id, { at: this.at, quota }, this.at));
  }

  see(used: number, at: number, end = reset): this {
    this.at = at;
    return this.change((ledger) => noteSeen(ledger, { at, quota: quotaAfter(used, 10_000, end) }));
  }

  pass(ms: number): this {
    this.at += ms;
    return this.change((ledger) => ({ ledger, events: [] }));
  }

  change(change: (ledger: Ledger) => LedgerChange): this {
    const { ledger, events } = change(expire(this.ledger, this.at));
    this.ledger = ledger;
    this.events.push(...events.map(({ at, ...event }) => event));
    return this;
  }
}
