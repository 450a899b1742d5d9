import type { LedgerEvent } from '../accounts/ledger-entry.ts';
import { expire } from '../accounts/ledger-state.ts';
import { type AccountState, type Decide, decideAll, newState } from './decision.ts';
import { LedgerAway, type LedgerDatabase } from './ledger-store.ts';

/** An event with its ascending number in the account. */
export type NumberedEvent = { readonly serial: number; readonly event: LedgerEvent };

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
 * The treatment of a change while the database is away.
 *
 * - fail: it throws LedgerAway. Example: a command that reserves requests even beyond the month.
 * - in memory: it is made over the newest state that this process knows, and lost once the database is back, whose row
 *   replaces that state. Example: a reservation, since its end books what was sent.
 * - again later: it is made in memory, and again over the row once the database is back. Example: the end of a reservation.
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

  /**
   * Changes an account: reads its row, decides, and writes the new row if nobody has changed the old one since; otherwise
   * it reads and decides again. Changes of this process take turns. @throws LedgerUnavailable
   */
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

  /**
   * Makes the changes that wait for the database, if it is back, and disconnects. Those that fail are lost and no error:
   * nothing is left to do about them. A reservation in the row that is never ended counts as sent after a minute, and the
   * counters in the next answer show what was sent without one.
   */
  async close(): Promise<void> {
    for (const { id, pendingReplays } of this.#accounts.values()) {
      if (pendingReplays.length > 0)
        await this.change(id, () => ({ result: undefined })).catch(() => undefined);
    }
    await this.#database.close();
  }

  #account(id: string): Account {
    const fresh = { id, state: newState, clockAhead: 0, pendingReplays: [], turn: Promise.resolve() };
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
    if (whenAway === 'again later') account.pendingReplays.push(decide);
    const now = this.#options.now?.() ?? Date.now();
    const { result, change } = decide({ ledger: expire(account.state.ledger, now), now, isAway: true });
    if (change) account.state = { ...account.state, ledger: change.ledger };
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
   * Makes the pending replays and one more change, by compare and swap. The first try saves a read: it starts from the row
   * as this process wrote it last. Further tries read the row: after another process has changed it, which the swap notices,
   * and when there is nothing to write, since then no swap notices it.
   */
  async #changeRow<T>(account: Account, decide: Decide<T>): Promise<T> {
    const [, insert, update] = this.#statements;
    for (let isFirst = true; ; isFirst = false) {
      const { text, state: before } = (isFirst && account.written) || (await this.#readRow(account));
      const now = this.#options.now?.() ?? Date.now() + account.clockAhead;
      const { state, result, isChanged } = decideAll(before, account.pendingReplays, decide, now);
      if (!isChanged && isFirst && account.written) continue;
      if (isChanged) {
        const after = JSON.stringify(state);
        const writtenRows =
          text === undefined
            ? await this.#database.query(insert, [account.id, after])
            : await this.#database.query(update, [after, account.id, text]);
        if (writtenRows.length === 0) continue;
        account.written = { text: after, state };
      }
      account.state = state;
      account.pendingReplays = [];
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
type Row = { readonly text: string | undefined; readonly state: AccountState };

/** An account in this process. */
type Account = {
  readonly id: string;
  /** The newest state that is known: of the row, or, while the database is away, with changes made in memory. */
  state: AccountState;
  /** The row as this process wrote it last. */
  written?: Row;
  /** By how many ms the database's clock was ahead of ours when the row was read last. */
  clockAhead: number;
  /** Changes that were made in memory and that the row still lacks, oldest first. */
  pendingReplays: Decide<unknown>[];
  /** Resolves once the last change that was requested is made or has failed. */
  turn: Promise<unknown>;
};

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
