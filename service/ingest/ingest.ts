import type { Store } from '../store/store.ts';
import { changeOf, type NumberedRecord } from './batch.ts';
import { type IngestLine, LONGEST_LINE, linesOf } from './lines.ts';
import { RecordReader } from './record.ts';
import { IngestCounts, type IngestReport, NOTHING_YET } from './report.ts';
import { refuseSimulated } from './simulated-store.ts';

export type IngestOptions = {
  /** Lines that are kept or lost together. */
  readonly batchSize?: number;
  /** Refused lines that the report names; all are counted. */
  readonly mostRefusedShown?: number;
  /** Reported after every batch, once its lines cannot be lost any more. */
  readonly onProgress?: (report: IngestReport) => void;
};

const BATCH_SIZE = 50_000;
const MOST_REFUSED_SHOWN = 100;

/**
 * Brings tokens, pools and observations, one JSON object a line (record.schema.json), into the store. The same
 * lines twice change nothing; observations may come late, in any order, and again with other values, which then
 * hold. A line that is refused leaves no trace and stops no other.
 * Throws SimulatedStore, what reading the text throws, or what the database does; whole batches are kept then.
 */
export async function ingest(
  store: Store,
  text: AsyncIterable<string>,
  options: IngestOptions = {},
): Promise<IngestReport> {
  await refuseSimulated(store);
  const ingestion = new Ingestion(store, options);
  for await (const lines of linesOf(text))
    for (const line of lines) if (ingestion.take(line)) await ingestion.finished();
  return ingestion.finished();
}

class Ingestion {
  readonly #reader = new RecordReader();
  readonly #store: Store;
  readonly #options: IngestOptions;
  #report = NOTHING_YET;
  #tally = new IngestCounts();
  #batch: NumberedRecord[] = [];

  constructor(store: Store, options: IngestOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Takes a line; true where a batch is full. */
  take({ number: line, text }: IngestLine): boolean {
    const record = text === undefined ? `is longer than ${LONGEST_LINE} bytes` : this.#reader.read(text);
    if (typeof record === 'string') this.#tally.refuse(line, record);
    else this.#batch.push({ line, record });
    return this.#batch.length >= (this.#options.batchSize ?? BATCH_SIZE);
  }

  /** Keeps what is not kept yet. */
  async finished(): Promise<IngestReport> {
    const counts = await this.#store.change((state) => {
      const refuse = (line: number, reason: string): void => this.#tally.refuse(line, reason);
      return { ...changeOf(this.#batch, state, refuse), facts: { ingested: 1 } };
    });
    this.#tally.noteAll(counts);
    this.#report = this.#tally.onTopOf(this.#report, this.#options.mostRefusedShown ?? MOST_REFUSED_SHOWN);
    this.#tally = new IngestCounts();
    this.#batch = [];
    this.#options.onProgress?.(this.#report);
    return this.#report;
  }
}
