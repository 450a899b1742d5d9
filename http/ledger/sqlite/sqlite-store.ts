import { bookedAsGone } from '../booked-requests.ts';
import type {
  BookingSubject,
  Decision,
  Kept,
  LedgerChange,
  LedgerStore,
  NumberedEvent,
} from '../ledger-store.ts';
import { LedgerDatabase } from './ledger-database.ts';
import type { ProcessNames } from './life.ts';
import { LedgerRows } from './rows.ts';

/** A process that cannot be seen from here counts as gone after so many ms without a request. */
const longestSilence = 3_600_000;

/** It says so often, in ms, that it is there. */
const sayEvery = 60_000;

const nobody = { others: 0, othersPace: 0 };

/** The ledger of one machine: a file that its processes write in turns, each of them a holder. */
export class SqliteLedgerStore implements LedgerStore {
  readonly #database: LedgerDatabase;
  readonly #rows: LedgerRows;
  readonly #life: ProcessNames;
  readonly #now: () => number;
  readonly #holder: number;
  #seen: number;

  /** @throws LedgerUnavailable */
  constructor(file: string, life: ProcessNames, now: () => number) {
    this.#database = new LedgerDatabase(file);
    this.#rows = new LedgerRows(this.#database);
    this.#life = life;
    this.#now = now;
    this.#seen = now();
    this.#buryTheDead();
    this.#holder = this.#database.transaction(() => this.#rows.addHolder(life.self, this.#seen));
  }

  async change<T>(
    subject: BookingSubject,
    decide: (kept: Kept) => Decision<T>,
  ): Promise<{ readonly result: T; readonly reservation: number }> {
    if (subject.isGrant) this.#buryTheDead();
    return this.#database.together(() => {
      const kept = this.#read(subject);
      const { result, ...change } = decide(kept);
      return { result, reservation: this.#write(subject, change, kept.now) };
    });
  }

  async events(account: string, after: number): Promise<NumberedEvent[]> {
    return this.#database.reading(() => this.#rows.events(account, after));
  }

  async close(): Promise<void> {
    try {
      this.#database.transaction(() => this.#bury(this.#holder));
    } finally {
      this.#database.close();
    }
  }

  #read({ account, reservation, flight, isGrant }: BookingSubject): Kept {
    return {
      now: this.#now(),
      ledger: this.#rows.ledger(account),
      reserved: isGrant ? this.#rows.reserved(account) : 0,
      blocked: 0,
      left: reservation === undefined ? 0 : this.#rows.left(reservation),
      isUnderWay: flight !== undefined && this.#rows.hasFlight(flight),
      ...(isGrant ? this.#rows.others(account, this.#holder) : nobody),
    };
  }

  #write({ account, reservation, flight }: BookingSubject, change: LedgerChange, now: number): number {
    const { booked, left, holds, takesOff, lands, pace } = change;
    if (left !== undefined && reservation !== undefined) this.#rows.leave(reservation, left);
    if (takesOff !== undefined) this.#rows.addFlight(takesOff, account, this.#holder);
    if (lands && flight !== undefined) this.#rows.dropFlight(flight);
    if (pace !== undefined) this.#rows.keepPace(account, this.#holder, pace);
    if (booked) {
      this.#rows.keep(account, booked.ledger);
      this.#rows.tell(account, booked.events);
    }
    if (now - this.#seen >= sayEvery) {
      this.#rows.see(this.#holder, now);
      this.#seen = now;
    }
    return holds === undefined ? 0 : this.#rows.reserve(account, this.#holder, holds);
  }

  /** Looked for outside of the transaction, since others wait for it; who is dead stays dead. */
  #buryTheDead(): void {
    const holders = this.#database.reading(() => this.#rows.holders());
    const latest = this.#now() - longestSilence;
    const dead = holders.filter(({ process, seen }) => !(this.#life.isAlive(process) ?? seen >= latest));
    if (dead.length === 0) return;
    this.#database.transaction(() => {
      for (const { id } of dead) this.#bury(id);
    });
  }

  #bury(holder: number): void {
    const at = this.#now();
    for (const [account, flights] of Map.groupBy(this.#rows.flightsOf(holder), (flight) => flight.account)) {
      const names = flights.map(({ id }) => id);
      const { ledger, events } = bookedAsGone(this.#rows.ledger(account), names, at);
      for (const name of names) this.#rows.dropFlight(name);
      this.#rows.keep(account, ledger);
      this.#rows.tell(account, events);
    }
    this.#rows.dropHolder(holder);
  }
}
