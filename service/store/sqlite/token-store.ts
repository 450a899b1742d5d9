import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { TokenProfile } from '../../market/token-list.ts';
import { ALWAYS, type GivenToken, sameToken } from '../market-change.ts';
import type { StoredToken } from '../market-view.ts';

/** The token list, and what each token was worth at the hours when it was priced. */
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

  keepPrice(t: number, position: number, price: bigint): void {
    this.#price.run(t, position, String(price), null);
  }

  /** Keeps a token under its id; it takes the place of the one that was there, or the last of the list. */
  give(token: GivenToken): 'added' | 'unchanged' | 'corrected' {
    const row = this.#given.get(ALWAYS, token.id);
    const before = row && tokenOf(row);
    if (before && sameToken(before, token)) return 'unchanged';
    const position = before?.position ?? Number(this.#next.get()?.position);
    this.add(position, token);
    this.#price.run(ALWAYS, position, String(token.price), token.priceUsd);
    return before ? 'corrected' : 'added';
  }

  /** All tokens with their newest prices not after `now` (Unix seconds), in the order of the list. */
  listed(now: number): StoredToken[] {
    return this.#list.all(now).map(tokenOf);
  }
}

function tokenOf(row: Record<string, SQLOutputValue>): StoredToken {
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
