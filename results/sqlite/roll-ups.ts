import type { DatabaseSync } from 'node:sqlite';
import { day } from '../calendar.ts';
import type { HourRecord } from '../hour-record.ts';
import type { Span } from '../results-store.ts';
import {
  daysFrom,
  hoursFrom,
  inOrder,
  type NumberedSeries,
  piecesOf,
  type RollUpPlace,
  seriesAt,
} from '../rows/roll-up-places.ts';
import { RollUpRows } from './roll-up-rows.ts';
import { SlotRows } from './slot-rows.ts';

/** Hours and days as they are now: what was rolled up, and what was not computed from its slots. */
export class RollUps {
  readonly hours: RollUpRows;
  readonly days: RollUpRows;
  readonly #slots: SlotRows;

  constructor(database: DatabaseSync) {
    this.hours = new RollUpRows(database, 'hours');
    this.days = new RollUpRows(database, 'days');
    this.#slots = new SlotRows(database);
  }

  hoursWithin(span: Span, numbered: NumberedSeries): HourRecord[] {
    const made = this.makeHours(this.hours.changed(span), numbered);
    return inOrder([...this.hours.within(span, numbered), ...made], numbered);
  }

  daysWithin(span: Span, numbered: NumberedSeries): HourRecord[] {
    const made = this.makeDays(this.days.changed(span), numbered);
    return inOrder([...this.days.within(span, numbered), ...made], numbered);
  }

  /** From the slots, which are read a day at a time. */
  makeHours(all: readonly RollUpPlace[], numbered: NumberedSeries): HourRecord[] {
    const { length } = this.hours;
    return piecesOf(all, length).flatMap(({ span, places }) =>
      hoursFrom(this.#slots.within(span, seriesAt(places, numbered)), places, length, numbered),
    );
  }

  /** From the hours, which are made where they have to. */
  makeDays(all: readonly RollUpPlace[], numbered: NumberedSeries): HourRecord[] {
    return piecesOf(all, day).flatMap(({ span, places }) =>
      daysFrom(this.hoursWithin(span, seriesAt(places, numbered)), span.from),
    );
  }
}
