import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { TokenProfile } from '../market/token-list.ts';

/** A token of the list; `price` is its tinybars per whole token at the instant asked for. */
export type StoredToken = TokenProfile & { readonly position: number };

/** The token list, and what each token was worth at the hours when it was priced. */
export class TokenStore {
  readonly #add: StatementSync;
  readonly #price: StatementSync;
  readonly #list: StatementSync;

  constructor(database: DatabaseSync) {
    this.#add = database.prepare('INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#price = database.prepare('INSERT OR REPLACE INTO token_prices VALUES (?, ?, ?)');
    this.#list = database.prepare(`
      SELECT * FROM token_prices JOIN tokens USING (position)
      WHERE t = (SELECT max(t) FROM token_prices WHERE t <= ?) ORDER BY position`);
  }

  add(position: number, token: TokenProfile): void {
    const { id, icon, symbol, decimals, dueDiligenceComplete, isFeeOnTransferToken } = token;
    this.#add.run(position, id, icon, symbol, decimals, +dueDiligenceComplete, +isFeeOnTransferToken);
  }

  keepPrice(t: number, position: number, price: bigint): void {
    this.#price.run(t, position, String(price));
  }

  /** All tokens with their newest prices not after `now` (Unix seconds), in the order of the list. */
  listed(now: number): StoredToken[] {
    return this.#list.all(now).map((row) => ({
      position: Number(row.position),
      id: String(row.id),
      icon: String(row.icon),
      symbol: String(row.symbol),
      decimals: Number(row.decimals),
      price: BigInt(String(row.price)),
      dueDiligenceComplete: row.due_diligence_complete === 1,
      isFeeOnTransferToken: row.is_fee_on_transfer === 1,
    }));
  }
}
