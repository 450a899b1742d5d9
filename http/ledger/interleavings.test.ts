import fc from 'fast-check';
import type { Shares } from '../../planning/allowance.ts';
import type { LedgerEntry } from '../../planning/ledger-entry.ts';
import {
  arbitraryHappenings,
  HonestService,
  type QuotaHappening,
} from '../../planning/testing/honest-service.ts';
import { expect } from '../../testing/expect.ts';
import type { KeyAccount } from './account.ts';
import type { Ledgers } from './ledgers.ts';
import type { Reservation, Sender } from './reservation.ts';
import { everyStore, type TestLedger } from './testing/ledger-test.ts';
import { exchangeWith, withKey } from './testing/quota-server.ts';

/** Shares that keep back only the reserve, so that the ledger alone protects it. */
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
    fc.boolean().chain((monthEnds) => arbitraryHappenings({ foreign: false, monthEnds })),
    fc.array(fc.oneof(slot, slot, slot, slot, end, kill), { maxLength: 40 }),
    fc.array(fc.nat(3), { maxLength: 120 }),
  )
  .map(([others, ours, order]) => {
    const [left, right]: Step[][] = [[...others], [...ours]];
    const woven = order.flatMap((side) => ((side === 0 ? left : right) ?? []).splice(0, 1));
    return [...woven, ...(left ?? []), ...(right ?? [])];
  });

type Expected = { readonly least: number; readonly kinds: readonly string[]; readonly remaining: number };

type Living = { readonly account: KeyAccount; readonly name: string; readonly reservations: Reservation[] };

/** A request that the service answers at any time; `settled` when its answer is booked. */
type Waiting = { readonly of: string; resolve(text: string): void; settled?: Promise<unknown> };

let households = 0;

/** Three processes that share a ledger and spend their grants; each may die and start again. */
class Household {
  readonly #place: TestLedger;
  readonly #name = `household ${++households}`;
  readonly #service: HonestService;
  readonly #answers = new Map<string, Waiting>();
  readonly #dead = new Set<string>();
  readonly #open = new Map<number, Living>();
  readonly #all: Ledgers[] = [];
  #entries: LedgerEntry[] = [];
  #lives = 0;
  #landingAt: number | undefined;

  constructor(place: TestLedger, limit: number, spent: number) {
    this.#place = place;
    this.#service = new HonestService(limit, (entry) => this.#entries.push(entry), spent);
  }

  get used(): number {
    return this.#service.used;
  }

  /** Books the service's first answer in the ledger. */
  async begin(): Promise<void> {
    const [, answered] = this.#entries.splice(0);
    if (answered?.kind !== 'answered') throw new Error('the service begins with one answer');
    const reservation = await (await this.#process(0)).account.reserveAnyway(1);
    await reservation
      .client({ send: async () => exchangeWith(JSON.stringify(answered.quota)) })
      .send(withKey);
    await reservation.end();
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'slot') await this.#slot(step.who, step.cost, step.atOnce);
    else if (step.kind === 'kill') await this.#kill(step.who);
    else if (step.kind === 'end') await this.#end(step.who);
    else if (step.kind === 'send') await this.#sendLater();
    else this.#service.play(step);
    await this.#deliver();
  }

