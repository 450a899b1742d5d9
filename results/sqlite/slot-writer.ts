import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ProbeSeries, SlotRecord } from '../probe-record.ts';
import type { ChangedHours } from './changed-hours.ts';
import { SeriesWriter } from './series-rows.ts';
import { cellsOfSample, cellsOfSlot } from './slot-row.ts';

/** Puts slots into their tables. */
export class SlotWriter {
  readonly #series: SeriesWriter;
  readonly #changed: ChangedHours;
  readonly #insert: StatementSync;
  readonly #hasOutcome: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeSamples: StatementSync;
  readonly #sample: StatementSync;

  constructor(database: DatabaseSync, changed: ChangedHours) {
    this.#series = new SeriesWriter(database);
    this.#changed = changed;
    this.#insert = database.prepare(
      'INSERT INTO slots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#sample = database.prepare(
      'INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const one = 'WHERE planned = ? AND series = ?';
    this.#hasOutcome = database.prepare(`SELECT 1 FROM slots ${one} AND outcome IS NOT NULL`);
    this.#remove = database.prepare(`DELETE FROM slots ${one}`);
    this.#removeSamples = database.prepare(`DELETE FROM samples ${one}`);
  }

  /**
   * Each in place of the one that is there; `keepFuller`: not of one that has an outcome where the new one has none.
   * Left out are those whose hour is kept as a roll-up alone: it has counted them already.
   */
  write(slots: readonly SlotRecord[], keepFuller: boolean): void {
    for (const [series, own] of bySeries(slots)) {
      const times = own.map(({ scheduledAt }) => scheduledAt);
      const number = this.#series.reach(series, least(times), -least(times.map((each) => -each)));
      const takes = this.#changed.taker(number);
      for (const slot of own) {
        if (takes(slot.scheduledAt)) this.#put(slot, number, keepFuller);
      }
    }
  }

  #put(slot: SlotRecord, series: number, keepFuller: boolean): void {
    const planned = slot.scheduledAt;
    const cells = cellsOfSlot(slot);
    if (this.#insert.run(planned, series, ...cells).changes === 0) {
      if (keepFuller && slot.outcome === undefined && this.#hasOutcome.get(planned, series)) return;
      this.#remove.run(planned, series);
      this.#removeSamples.run(planned, series);
      this.#insert.run(planned, series, ...cells);
    }
    for (const [number, sample] of slot.samples.entries()) {
      this.#sample.run(planned, series, number, ...cellsOfSample(sample, planned));
    }
  }
}

function bySeries(slots: readonly SlotRecord[]): Iterable<readonly [ProbeSeries, readonly SlotRecord[]]> {
  const groups = new Map<string, [ProbeSeries, SlotRecord[]]>();
  for (const slot of slots) {
    const { target, probe, operation, location, source } = slot.series;
    const name = JSON.stringify([target, probe, operation, location, source]);
    const group = groups.get(name);
    if (group) group[1].push(slot);
    else groups.set(name, [slot.series, [slot]]);
  }
  return groups.values();
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}
