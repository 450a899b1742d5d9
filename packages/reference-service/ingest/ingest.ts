import type { Store } from '../store/store.ts';
import { type ChangeCounts, type HeldMonth, SAMPLES_FROM } from '../store/stored-market.ts';
import { buildChange, type NumberedRecord } from './batch.ts';
import { type IngestLine, LONGEST_LINE, RecordReader, splitLines } from './lines.ts';

export type IngestOptions = {
  /** Number of lines that are written together. */
  readonly batchSize?: number;
  /** Maximum number of refused lines in the report. All are counted. */
  readonly mostRefusedShown?: number;
  /** Called after every batch, once it is durable. */
  readonly onProgress?: (report: IngestReport) => void;
};

const BATCH_SIZE = 50_000;
const MOST_REFUSED_SHOWN = 100;

/**
 * Ingests tokens, pools and observations, one JSON object a line (record.schema.json). Repeated lines change nothing.
 * Observations may come late, in any order, and again with corrected values. A refused line does not affect others.
 * Throws SimulatedStore, or what the text or the database throws; complete batches are kept.
 */
export async function ingest(
  store: Store,
  text: AsyncIterable<string>,
  options: IngestOptions = {},
): Promise<IngestReport> {
  await refuseSimulated(store);
  const ingestion = new Ingestion(store, options);
  for await (const lines of splitLines(text))
    for (const line of lines) if (ingestion.take(line)) await ingestion.flush();
  return ingestion.flush();
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

  /** Adds a line. Returns true when the batch is full. */
  take({ number: line, text }: IngestLine): boolean {
    const record = text === undefined ? `is longer than ${LONGEST_LINE} bytes` : this.#reader.read(text);
    if (typeof record === 'string') this.#tally.refuse(line, record);
    else this.#batch.push({ line, record });
    return this.#batch.length >= (this.#options.batchSize ?? BATCH_SIZE);
  }

  /** Writes the current batch. */
  async flush(): Promise<IngestReport> {
    const counts = await this.#store.change((state) => {
      const refuse = (line: number, reason: string): void => this.#tally.refuse(line, reason);
      return { ...buildChange(this.#batch, state, refuse), facts: { ingested: 1 } };
    });
    this.#tally.count(counts);
    this.#report = this.#tally.addTo(this.#report, this.#options.mostRefusedShown ?? MOST_REFUSED_SHOWN);
    this.#tally = new IngestCounts();
    this.#batch = [];
    this.#options.onProgress?.(this.#report);
    return this.#report;
  }
}

/** Thrown for a store with a simulated market, into which no data can be ingested. */
export class SimulatedStore extends Error {
  override readonly name = 'SimulatedStore';
}

/** Throws SimulatedStore for a store with a simulated market. */
async function refuseSimulated(store: Store): Promise<void> {
  if (!(await store.state()).facts.has('seed')) return;
  throw new SimulatedStore(
    'The store holds a simulated market: bring your own data into an empty data folder.',
  );
}

/** The months whose observations are dropped, or would be. */
export type DroppedMonths = { readonly months: readonly HeldMonth[]; readonly isDone: boolean };

/**
 * Permanently drops the observations before a time (Unix seconds), the start of a month in UTC. Their candles stay, and
 * later lines of those months are refused. A trial drops nothing. Throws SimulatedStore, or what the database throws.
 */
export async function dropBefore(store: Store, instant: number, isTrial: boolean): Promise<DroppedMonths> {
  await refuseSimulated(store);
  const months = await store.listMonthsBefore(instant);
  if (isTrial) return { months, isDone: false };
  await store.change(({ facts }) => {
    const from = Math.max(instant, facts.get(SAMPLES_FROM) ?? instant);
    return { dropBefore: instant, facts: { [SAMPLES_FROM]: from } };
  });
  return { months, isDone: true };
}

/** A refused line with the reason; lines are counted from 1. */
type RefusedLine = { readonly line: number; readonly reason: string };

/** Counts of lines by outcome. New lines are accepted. Every non-blank line counts once. */
export type IngestReport = {
  readonly accepted: { readonly tokens: number; readonly pools: number; readonly observations: number };
  /** Lines that repeat stored values. */
  readonly unchanged: number;
  /** Lines that replace stored values. */
  readonly corrected: number;
  readonly refused: {
    readonly count: number;
    /** The first refused lines, up to the requested number. */
    readonly lines: readonly RefusedLine[];
  };
};
type Kind = keyof IngestReport['accepted'];
const KINDS = ['tokens', 'pools', 'observations'] as const satisfies Kind[];

/** Counts lines by outcome. */
class IngestCounts {
  readonly #accepted: Record<Kind, number> = { tokens: 0, pools: 0, observations: 0 };
  readonly #refused: RefusedLine[] = [];
  #unchanged = 0;
  #corrected = 0;

  count(counts: ChangeCounts): void {
    for (const kind of KINDS) {
      this.#accepted[kind] += counts[kind].added;
      this.#unchanged += counts[kind].unchanged;
      this.#corrected += counts[kind].corrected;
    }
  }

  refuse(line: number, reason: string): void {
    this.#refused.push({ line, reason });
  }

  /** Adds the counts to an earlier report. Keeps at most `most` refused lines. */
  addTo(earlier: IngestReport, most: number): IngestReport {
    const { accepted, unchanged, corrected, refused } = earlier;
    const recent = this.#refused.toSorted((a, b) => a.line - b.line);
    return {
      accepted: {
        tokens: accepted.tokens + this.#accepted.tokens,
        pools: accepted.pools + this.#accepted.pools,
        observations: accepted.observations + this.#accepted.observations,
      },
      unchanged: unchanged + this.#unchanged,
      corrected: corrected + this.#corrected,
      refused: { count: refused.count + recent.length, lines: [...refused.lines, ...recent].slice(0, most) },
    };
  }
}

/** The report before the first line. */
const NOTHING_YET: IngestReport = {
  accepted: { tokens: 0, pools: 0, observations: 0 },
  unchanged: 0,
  corrected: 0,
  refused: { count: 0, lines: [] },
};
