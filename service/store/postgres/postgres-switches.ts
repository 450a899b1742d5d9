import type { PostgresDatabase } from '../../../postgres/postgres-database.ts';
import type { Switches } from '../store.ts';
import { noticed } from './channel.ts';

const name = 'faults';

/** What the operator switched, in a row that all processes read. */
export class PostgresSwitches implements Switches {
  readonly #database: PostgresDatabase;
  readonly #heard: (() => void)[] = [];

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
      await noticed(query, 'switches');
    });
  }

  onChange(changed: () => void): void {
    this.#heard.push(changed);
  }

  /** A notice came, or some may have been missed. */
  changed(): void {
    for (const each of this.#heard) each();
  }
}
