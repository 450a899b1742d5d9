import { day, hour, roundToBegin } from '../calendar.ts';
import type { HourRecord } from '../hour-record.ts';
import type { ProbeSeries } from '../probe-record.ts';
import type { ResultsReader, Span, StoreSize } from '../results-store.ts';
import type { DatabaseConnection, ReadableDatabase } from './database.ts';
import { PinReader, readDueDeliveries, readState } from './monitor-state.ts';
import { readExtent, readExtents, readSeriesNumbers } from './series.ts';
import { readEvents, readIncidents, readOpenIncidents, readQuotas } from './stored-occurrences.ts';
import { readRollUps } from './stored-roll-ups.ts';
import { firstSlot, readSlots } from './stored-slots.ts';

/** Returns a reader of a database, each answer of one instant, even while others write; closing it closes the database. */
export function openReader(database: ReadableDatabase): ResultsReader {
  const pins = new PinReader();
  const rollUps = (
    table: 'hours' | 'days',
    span: Span,
    of?: Partial<ProbeSeries>,
  ): Promise<readonly HourRecord[]> =>
    database.snapshot(async (connection) => {
      const numbered = await readSeriesNumbers(connection, of);
      if (!of) return readRollUps(connection, table, wholeSpan(span), numbered);
      const extents = await readExtents(connection, of);
      const from = Math.max(span.from, Math.min(...extents.map((extent) => roundToBegin(extent.from, day))));
      const to = Math.min(span.to, Math.max(...extents.map((extent) => roundToBegin(extent.to, day) + day)));
      return from < to ? readRollUps(connection, table, wholeSpan({ from, to }), numbered, true) : [];
    });
  return {
    series: async () => [...(await readSeriesNumbers(database)).values()],
    slots: (span, of) =>
      database.snapshot(async (connection) =>
        readSlots(connection, wholeSpan(span), await readSeriesNumbers(connection, of)),
      ),
    hours: (span, of) => rollUps('hours', span, of),
    days: (span, of) => rollUps('days', span, of),
    events: (span, kinds) => readEvents(database, wholeSpan(span), kinds),
    incidents: (span, target) => readIncidents(database, wholeSpan(span), target),
    openIncidents: () => readOpenIncidents(database),
    quotas: (span) => readQuotas(database, wholeSpan(span)),
    pins: (target, pool, interval, starts) =>
      pins.read(database, { target, pool, interval }, wholeSpan(starts)),
    dueDeliveries: (now) => readDueDeliveries(database, now),
    state: (name) => readState(database, name),
    extent: () => readExtent(database),
    extents: (of) => readExtents(database, of),
    size: () => database.snapshot(readSize),
    close: () => database.close(),
  };
}

/** Days at the end of the watched time whose rate is the present one. */
const recentDays = 7;

async function readSize(connection: DatabaseConnection): Promise<StoreSize> {
  const [[bytes, freeBytes] = []] = await connection.query(({ selectBytes }) => selectBytes);
  const numbered = await readSeriesNumbers(connection);
  const extent = await readExtent(connection);
  const first = await firstSlot(connection);
  const span = extent && recentSpan(extent);
  return {
    ...{ bytes: Number(bytes), freeBytes: Number(freeBytes) },
    firstSlot: first,
    series: numbered.size,
    ...(span
      ? recentRate(await readRollUps(connection, 'hours', span, numbered), span)
      : { slotsPerDay: 0, requestsPerDay: 0 }),
  };
}

/** Returns the time whose hours make the present rate. */
function recentSpan(extent: Span): Span {
  const to = roundToBegin(extent.to, hour) + hour;
  return { from: Math.max(roundToBegin(extent.from, hour), to - recentDays * day), to };
}

function recentRate(
  hours: readonly HourRecord[],
  { from, to }: Span,
): Pick<StoreSize, 'slotsPerDay' | 'requestsPerDay'> {
  const slots = hours.flatMap(({ states }) => Object.values(states)).reduce((a, b) => a + b, 0);
  const requests = hours.reduce((sum, record) => sum + record.requests, 0);
  const days = (to - from) / day;
  return { slotsPerDay: slots / days, requestsPerDay: requests / days };
}

/** Returns a span in whole ms that holds the same instants, for columns of whole numbers. */
function wholeSpan({ from, to }: Span): Span {
  const roundUp = (at: number): number =>
    Math.ceil(Math.min(Math.max(at, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER));
  return { from: roundUp(from), to: roundUp(to) };
}