  async finish(): Promise<{ kinds: string[]; remaining: number }> {
    for (const holder of [...this.#open.keys()]) await this.#kill(holder);
    this.#service.finish();
    this.#entries = this.#entries.filter(({ id }) => !this.#answers.has(id));
    const last = this.#entries.findLast((entry) => entry.kind === 'answered');
    const { account } = await this.#process(0);
    const quota = last?.kind === 'answered' ? JSON.stringify(last.quota) : '';
    const reservation = await account.reserveAnyway(1);
    await reservation.client({ send: async () => exchangeWith(quota) }).send(withKey);
    const kinds = (await account.events(0)).map(({ event }) => event.kind);
    const remaining = (await account.status(this.#service.now))?.remaining ?? Number.NaN;
    for (const ledgers of this.#all) await ledgers.close();
    return { kinds, remaining };
  }

  async #slot(number: number, cost: number, atOnce: number): Promise<void> {
    const { account, name, reservations } = await this.#process(number);
    const ask = { purpose: 'monitor', cost, credit: 0 } as const;
    const granted = await account.ask(ask, greedy, this.#service.now);
    if (granted.verdict === 'skip') return;
    reservations.push(granted.reservation);
    // One or two more requests than were granted: the guard has to stop them.
    for (let sent = 0; sent < atOnce; sent++) await this.#send(granted.reservation, name);
  }

  /** Sends one request that was granted before. */
  async #sendLater(): Promise<void> {
    for (const { name, reservations } of this.#open.values()) {
      for (const reservation of reservations) await this.#send(reservation, name);
    }
  }

  async #end(number: number): Promise<void> {
    for (const reservation of (await this.#process(number)).reservations.splice(0)) await reservation.end();
  }

  /** Resolves when the request has reached the service or was refused; its answer comes later. */
  async #send(reservation: Reservation, of: string): Promise<void> {
    const reached = Promise.withResolvers<Waiting | undefined>();
    const inner: Sender = {
      send: () => {
        this.#service.play({ kind: 'send' });
        const id = this.#entries.pop()?.id ?? '';
        return new Promise((resolve) => {
          const waiting: Waiting = { of, resolve: (text) => resolve(exchangeWith(text)) };
          this.#answers.set(id, waiting);
          reached.resolve(waiting);
        });
      },
    };
    const settled = reservation.client(inner).send(withKey);
    settled.catch(() => reached.resolve(undefined));
    const waiting = await reached.promise;
    if (waiting) waiting.settled = settled.catch(() => undefined);
  }

  /** Answers one request after the other, in the service's order. A dead process receives no answer. */
  async #deliver(): Promise<void> {
    for (const entry of this.#entries.splice(0)) {
      const land = this.#answers.get(entry.id);
      this.#answers.delete(entry.id);
      if (!land || this.#dead.has(land.of)) continue;
      this.#landingAt = entry.at;
      land.resolve(entry.kind === 'answered' ? JSON.stringify(entry.quota) : '');
      await land.settled;
    }
    this.#landingAt = undefined;
  }

  async #kill(number: number): Promise<void> {
    const dying = this.#open.get(number);
    if (!dying) return;
    this.#dead.add(dying.name);
    // Sent requests are counted first: one that is counted after a later request of others seems to be foreign use.
    const sent = [...this.#answers].flatMap(([id, { of }]) => (of === dying.name ? [id] : []));
    this.#service.arrive(new Set(sent));
    this.#open.delete(number);
    await this.#place.kill(dying.name);
  }

  async #process(number: number): Promise<Living> {
    const known = this.#open.get(number);
    if (known) return known;
    this.#lives += 1;
    const name = `${this.#name}, life ${this.#lives}`;
    const ledgers = await this.#place.open({ name, now: () => this.#landingAt ?? this.#service.now });
    this.#all.push(ledgers);
    const opened: Living = { account: ledgers.account(this.#name), name, reservations: [] };
    this.#open.set(number, opened);
    return opened;
  }
}

async function live(
  place: TestLedger,
  all: readonly Step[],
  limit: number,
  spent: number,
): Promise<Expected> {
  const household = new Household(place, limit, spent);
  await household.begin();
  let least = limit;
  for (const step of all) {
    await household.take(step);
    least = Math.min(least, limit - household.used);
  }
  const { kinds, remaining } = await household.finish();
  // Every request has been counted now, and one more that read the sum.
  least = Math.min(least, limit - household.used + 1);
  return { least, kinds, remaining: remaining - Math.max(0, limit - household.used) };
}

/** Fewer runs in PostgreSQL, since a booking takes longer there. */
const runsOf = { SQLite: 150, PostgreSQL: 20 };

for (const [store, test] of everyStore) {
  test(`${store}: whatever the order of several processes, the reserve holds and nobody is accused`, async ({
    place,
  }) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 30, max: 150 }), fc.nat(20), async (all, limit, left) => {
        const spent = Math.max(0, Math.floor(limit * 0.9) - 1 - left);
        const { least, kinds, remaining } = await live(place, all, limit, spent);
        expect(least).toBeGreaterThanOrEqual(limit * 0.1);
        expect(kinds.filter((kind) => kind !== 'roll-over')).toEqual([]);
        expect(remaining).toBe(0);
      }),
      { numRuns: Number(process.env.CANDLEPROOF_LEDGER_RUNS ?? runsOf[store]) },
    );
  });
}
