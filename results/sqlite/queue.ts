import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { QueuedBatch } from '../queued-results.ts';
import type { RecordBatch } from '../results-store.ts';

/** Only a folder that is taken over has these tables: any edition of this layout reads the others. */
const tables = `
CREATE TABLE IF NOT EXISTS queue (number INTEGER PRIMARY KEY AUTOINCREMENT, batch TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS queue_name (name TEXT NOT NULL) STRICT;
`;

/** The queue of a folder; the caller holds a transaction. */
export class Queue {
  readonly folder: string;
  readonly #add: StatementSync;
  readonly #first: StatementSync;
  readonly #remove: StatementSync;
  readonly #undeliver: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(tables);
    database
      .prepare('INSERT INTO queue_name SELECT ? WHERE NOT EXISTS (SELECT 1 FROM queue_name)')
      .run(randomUUID());
    this.folder = String(database.prepare('SELECT name FROM queue_name').get()?.name);
    this.#add = database.prepare('INSERT INTO queue (batch) VALUES (?)');
    this.#first = database.prepare('SELECT number, batch FROM queue ORDER BY number LIMIT ?');
    this.#remove = database.prepare('DELETE FROM queue WHERE number <= ?');
    this.#undeliver = database.prepare('DELETE FROM deliveries WHERE id = ?');
  }

  add(batch: RecordBatch): void {
    this.#add.run(JSON.stringify(batch));
  }

  first(most: number): QueuedBatch[] {
    return this.#first
      .all(most)
      .map(({ number, batch }) => ({ number: Number(number), batch: JSON.parse(String(batch)) }));
  }

  remove(batches: readonly QueuedBatch[]): void {
    for (const { number, batch } of batches) {
      for (const { id } of batch.deliveries ?? []) this.#undeliver.run(id);
      this.#remove.run(number);
    }
  }
}
