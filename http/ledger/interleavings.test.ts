import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Shares } from '../../planning/allowance.ts';
import type { LedgerEntry } from '../../planning/ledger-entry.ts';
import { HonestService, happenings, type QuotaHappening } from '../../planning/testing/honest-service.ts';
import { type Ledgers, openLedgers } from './ledgers.ts';
import type { Reservation, Sender } from './reservation.ts';
import { exchangeWith, quotaInBody, withKey } from './testing/quota-server.ts';

/** Nothing but the reserve is kept back, so that the ledger alone protects it. */
const greedy: Shares = { check: 0, monitor: 90, load: 0, confirm: 0, reserve: 10 };

type Step =
  | QuotaHappening
  | { readonly kind: 'slot'; readonly who: number; readonly cost: number; readonly atOnce: number }
  | { readonly kind: 'end'; readonly who: number }
  | { readonly kind: 'kill'; readonly who: number };

const who = fc.nat(2);
const slot = fc.record({
  kind: fc.constant('slot' as const),
  who,
  cost: fc.integer({ min: 1, max: 12 }),
  atOnce: fc.oneof(fc.nat(2), fc.nat(14)),
});
const end = fc.record({ kind: fc.constant('end' as const), who });
const kill = fc.record({ kind: fc.constant('kill' as const), who });
const steps: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.boolean().chain((monthEnds) => happenings({ foreign: false, monthEnds })),
    fc.array(fc.oneof(slot, slot, slot, slot, end, kill), { maxLength: 40 }),
    fc.array(fc.nat(3), { maxLength: 120 }),
  )
  .map(([others, ours, order]) => {
    const [left, right]: Step[][] = [[...others], [...ours]];
    const woven = order.flatMap((each) => ((each === 0 ? left : right) ?? []).splice(0, 1));
    return [...woven, ...(left ?? []), ...(right ?? [])];
  });

type Expected = { readonly least: number; readonly kinds: readonly string[]; readonly remaining: number };

type Living = { readonly ledgers: Ledgers; readonly name: string; readonly reservations: Reservation[] };

/** Three processes that share a file and spend what they are granted; any of them may die and start anew. */
class Household {
  readonly #file: string;
  readonly #service: HonestService;
  readonly #answers = new Map<string, { readonly of: string; readonly resolve: (text: string) => void }>();
  readonly #dead = new Set<string>();
  readonly #open = new Map<number, Living>();
  readonly #all: Ledgers[] = [];
  #entries: LedgerEntry[] = [];
  #lives = 0;
  #landingAt: number | undefined;

  constructor(file: string, limit: number, spent: number) {
    this.#file = file;
    this.#service = new HonestService(limit, (entry) => this.#entries.push(entry), spent);
  }

  get used(): number {
    return this.#service.used;
  }

