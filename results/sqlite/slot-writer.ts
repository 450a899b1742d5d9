import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SlotRecord } from '../probe-record.ts';
import { bySeries } from '../rows/own-slots.ts';
import { cellsOfSample, cellsOfSlot } from '../rows/slot-row.ts';
import type { ChangedHours } from './changed-hours.ts';
import { SeriesWriter } from './series-rows.ts';

/** Puts slots into their tables. */
export class SlotWriter {
  readonly #series: SeriesWriter;
  readonly #changed: ChangedHours;
  readonly #slot: StatementSync;
  readonly #hasOutcome: StatementSync;
  readonly #removeSamples: StatementSync;
  readonly #sample: StatementSync;

  constructor(database: DatabaseSync, changed: ChangedHours) {
    this.#series = new SeriesWriter(database);
    this.#changed = changed;
    this.#slot = database.prepare('INSERT OR REPLACE INTO slots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#sample = database.prepare(
      'INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const one = 'WHERE planned = ? AND series = ?';
    this.#hasOutcome = database.prepare(`SELECT 1 FROM slots ${one} AND outcome IS NOT NULL`);
    this.#removeSamples = database.prepare(`DELETE FROM samples ${one}`);
  }

  /**
   * Each in place of the one that is there; `keepFuller`: not of one that has an outcome where the new one has none.
   * Left out are those whose hour is kept as a roll-up alone: it has counted them already.
   */
  write(slots: readonly SlotRecord[], keepFuller: boolean): void {
    for (const { series, slots: own, first, last } of bySeries(slots)) {
      const number = this.#series.reach(series, first, last);
      const takes = this.#changed.taker(number);
      for (const slot of own) {
        if (takes(slot.scheduledAt)) this.#put(slot, number, keepFuller);
      }
    }
  }

  #put(slot: SlotRecord, series: number, keepFuller: boolean): void {
    const planned = slot.scheduledAt;
    if (keepFuller && slot.outcome === undefined && this.#hasOutcome.get(planned, series)) return;
    this.#slot.run(planned, series, ...cellsOfSlot(slot));
    this.#removeSamples.run(planned, series);
    for (const [number, sample] of slot.samples.entries()) {
      this.#sample.run(planned, series, number, ...cellsOfSample(sample, planned));
    }
  }
}
