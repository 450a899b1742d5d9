import type { LedgerEvent } from '../accounts/ledger-entry.ts';
import { type Booked, expire, type Ledger, newLedger } from '../accounts/ledger-state.ts';
import { LedgerAway, type LedgerDatabase } from './ledger-store.ts';

/**
 * An account as a decision reads it; `now` in Unix ms. `isAway`: the database is; `isLate`: it was when this was decided,
 * and more may follow.
 */
type Kept = {
  readonly ledger: Ledger;
  readonly now: number;
  readonly isAway?: true;
  readonly isLate?: boolean;
};

/** Decides about a change without side effects: another holder's change makes it decide again. */
type Decide<T> = (kept: Kept) => { readonly result: T; readonly booked?: Booked };

/** An event with its ascending number in the account. */
export type NumberedEvent = { readonly serial: number; readonly event: LedgerEvent };

/** The row of an account. `last`: the serial of the newest event. */
type State = { readonly ledger: Ledger; readonly last: number; readonly events: readonly LedgerEvent[] };

const newState: State = { ledger: newLedger, last: 0, events: [] };

/** Most events that are kept for an account. */
const mostEvents = 200;

/** Ms until an unreachable database is tried again. */
const retryEvery = 2000;

/** Called when the database is lost, and when it is back. */
export type WithoutLedger = { onAway(error: LedgerAway): void; onBack(): void };

type BooksOptions = {
  readonly now?: (() => number) | undefined;
  /** Given for a holder that continues without the database. */
  readonly without?: WithoutLedger | undefined;
};

/**
 * A change while the database is away: fails; is made in memory, by the newest state that is known; or is made in memory
 * and again in the database once that is back.
 */
type WhenAway = 'fail' | 'in memory' | 'again later';

/** Changes the accounts of a ledger, which all holders share. */
export class Books {
  readonly #database: LedgerDatabase;
  readonly #statements: ReturnType<typeof makeStatements>;
  readonly #options: BooksOptions;
  readonly #accounts = new Map<string, Account>();
  #retryAt = Number.NEGATIVE_INFINITY;
  #away: LedgerAway | undefined;

  constructor(database: LedgerDatabase, options: BooksOptions) {
    this.#database = database;
    this.#statements = makeStatements(database);
    this.#options = options;
  }

