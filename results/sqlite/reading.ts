import type { DatabaseSync } from 'node:sqlite';
import type { ResultsReader } from '../results-store.ts';
import { inSnapshot, inStatement } from './database.ts';
import { Occurrences } from './occurrences.ts';
import { RollUps } from './roll-ups.ts';
import { SeriesRows } from './series-rows.ts';
import { sizeOf } from './size.ts';
import { SlotRows } from './slot-rows.ts';
import { StandingRows } from './standing.ts';

/** What can be requested from an open database, each answer of one instant, even while others write; closing closes it. */
export function readerOf(database: DatabaseSync): ResultsReader {
  const series = new SeriesRows(database);
  const slots = new SlotRows(database);
  const rollUps = new RollUps(database);
  const occurrences = new Occurrences(database);
  const standing = new StandingRows(database);
  const read = async <T>(work: () => T): Promise<T> => inSnapshot(database, work);
  const readOnce = async <T>(work: () => T): Promise<T> => inStatement(database, work);
  return {
    series: () => read(() => [...series.numbered().values()]),
    slots: (span, of) => read(() => slots.within(span, series.numbered(of))),
    hours: (span) => read(() => rollUps.hoursWithin(span, series.numbered())),
    days: (span) => read(() => rollUps.daysWithin(span, series.numbered())),
    events: (span, kinds) => read(() => occurrences.events(span, kinds)),
    incidents: (span) => read(() => occurrences.incidents(span)),
    openIncidents: () => read(() => occurrences.openIncidents()),
    quotas: (span) => read(() => occurrences.quotas(span)),
    pins: (target, pool, interval, starts) => readOnce(() => standing.pins(target, pool, interval, starts)),
    dueDeliveries: (now) => readOnce(() => standing.dueDeliveries(now)),
    state: (name) => readOnce(() => standing.state(name)),
    extent: () => read(() => series.extent()),
    extents: () => read(() => series.extents()),
    size: () => read(() => sizeOf(database, series, slots, rollUps)),
    close: async () => database.close(),
  };
}
