import type { DatabaseSync } from 'node:sqlite';
import type { RecordBatch } from '../results-store.ts';
import { ChangedHours } from './changed-hours.ts';
import { OccurrenceWriter } from './occurrences.ts';
import { RollingUp } from './rolling-up.ts';
import { SlotWriter } from './slot-writer.ts';
import { StandingWriter } from './standing.ts';

/** Writes batches; the caller holds a transaction. */
export class BatchWriter {
  readonly #slots: SlotWriter;
  readonly #rollingUp: RollingUp;
  readonly #occurrences: OccurrenceWriter;
  readonly #standing: StandingWriter;

  constructor(database: DatabaseSync) {
    this.#slots = new SlotWriter(database, new ChangedHours(database));
    this.#rollingUp = new RollingUp(database);
    this.#occurrences = new OccurrenceWriter(database);
    this.#standing = new StandingWriter(database);
  }

  /** `keepFuller`: what is there already and tells more of a slot or an incident stays. */
  write(batch: RecordBatch, keepFuller = false): void {
    const { slots = [] } = batch;
    this.#slots.write(slots, keepFuller);
    this.#rollingUp.follow(slots);
    for (const each of batch.events ?? []) this.#occurrences.event(each);
    for (const each of batch.incidents ?? []) this.#occurrences.incident(each, keepFuller);
    for (const each of batch.quotas ?? []) this.#occurrences.quota(each);
    for (const each of batch.unpinned ?? []) this.#standing.unpin(each);
    for (const each of batch.pins ?? []) this.#standing.pin(each);
    for (const each of batch.deliveries ?? []) this.#standing.deliver(each);
    for (const each of batch.delivered ?? []) this.#standing.delivered(each);
    for (const [name, value] of Object.entries(batch.states ?? {})) this.#standing.state(name, value);
  }
}
