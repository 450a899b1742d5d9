import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { TokenProfile } from '../../market/token-list.ts';
import type { StoredToken } from '../stored-market.ts';
import { ALWAYS, type GivenToken, isSameToken } from '../stored-market.ts';

/** Stores the token list and the prices of its tokens in SQLite. */
export class TokenStore {
  readonly #write: StatementSync;
  readonly #price: StatementSync;
  readonly #list: StatementSync;
  readonly #given: StatementSync;
  readonly #next: StatementSync;

  constructor(database: DatabaseSync) {
    this.#write = database.prepare('INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#price = database.prepare('INSERT OR REPLACE INTO token_prices VALUES (?, ?, ?, ?)');
    this.#list = database.prepare(`
      SELECT * FROM token_prices JOIN tokens USING (position)
      WHERE t = (SELECT max(t) FROM token_prices WHERE t <= ?) ORDER BY position`);
    this.#given = database.prepare(
      'SELECT * FROM token_prices JOIN tokens USING (position) WHERE t = ? AND id = ?',
    );
    this.#next = database.prepare('SELECT coalesce(max(position) + 1, 0) AS position FROM tokens');
  }

  add(position: number, token: TokenProfile): void {
    const { id, icon, symbol, decimals, dueDiligenceComplete, isFeeOnTransferToken } = token;
    this.#write.run(position, id, icon, symbol, decimals, +dueDiligenceComplete, +isFeeOnTransferToken);
  }

  writePrice(t: number, position: number, price: bigint): void {
    this.#price.run(t, position, String(price), null);
  }

  /** Writes an ingested token: replaces the one with the same id, or appends it to the list. */
  writeGiven(token: GivenToken): 'added' | 'unchanged' | 'corrected' {
    const row = this.#given.get(ALWAYS, token.id);
    const before = row && toToken(row);
    if (before && isSameToken(before, token)) return 'unchanged';
    const position = before?.position ?? Number(this.#next.get()?.position);
    this.add(position, token);
    this.#price.run(ALWAYS, position, String(token.price), token.priceUsd);
    return before ? 'corrected' : 'added';
  }

  /** Returns all tokens with their newest prices not after `now` (Unix seconds), in list order. */
  listed(now: number): StoredToken[] {
    return this.#list.all(now).map(toToken);
  }
}

function toToken(row: Record<string, SQLOutputValue>): StoredToken {
  return {
    position: Number(row.position),
    id: String(row.id),
    icon: String(row.icon),
    symbol: String(row.symbol),
    decimals: Number(row.decimals),
    price: BigInt(String(row.price)),
    ...(row.price_usd === null ? {} : { priceUsd: Number(row.price_usd) }),
    dueDiligenceComplete: row.due_diligence_complete === 1,
    isFeeOnTransferToken: row.is_fee_on_transfer === 1,
  };
}
