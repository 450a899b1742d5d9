import type { PostgresDatabase, PostgresQuery } from '@candleproof/postgres/postgres-database';
import type { Switches } from '../store.ts';

const name = 'faults';

/** Stores the operator's switches in a row that all processes read. */
export class PostgresSwitches implements Switches {
  readonly #database: PostgresDatabase;
  readonly #listeners: (() => void)[] = [];

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async read(): Promise<readonly string[] | undefined> {
    const rows = await this.#database.query(
      'SELECT jsonb_array_elements_text(names) AS one FROM service.switches WHERE name = $1',
      [name],
    );
    if (rows.length > 0) return rows.map(({ one }) => String(one));
    const [switched] = await this.#database.query('SELECT FROM service.switches WHERE name = $1', [name]);
    return switched && [];
  }

  async write(names: readonly string[]): Promise<void> {
    await this.#database.transaction(async (query) => {
      await query(
        'INSERT INTO service.switches VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET names = excluded.names',
        [name, JSON.stringify(names)],
      );
      await announceChange(query, 'switches');
    });
  }

  onChange(changed: () => void): void {
    this.#listeners.push(changed);
  }

  /** Reports a notice, or that notices may have been missed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The channel on which the processes of one store notify one another of changes. */
export const CHANNEL = 'candleproof_service';

/** The kind of data that changed. */
export type ChangeKind = 'market' | 'keys' | 'switches';

/** Notifies all processes of a change when its transaction commits. */
export async function announceChange(query: PostgresQuery, changed: ChangeKind): Promise<void> {
  await query('SELECT pg_notify($1, $2)', [CHANNEL, changed]);
}
