import type { Shares } from '../../planning/allowance.ts';
import { type Grant, type GrantRequest, grant } from '../../planning/grant.ts';
import { book } from '../../planning/ledger.ts';
import type { LedgerEntry } from '../../planning/ledger-entry.ts';
import type { Ledger } from '../../planning/ledger-state.ts';
import { LedgerDatabase } from './ledger-database.ts';
import { ReservationSpent } from './ledger-unavailable.ts';
import type { ProcessNames } from './life.ts';
import { LedgerRows, type NumberedEvent } from './rows.ts';

/** A process that cannot be seen from here counts as gone after so many ms without a request. */
const longestSilence = 3_600_000;

export type Held = { readonly id: number; readonly account: string };

/** What one process writes into the ledger: each call is one transaction, and throws LedgerUnavailable. */
export class Bookings {
  readonly #database: LedgerDatabase;
  readonly #rows: LedgerRows;
  readonly #life: ProcessNames;
  readonly #now: () => number;
  readonly #holder: number;
  #flights = 0;

  constructor(file: string, life: ProcessNames, now: () => number) {
    this.#database = new LedgerDatabase(file);
    this.#rows = new LedgerRows(this.#database);
    this.#life = life;
    this.#now = now;
    this.#buryTheDead();
    this.#holder = this.#database.transaction(() => this.#rows.addHolder(life.self, now()));
  }

  /** Reserves what is granted. */
  ask(account: string, ask: GrantRequest, shares: Shares, now: number): Grant & { readonly held?: Held } {
    this.#buryTheDead();
    return this.#database.transaction(() => {
      const granted = grant(this.#rows.ledger(account), this.#rows.reserved(account), shares, ask, now);
      return granted.verdict === 'run' ? { ...granted, held: this.#hold(account, ask.cost) } : granted;
    });
  }

  reserve(account: string, cost: number): Held {
    this.#buryTheDead();
    return this.#database.transaction(() => this.#hold(account, cost));
  }

  /** Takes one request off what is reserved and books it as sent; gives its name. @throws ReservationSpent */
  leave({ id, account }: Held): string {
    this.#flights += 1;
    const flight = `${id}.${this.#flights}`;
    const at = this.#now();
    this.#database.transaction(() => {
      if (!this.#rows.takeOne(id)) {
        throw new ReservationSpent(
          'A request beyond what the key’s ledger had reserved was not sent: reserve as many as are sent.',
        );
      }
      this.#rows.addFlight(flight, account, this.#holder);
      this.#rows.see(this.#holder, at);
      this.#book(account, { kind: 'sent', id: flight, at });
    });
    return flight;
  }

  /** A flight that was taken for a dead process's has been reported as doubtful: it is not reported twice. */
  land(account: string, entry: LedgerEntry): void {
    this.#database.transaction(() => {
      if (this.#rows.dropFlight(entry.id)) this.#book(account, entry);
    });
  }

  /** Books all that is reserved as sent, to last beyond this process; gives the name of the first of them. */
  leaveInBulk({ id, account }: Held): string {
    this.#flights += 1;
    const flight = `${id}.${this.#flights}`;
    const at = this.#now();
    this.#database.transaction(() => {
      const n = this.#rows.takeAll(id);
      if (n === 0) throw new ReservationSpent('Nothing was left of what the key’s ledger had reserved.');
      this.#rows.addFlight(flight, account, this.#holder);
      this.#rows.see(this.#holder, at);
      this.#book(account, { kind: 'sent', id: flight, at });
      this.#book(account, { kind: 'bulk', id: flight, n: n - 1, at });
    });
    return flight;
  }

  /** Ends a bulk with the answer to its first, as `entry` tells it; `unsent` of it never left. */
  landInBulk(account: string, entry: LedgerEntry, unsent: number): void {
    this.#database.transaction(() => {
      this.#book(account, { kind: 'bulk', id: entry.id, n: -unsent, at: entry.at });
      if (this.#rows.dropFlight(entry.id)) this.#book(account, entry);
    });
  }

  giveBack({ id }: Held): void {
    this.#database.transaction(() => this.#rows.dropReservation(id));
  }

  look(account: string): { readonly ledger: Ledger; readonly reserved: number } {
    return this.#database.transaction(() => ({
      ledger: this.#rows.ledger(account),
      reserved: this.#rows.reserved(account),
    }));
  }

  events(account: string, after: number): NumberedEvent[] {
    return this.#database.transaction(() => this.#rows.events(account, after));
  }

  close(): void {
    try {
      this.#database.transaction(() => this.#bury(this.#holder));
    } finally {
      this.#database.close();
    }
  }

  #hold(account: string, cost: number): Held {
    this.#rows.see(this.#holder, this.#now());
    return { id: this.#rows.reserve(account, this.#holder, cost), account };
  }

  #book(account: string, entry: LedgerEntry): void {
    const { ledger, events } = book(this.#rows.ledger(account), entry);
    this.#rows.keep(account, ledger);
    this.#rows.tell(account, events);
  }

  /** Requested outside of the transaction, since others wait for it; who is dead stays dead. */
  #buryTheDead(): void {
    const holders = this.#database.transaction(() => this.#rows.holders());
    const latest = this.#now() - longestSilence;
    const dead = holders.filter(({ process, seen }) => !(this.#life.isAlive(process) ?? seen >= latest));
    if (dead.length === 0) return;
    this.#database.transaction(() => {
      for (const { id } of dead) this.#bury(id);
    });
  }

  /** Whether its requests were counted is not known. */
  #bury(holder: number): void {
    for (const { id, account } of this.#rows.flightsOf(holder)) {
      this.#rows.dropFlight(id);
      this.#book(account, { kind: 'doubtful', id, at: this.#now() });
    }
    this.#rows.dropHolder(holder);
  }
}
