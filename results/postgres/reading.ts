import type { PostgresDatabase, PostgresQuery } from '../../postgres/postgres-database.ts';
import type { ResultsReader, StoreSize } from '../results-store.ts';
import { rateOf, recentSpan } from '../rows/present-rate.ts';
import { wholeSpan } from './columns.ts';
import { dueDeliveries } from './deliveries.ts';
import { eventsWithin, incidentsWithin, openIncidents, quotasWithin } from './occurrences.ts';
import { rollUpsWithin } from './roll-ups.ts';
import { extentOf, extentsOf, numberedSeries } from './series-rows.ts';
import { firstSlot, slotsWithin } from './slot-rows.ts';
import { pinsWithin, readState } from './standing.ts';

/** What can be requested from a database, each answer of one instant, even while others write; closing closes it. */
export function readerOf(database: PostgresDatabase): ResultsReader {
  const read = <T>(work: (query: PostgresQuery) => Promise<T>): Promise<T> =>
    database.transaction(async (query) => {
      await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return work(query);
    });
  return {
    series: () => read(async (query) => [...(await numberedSeries(query)).values()]),
    slots: (span, of) =>
      read(async (query) => slotsWithin(query, wholeSpan(span), await numberedSeries(query, of))),
    hours: (span) =>
      read(async (query) => rollUpsWithin(query, 'hours', wholeSpan(span), await numberedSeries(query))),
    days: (span) =>
      read(async (query) => rollUpsWithin(query, 'days', wholeSpan(span), await numberedSeries(query))),
    events: (span, kinds) => eventsWithin(database.query, wholeSpan(span), kinds),
    incidents: (span) => incidentsWithin(database.query, wholeSpan(span)),
    openIncidents: () => openIncidents(database.query),
    quotas: (span) => quotasWithin(database.query, wholeSpan(span)),
    pins: (target, pool, interval, starts) =>
      pinsWithin(database.query, { target, pool, interval }, wholeSpan(starts)),
    dueDeliveries: (now) => dueDeliveries(database.query, now),
    state: (name) => readState(database.query, name),
    extent: () => extentOf(database.query),
    extents: () => extentsOf(database.query),
    size: () => read(sizeOf),
    close: () => database.close(),
  };
}

const bytes = `
  SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = 'results' AND c.relkind = 'r'`;

async function sizeOf(query: PostgresQuery): Promise<StoreSize> {
  const [row] = await query(bytes);
  const [numbered, extent, first] = [
    await numberedSeries(query),
    await extentOf(query),
    await firstSlot(query),
  ];
  const span = extent && recentSpan(extent);
  return {
    ...{ bytes: Number(row?.bytes), freeBytes: 0, series: numbered.size },
    ...(first !== undefined && { firstSlot: first }),
    ...(span
      ? rateOf(await rollUpsWithin(query, 'hours', span, numbered), span)
      : { slotsPerDay: 0, requestsPerDay: 0 }),
  };
}
