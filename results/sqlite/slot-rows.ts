import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ProbeSeries, SlotRecord } from '../probe-record.ts';
import type { Span } from '../results-store.ts';
import { SampleQueue, type StoredRow } from '../rows/sample-queue.ts';
import { slotOf } from '../rows/slot-row.ts';

/** Slots as the tables `slots` and `samples` hold them. */
export class SlotRows {
  readonly #slots: StatementSync;
  readonly #samples: StatementSync;
  readonly #first: StatementSync;

  constructor(database: DatabaseSync) {
    const read = (table: string, order: string): StatementSync => {
      const statement = database.prepare(
        `SELECT * FROM ${table} WHERE planned >= ? AND planned < ?
         AND series IN (SELECT value FROM json_each(?)) ORDER BY ${order}`,
      );
      statement.setReturnArrays(true);
      return statement;
    };
    this.#slots = read('slots', 'planned, series');
    this.#samples = read('samples', 'planned, series, number');
    this.#first = database.prepare('SELECT min(planned) AS first FROM slots');
  }

  /** Those of the numbered series, in the order of their planned instants. */
  within({ from, to }: Span, numbered: ReadonlyMap<number, ProbeSeries>): SlotRecord[] {
    const wanted = JSON.stringify([...numbered.keys()]);
    const samples = new SampleQueue(
      this.#samples.iterate(from, to, wanted) as unknown as Iterator<StoredRow>,
    );
    const slots: SlotRecord[] = [];
    for (const row of this.#slots.iterate(from, to, wanted) as unknown as Iterable<StoredRow>) {
      const [planned, number, ...cells] = row;
      const series = numbered.get(number);
      const own = samples.of(planned, number);
      if (series) slots.push(slotOf(series, planned, cells, own));
    }
    return slots;
  }

  /** The oldest planned instant. */
  first(): number | undefined {
    const first = this.#first.get()?.first;
    return typeof first === 'number' ? first : undefined;
  }
}
