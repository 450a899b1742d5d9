import type { RecordBatch, ResultsStore } from './results-store.ts';

/** A batch in the order in which it was written; no number comes twice in one folder. */
export type QueuedBatch = { readonly number: number; readonly batch: RecordBatch };

/** A folder's store whose batches another store takes over, sooner or later. */
export type QueuedResults = ResultsStore & {
  /** Name of the folder's queue, of no other one. */
  readonly folder: string;
  /** Writes one batch here, and leaves the other for the other store, in one transaction. */
  queue(batch: RecordBatch, queued: RecordBatch): Promise<void>;
  /** The oldest, at most so many. */
  queued(most: number): Promise<readonly QueuedBatch[]>;
  /** Forgets what the other store has; its outbox is the other store's from now on. */
  taken(batches: readonly QueuedBatch[]): Promise<void>;
};
