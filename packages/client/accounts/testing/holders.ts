import type { Shares } from '@candleproof/law/planning/allowance';
import fc from 'fast-check';
import { grant } from '../grant.ts';
import { noteOwn, settle } from '../ledger.ts';
import type { LedgerEvent } from '../ledger-entry.ts';
import {
  expire,
  type Ledger,
  type LedgerChange,
  longestSilence,
  newLedger,
  prolong,
  reserve,
} from '../ledger-state.ts';
import { RequestTally } from '../request-tally.ts';
import { HonestService } from './honest-service.ts';

/** An event between the holders of a key and its service; `pick` chooses among those that it may concern. */
export type Happening =
  | { readonly kind: 'ask' | 'reserve'; readonly n: number }
  | Act
  | Served
  | { readonly kind: 'foreign'; readonly n: number }
  | { readonly kind: 'pass'; readonly n: number }
  /** The clock moves to `n` ms before the reset. */
  | { readonly kind: 'eve'; readonly n: number };

type Weights = Readonly<Partial<Record<Happening['kind'], number>>>;

/** Returns an arbitrary of happenings, each as often as its weight says. */
export function arbitraryHappenings(weights: Weights): fc.Arbitrary<Happening[]> {
  const most = { ask: 12, reserve: 12, foreign: 9, eve: 8000 };
  const pick = fc.nat(20);
  const drawn = Object.entries(weights).map(([name, weight]) => {
    const kind = name as Happening['kind'];
    const arbitrary: fc.Arbitrary<Happening> =
      kind === 'pass'
        ? fc.record({
            kind: fc.constant(kind),
            n: fc.oneof({ weight: 5, arbitrary: fc.nat(30_000) }, fc.nat(30 * 86_400_000)),
          })
        : kind === 'ask' || kind === 'reserve' || kind === 'foreign' || kind === 'eve'
          ? fc.record({ kind: fc.constant(kind), n: fc.integer({ min: 1, max: most[kind] }) })
          : fc.record({ kind: fc.constant(kind), pick });
    return { weight, arbitrary };
  });
  return fc.array(fc.oneof(...drawn), { maxLength: 200 });
}

/** Keeps back only the reserve, so that the grants alone protect it. */
const greedy: Shares = { check: 0, monitor: 90, load: 0, confirm: 0, reserve: 10 };

type Served = { readonly kind: 'charge' | 'answer' | 'lose'; readonly pick: number };
type Act = { readonly kind: 'send' | 'sign' | 'settle' | 'kill'; readonly pick: number };

type Holder = { readonly id: string; left: number; readonly tally: RequestTally };

/** Holders of one key who share a ledger, written to JSON and read again after every change. */
export class Holders {
  readonly service: HonestService;
  readonly events: LedgerEvent[] = [];
  readonly #alive: Holder[] = [];
  readonly #isPatient: boolean;
  #ids = 0;
  ledger: Ledger = newLedger;

  /** Begins with one answer. `isPatient`: all wait for their answers before they settle. */
  constructor(limit: number, used = 0, isPatient = false) {
    this.#isPatient = isPatient;
    this.service = new HonestService(limit, used);
    this.askAlone();
  }

  play(happening: Happening): void {
    const { service } = this;
    if ('pick' in happening) this.#pick(happening);
    else if (happening.kind === 'ask') this.#ask(happening.n);
    else if (happening.kind === 'reserve') this.#reserve(happening.n);
    else if (happening.kind === 'foreign') service.count(happening.n);
    else if (happening.kind === 'pass') this.#pass(happening.n);
    else this.#pass(service.reset - happening.n - service.now);
  }

  /** Answers and settles everything, lets killed holders expire, and sends one more request. */
  finish(): void {
    this.service.finish();
    while (this.#alive.length > 0) this.#act({ kind: 'settle', pick: 0 });
    this.service.pass(longestSilence + 1);
    this.askAlone();
  }

  askAlone(): void {
    this.#reserve(1);
    const pick = this.#alive.length - 1;
    this.#act({ kind: 'send', pick });
    this.service.finish();
    this.#act({ kind: 'settle', pick });
  }

  #pick({ kind, pick }: Act | Served): void {
    if (kind === 'charge' || kind === 'answer' || kind === 'lose') this.service.simulate(kind, pick);
    else this.#act({ kind, pick });
  }

  /** Those that live show it. */
  #pass(ms: number): void {
    this.service.pass(ms);
    for (const pick of this.#alive.keys()) this.#act({ kind: 'sign', pick });
  }

  #ask(cost: number): void {
    const { now } = this.service;
    this.#change((ledger) => ({ ledger, events: [] }));
    const ask = { purpose: 'monitor', cost, need: 0, credit: 0 } as const;
    if (grant(this.ledger, 0, greedy, ask, now).verdict === 'run') this.#reserve(cost);
  }

  #reserve(n: number): void {
    const id = `r${++this.#ids}`;
    this.#change((ledger) => ({ ledger: reserve(ledger, id, n, this.service.now), events: [] }));
    this.#alive.push({ id, left: n, tally: new RequestTally() });
  }

  #act({ kind, pick }: Act): void {
    const holder = this.#alive[pick % Math.max(1, this.#alive.length)];
    if (!holder) return;
    const { service } = this;
    const { id, tally } = holder;
    if (kind === 'send' && holder.left > 0) {
      holder.left -= 1;
      const land = tally.leave();
      service.send(id, (quota) => land(quota && { at: service.now, quota }));
    }
    if (kind === 'sign') {
      this.#change((ledger) => {
        const signed = prolong(ledger, id, 0, service.now);
        const { newest, answered } = tally.spent;
        return newest ? noteOwn(signed, id, newest, service.now, answered) : { ledger: signed, events: [] };
      });
    }
    if (kind !== 'settle' && kind !== 'kill') return;
    if (this.#isPatient) service.finish(id);
    this.#alive.splice(this.#alive.indexOf(holder), 1);
    if (kind === 'settle') this.#change((ledger) => settle(ledger, id, tally.spent, service.now));
    service.abandon(id);
  }

  #change(change: (ledger: Ledger) => LedgerChange): void {
    const { ledger, events } = change(expire(this.ledger, this.service.now));
    this.ledger = JSON.parse(JSON.stringify(ledger));
    this.events.push(...events);
  }
}