  /** Connects, so that a wrong address is known at once. @throws LedgerUnavailable unless it continues without */
  async open(): Promise<void> {
    const [read] = this.#statements;
    try {
      await this.#database.query(read, ['']);
    } catch (error) {
      const isRefused = error instanceof LedgerAway && error.isRefused;
      if (isRefused || !this.#continuesAfter(error)) throw error;
    }
  }

  /** Changes an account in one statement; changes of this process take turns. @throws LedgerUnavailable */
  change<T>(id: string, decide: Decide<T>, whenAway: WhenAway = 'fail'): Promise<T> {
    const account = this.#account(id);
    const turn = account.turn.then(() => this.#takeTurn(account, decide, whenAway));
    account.turn = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves to the events after a number, oldest first; the oldest are dropped in time. */
  async events(id: string, after: number): Promise<NumberedEvent[]> {
    const account = this.#account(id);
    await this.change(id, () => ({ result: undefined }));
    const { last, events } = account.state;
    return events
      .map((event, index) => ({ serial: last - events.length + 1 + index, event }))
      .filter(({ serial }) => serial > after);
  }

  async close(): Promise<void> {
    for (const { id, later } of this.#accounts.values()) {
      if (later.length > 0) await this.change(id, () => ({ result: undefined })).catch(() => undefined);
    }
    await this.#database.close();
  }

  #account(id: string): Account {
    const fresh = { id, state: newState, clockAhead: 0, later: [], turn: Promise.resolve() };
    const known = this.#accounts.get(id) ?? fresh;
    this.#accounts.set(id, known);
    return known;
  }

  async #takeTurn<T>(account: Account, decide: Decide<T>, whenAway: WhenAway): Promise<T> {
    if (!this.#away || performance.now() >= this.#retryAt) {
      try {
        return await this.#changeRow(account, decide);
      } catch (error) {
        if (!this.#continuesAfter(error)) throw error;
      }
    }
    if (whenAway === 'fail') throw this.#away;
    if (whenAway === 'again later') account.later.push(decide);
    const now = this.#options.now?.() ?? Date.now();
    const { result, booked } = decide({ ledger: expire(account.state.ledger, now), now, isAway: true });
    if (booked) account.state = { ...account.state, ledger: booked.ledger };
    return result;
  }

  /** Returns whether an error means that the database is away for a holder that continues without it. */
  #continuesAfter(error: unknown): error is LedgerAway {
    const { without } = this.#options;
    if (!without || !(error instanceof LedgerAway)) return false;
    this.#retryAt = performance.now() + retryEvery;
    if (!this.#away) without.onAway(error);
    this.#away = error;
    return true;
  }

  /**
   * Decides by the row as this process wrote it last, which is mostly still there, and by the row that is found wherever
   * another holder has changed it since, or where nothing is to be changed.
   */
  async #changeRow<T>(account: Account, decide: Decide<T>): Promise<T> {
    const [, insert, update] = this.#statements;
    for (let isFirst = true; ; isFirst = false) {
      const { text, state: before } = (isFirst && account.written) || (await this.#readRow(account));
      const now = this.#options.now?.() ?? Date.now() + account.clockAhead;
      const { state, result, isChanged } = decideAll(before, account.later, decide, now);
      if (!isChanged && isFirst && account.written) continue;
      if (isChanged) {
        const after = JSON.stringify(state);
        const kept =
          text === undefined
            ? await this.#database.query(insert, [account.id, after])
            : await this.#database.query(update, [after, account.id, text]);
        if (kept.length === 0) continue;
        account.written = { text: after, state };
      }
      account.state = state;
      account.later = [];
      if (this.#away) this.#options.without?.onBack();
      this.#away = undefined;
      return result;
    }
  }

  async #readRow(account: Account): Promise<Row> {
    const [read] = this.#statements;
    const [row] = await this.#database.query(read, [account.id]);
    account.clockAhead = Number(row?.now) - Date.now();
    if (row?.state === null || row?.state === undefined) return { text: undefined, state: newState };
    const text = String(row.state);
    return { text, state: JSON.parse(text) };
  }
}

/** The text of a row, if there is one, and the state in it. */
type Row = { readonly text: string | undefined; readonly state: State };

/** An account in this process: its newest known state, changes that the database lacks, and the last change. */
type Account = {
  readonly id: string;
  state: State;
  /** The row as this process wrote it last. */
  written?: Row;
  /** By how many ms the database's clock was ahead of ours when the row was read last. */
  clockAhead: number;
  later: Decide<unknown>[];
  turn: Promise<unknown>;
};

/** Makes the changes of a time without the database, and then one more. */
function decideAll<T>(
  before: State,
  later: readonly Decide<unknown>[],
  decide: Decide<T>,
  now: number,
): { readonly state: State; readonly result: T; readonly isChanged: boolean } {
  let state: State = { ...before, ledger: expire(before.ledger, now) };
  let isChanged = false;
  const make = <R>(one: Decide<R>, isLate = false): R => {
    const { result, booked } = one({ ledger: state.ledger, now, isLate });
    isChanged ||= booked !== undefined;
    if (booked) {
      const events = [...state.events, ...booked.events].slice(-mostEvents);
      state = { ledger: booked.ledger, last: state.last + booked.events.length, events };
    }
    return result;
  };
  for (const one of later) make(one, true);
  const result = make(decide);
  return { state, result, isChanged };
}

/** Makes the statements that read, insert and update an account. */
function makeStatements({
  clock,
  parameters: [first, second, third],
}: LedgerDatabase): readonly [string, string, string] {
  return [
    `SELECT (SELECT state FROM ledger_account WHERE id = ${first}) AS state, ${clock} AS now`,
    `INSERT INTO ledger_account VALUES (${first}, ${second}) ON CONFLICT DO NOTHING RETURNING id`,
    `UPDATE ledger_account SET state = ${first} WHERE id = ${second} AND state = ${third} RETURNING id`,
  ];
}