  /** The service's first request is reported to a ledger of its own, as each later one. */
  async begin(): Promise<void> {
    const [, answered] = this.#entries.splice(0);
    if (answered?.kind !== 'answered') throw new Error('the service begins with one answer');
    const reservation = this.#process(0).ledgers.account('a').reserveAnyway(1);
    await reservation
      .client({ send: async () => exchangeWith(JSON.stringify(answered.quota)) })
      .send(withKey);
    reservation.end();
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'slot') this.#slot(step.who, step.cost, step.atOnce);
    else if (step.kind === 'kill') this.#kill(step.who);
    else if (step.kind === 'end') this.#end(step.who);
    else if (step.kind === 'send') this.#sendLater();
    else this.#service.happen(step);
    await this.#deliver();
  }

  async finish(): Promise<{ kinds: string[]; remaining: number }> {
    for (const each of this.#open.keys()) this.#kill(each);
    this.#service.finish();
    this.#entries = this.#entries.filter(({ id }) => !this.#answers.has(id));
    const last = this.#entries.findLast((each) => each.kind === 'answered');
    const { ledgers } = this.#process(0);
    const quota = last?.kind === 'answered' ? JSON.stringify(last.quota) : '';
    const reservation = ledgers.account('a').reserveAnyway(1);
    await reservation.client({ send: async () => exchangeWith(quota) }).send(withKey);
    const kinds = ledgers
      .account('a')
      .events(0)
      .map(({ event }) => event.kind);
    const remaining = ledgers.account('a').status(this.#service.now)?.remaining ?? Number.NaN;
    for (const each of this.#all) each.close();
    return { kinds, remaining };
  }

  #slot(number: number, cost: number, atOnce: number): void {
    const { ledgers, name, reservations } = this.#process(number);
    const ask = { purpose: 'monitor', cost, need: 0, credit: 0 } as const;
    const granted = ledgers.account('a').ask(ask, greedy, this.#service.now);
    if (granted.verdict === 'skip') return;
    reservations.push(granted.reservation);
    const client = granted.reservation.client(this.#sender(name));
    // One or two more than were granted: the guard has to stop them. A dead process hears of nothing.
    for (let sent = 0; sent < atOnce; sent++) client.send(withKey).catch(() => undefined);
  }

  /** One request of what was granted before. */
  #sendLater(): void {
    for (const { name, reservations } of this.#open.values()) {
      for (const each of reservations)
        each
          .client(this.#sender(name))
          .send(withKey)
          .catch(() => undefined);
    }
  }

  #end(number: number): void {
    for (const each of this.#process(number).reservations.splice(0)) each.end();
  }

  /** It reaches the service when it is sent, and comes back when the service says so. */
  #sender(of: string): Sender {
    return {
      send: () => {
        this.#service.happen({ kind: 'send' });
        const id = this.#entries.pop()?.id ?? '';
        return new Promise((resolve) =>
          this.#answers.set(id, { of, resolve: (text) => resolve(exchangeWith(text)) }),
        );
      },
    };
  }

  async #deliver(): Promise<void> {
    for (const entry of this.#entries.splice(0)) {
      const land = this.#answers.get(entry.id);
      this.#answers.delete(entry.id);
      if (!land || this.#dead.has(land.of)) continue;
      this.#landingAt = entry.at;
      land.resolve(entry.kind === 'answered' ? JSON.stringify(entry.quota) : '');
      // One after the other, in the service's order.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#landingAt = undefined;
  }

  /** Its file stays open, since a process that was killed closes nothing either. */
  #kill(number: number): void {
    const dying = this.#open.get(number);
    if (!dying) return;
    this.#dead.add(dying.name);
    this.#open.delete(number);
  }

  #process(number: number): Living {
    const known = this.#open.get(number);
    if (known) return known;
    this.#lives += 1;
    const name = `life ${this.#lives}`;
    const life = { self: name, isAlive: (each: string) => !this.#dead.has(each) };
    const now = (): number => this.#landingAt ?? this.#service.now;
    const ledgers = openLedgers(this.#file, { readQuota: quotaInBody, now, life });
    this.#all.push(ledgers);
    const opened: Living = { ledgers, name, reservations: [] };
    this.#open.set(number, opened);
    return opened;
  }
}

async function live(all: readonly Step[], limit: number, spent: number): Promise<Expected> {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-ledger-'));
  try {
    const household = new Household(join(folder, 'ledger.db'), limit, spent);
    await household.begin();
    let least = limit;
    for (const step of all) {
      await household.take(step);
      least = Math.min(least, limit - household.used);
    }
    const { kinds, remaining } = await household.finish();
    // All that was sent has been counted now, and one request more that read the sum.
    least = Math.min(least, limit - household.used + 1);
    return { least, kinds, remaining: remaining - Math.max(0, limit - household.used) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('whatever the order of several processes, the reserve holds and nobody is accused', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 30, max: 150 }), fc.nat(20), async (all, limit, left) => {
      const spent = Math.max(0, Math.floor(limit * 0.9) - 1 - left);
      const { least, kinds, remaining } = await live(all, limit, spent);
      expect(least).toBeGreaterThanOrEqual(limit * 0.1);
      expect(kinds.filter((kind) => kind !== 'roll-over')).toEqual([]);
      expect(remaining).toBe(0);
    }),
    { numRuns: Number(process.env.CANDLEPROOF_LEDGER_RUNS ?? 150) },
  );
});
