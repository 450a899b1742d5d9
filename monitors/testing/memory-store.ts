import { day, hour, roundToBegin } from '../results/calendar.ts';
import type { HourRecord } from '../results/hour-record.ts';
import { rollUpSlots } from '../results/hour-record.ts';
import type { ProbeSeries, SlotRecord } from '../results/probe-record.ts';
import type { PinRecord, RecordBatch, ResultsStore, Span } from '../results/results-store.ts';

/** Everything a store holds, as JSON would: what goes in and what comes out are copies. */
type Held = {
  slots: Map<string, SlotRecord>;
  events: NonNullable<RecordBatch['events']>;
  incidents: Map<string, NonNullable<RecordBatch['incidents']>[number]>;
  quotas: NonNullable<RecordBatch['quotas']>;
  pins: Map<string, PinRecord>;
  deliveries: Map<string, NonNullable<RecordBatch['deliveries']>[number]>;
  states: Map<string, string>;
};

/** A results store for tests; `outbox` lists the messages that no sink has taken yet, due or not. */
export type MemoryStore = ResultsStore & { readonly outbox: () => readonly string[] };

/** Returns a store that keeps everything in memory. */
export function memoryStore(): MemoryStore {
  const held: Held = {
    slots: new Map(),
    events: [],
    incidents: new Map(),
    quotas: [],
    pins: new Map(),
    deliveries: new Map(),
    states: new Map(),
  };
  const allSlots = (): SlotRecord[] =>
    [...held.slots.values()].toSorted((one, other) => one.scheduledAt - other.scheduledAt);
  return {
    outbox: () => [...held.deliveries.keys()],
    record: async (batch) => write(held, copy(batch)),
    merge: async (batches) => {
      const whole = await Array.fromAsync(batches);
      for (const recordBatch of whole) write(held, withFullerSlots(held, copy(recordBatch)));
    },
    series: async () => [...new Map(allSlots().map(({ series }) => [seriesKey(series), series])).values()],
    slots: async (span, of = {}) =>
      copy(
        allSlots().filter(({ series, scheduledAt }) => isWithin(span, scheduledAt) && matches(series, of)),
      ),
    hours: async (span) => rollUpStored(allSlots(), span, hour),
    days: async (span) => rollUpStored(allSlots(), span, day),
    events: async (span, kinds) =>
      copy(held.events.filter(({ at, kind }) => isWithin(span, at) && (kinds?.includes(kind) ?? true))),
    incidents: async ({ from, to }) =>
      copy(
        [...held.incidents.values()].filter(
          ({ begin, end }) => begin < to && (end ?? Number.POSITIVE_INFINITY) > from,
        ),
      ),
    openIncidents: async () => copy([...held.incidents.values()].filter(({ end }) => end === undefined)),
    quotas: async (span) => copy(held.quotas.filter(({ at }) => isWithin(span, at))),
    pins: async (target, pool, interval, starts) =>
      copy(
        [...held.pins.values()].filter(
          (pin) =>
            pin.target === target &&
            pin.pool === pool &&
            pin.interval === interval &&
            isWithin(starts, pin.start),
        ),
      ),
    dueDeliveries: async (now) =>
      copy(
        [...held.deliveries.values()]
          .filter(({ dueAt }) => dueAt <= now)
          .toSorted((one, other) => one.dueAt - other.dueAt),
      ),
    state: async (name) => {
      const text = held.states.get(name);
      return text === undefined ? undefined : JSON.parse(text);
    },
    extent: async () => {
      const slots = allSlots();
      const [first, last] = [slots.at(0), slots.at(-1)];
      return first && last && { from: first.scheduledAt, to: last.scheduledAt };
    },
    extents: async () =>
      [...Map.groupBy(allSlots(), ({ series }) => seriesKey(series)).values()].flatMap((slots) => {
        const [first, last] = [slots.at(0), slots.at(-1)];
        return first && last ? [{ series: first.series, from: first.scheduledAt, to: last.scheduledAt }] : [];
      }),
    size: async () => ({ bytes: 0, freeBytes: 0, series: 0, slotsPerDay: 0, requestsPerDay: 0 }),
    tidy: async () => undefined,
    close: async () => undefined,
  };
}

function write(held: Held, batch: RecordBatch): void {
  for (const slot of batch.slots ?? []) held.slots.set(`${seriesKey(slot.series)}/${slot.scheduledAt}`, slot);
  held.events = [...held.events, ...(batch.events ?? [])];
  for (const incident of batch.incidents ?? []) held.incidents.set(incident.id, incident);
  held.quotas = [...held.quotas, ...(batch.quotas ?? [])];
  for (const [key, { target }] of held.pins) if (batch.unpinned?.includes(target)) held.pins.delete(key);
  for (const pin of batch.pins ?? [])
    held.pins.set([pin.target, pin.pool, pin.interval, pin.start].join('/'), pin);
  for (const delivery of batch.deliveries ?? []) held.deliveries.set(delivery.id, delivery);
  for (const delivery of batch.postponed ?? [])
    if (held.deliveries.has(delivery.id)) held.deliveries.set(delivery.id, delivery);
  for (const id of batch.delivered ?? []) held.deliveries.delete(id);
  for (const [name, state] of Object.entries(batch.states ?? {}))
    if (state === null) held.states.delete(name);
    else held.states.set(name, JSON.stringify(state));
}

/** Without what is known to have gone on further. */
function withFullerSlots(held: Held, batch: RecordBatch): RecordBatch {
  const isOver = (slot: SlotRecord): boolean => slot.state !== 'run' || slot.outcome !== undefined;
  return {
    ...batch,
    slots: (batch.slots ?? []).filter((slot) => {
      const before = held.slots.get(`${seriesKey(slot.series)}/${slot.scheduledAt}`);
      return isOver(slot) || !before || !isOver(before);
    }),
    incidents: (batch.incidents ?? []).filter(
      ({ id, end }) => end !== undefined || held.incidents.get(id)?.end === undefined,
    ),
  };
}

function rollUpStored(slots: readonly SlotRecord[], span: Span, length: number): HourRecord[] {
  const groups = Map.groupBy(slots, ({ series, scheduledAt }) =>
    [roundToBegin(scheduledAt, length), seriesKey(series)].join('/'),
  );
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      return first ? [rollUpSlots(first.series, roundToBegin(first.scheduledAt, length), group)] : [];
    })
    .filter(({ begin }) => begin < span.to && begin + length > span.from)
    .toSorted((one, other) => one.begin - other.begin);
}

function isWithin({ from, to }: Span, at: number): boolean {
  return at >= from && at < to;
}

function matches(series: ProbeSeries, of: Partial<ProbeSeries>): boolean {
  return Object.entries(of).every(([name, value]) => series[name as keyof ProbeSeries] === value);
}

function seriesKey({ target, probe, operation, location }: ProbeSeries): string {
  return [target, probe, operation, location].join('/');
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
