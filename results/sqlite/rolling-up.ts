import type { DatabaseSync } from 'node:sqlite';
import { beginOf, day } from '../calendar.ts';
import type { HourRecord } from '../hour-record.ts';
import type { SlotRecord } from '../probe-record.ts';
import { daysToFollow, newestOf } from '../rows/own-slots.ts';
import type { NumberedSeries, RollUpPlace } from '../rows/roll-up-places.ts';
import { type RollUpRows, RollUpWriter } from './roll-up-rows.ts';
import { RollUps } from './roll-ups.ts';
import { SeriesRows } from './series-rows.ts';

/** Sums hours and days up once they are over, a UTC day at a time; the caller holds a transaction around each. */
export class RollingUp {
  readonly #series: SeriesRows;
  readonly #rollUps: RollUps;
  readonly #hours: RollUpWriter;
  readonly #days: RollUpWriter;

  constructor(database: DatabaseSync) {
    this.#series = new SeriesRows(database);
    this.#rollUps = new RollUps(database);
    this.#hours = new RollUpWriter(database, 'hours');
    this.#days = new RollUpWriter(database, 'days');
  }

  /** Sums up what was over when the newest of these slots, which were just written, was due. */
  follow(slots: readonly SlotRecord[]): void {
    const now = newestOf(slots);
    for (let left = daysToFollow(slots); left > 0 && this.next(now); left--);
  }

  /** Sums up the oldest day that has something to sum up and was over at `now`; false where there was none. */
  next(now: number): boolean {
    const { hours, days } = this.#rollUps;
    const first = hours.firstChanged(now) ?? days.firstChanged(now);
    if (first === undefined) return false;
    const from = beginOf(first, day);
    const numbered = this.#series.numbered();
    const closed = changedBefore(hours, from, now);
    put(this.#hours, this.#rollUps.makeHours(closed, numbered), numbered);
    this.#hours.settle(closed);
    const over = changedBefore(days, from, now);
    put(this.#days, this.#rollUps.makeDays(over, numbered), numbered);
    this.#days.settle(over);
    return true;
  }
}

/** Returns the places of the UTC day that begins at `from`. */
function changedBefore(rows: RollUpRows, from: number, now: number): RollUpPlace[] {
  const places = rows.changed({ from, to: from + day });
  return places.filter(({ begin }) => begin >= from && begin + rows.length <= now);
}

function put(writer: RollUpWriter, records: readonly HourRecord[], numbered: NumberedSeries): void {
  const numbers = new Map([...numbered].map(([number, series]) => [series, number]));
  for (const record of records) writer.put(numbers.get(record.series) ?? 0, record);
}
