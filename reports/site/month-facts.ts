import type { GoodBad, HourRecord } from '../../results/hour-record.ts';
import { readJudgedMusts } from '../../results/known-states.ts';
import { type Indicator, indicators } from '../../results/probe-record.ts';
import type { IncidentRecord, ResultsReader, Span } from '../../results/results-store.ts';
import type { ReportedObjective } from '../monitor/plan.ts';
import { slugify } from './content-id.ts';
import type { DayRecord, Looks, MonthIncident, MonthRecord } from './month-record.ts';

/** Every UTC month of every target that a store's probes watched, up to `now` (Unix ms); the oldest first. */
export async function* readMonths(
  store: ResultsReader,
  objectives: readonly ReportedObjective[],
  now: number,
): AsyncGenerator<MonthRecord> {
  const extent = await store.extent();
  if (!extent) return;
  const last = Math.min(now, extent.to + 1);
  for (let from = monthStart(extent.from); from < last; from = nextMonth(from)) {
    const end = nextMonth(from);
    const span = { from, to: Math.min(end, last) };
    const days = (await store.days(span)).filter(({ series }) => series.source === 'active');
    const incidents = await store.incidents(span);
    for (const [, watchDays] of Map.groupBy(days, ({ series: { target, location } }) =>
      JSON.stringify([target, location]),
    )) {
      const { target = '', location = '' } = watchDays[0]?.series ?? {};
      const judged = await judgedBy(watchDays, store);
      const isOwn = (incidentRecord: IncidentRecord): boolean =>
        incidentRecord.target === target && incidentRecord.location === location;
      yield {
        ...{ target, location, slug: slugify(target), month: new Date(from).toISOString().slice(0, 7) },
        ...{ to: span.to, isOver: now >= end, objectives },
        ...(judged && { musts: judged }),
        days: listDays(watchDays),
        incidents: await Promise.all(incidents.filter(isOwn).map((incident) => withLooks(incident, store))),
      };
    }
  }
}

async function judgedBy(days: readonly HourRecord[], store: ResultsReader): Promise<MonthRecord['musts']> {
  const light = days.filter(({ series }) => series.operation !== 'all');
  const judged = await readJudgedMusts(
    store,
    light.map(({ series }) => series),
  );
  return judged && { judged: judged.musts.length, of: judged.of };
}

function monthStart(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function nextMonth(from: number): number {
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function listDays(records: readonly HourRecord[]): DayRecord[] {
  return [...Map.groupBy(records, ({ begin }) => begin)]
    .sort(([a], [b]) => a - b)
    .map(([begin, monthDays]) => ({
      day: new Date(begin).toISOString().slice(0, 10),
      due: monthDays.reduce((sum, { states }) => sum + total(states), 0),
      ran: monthDays.reduce((sum, { states }) => sum + (states.run ?? 0), 0),
      ...countCovered(monthDays),
      outcomes: added(monthDays.map((hourRecord) => hourRecord.outcomes)),
      indicators: addIndicators(monthDays),
      ...findFirstLook(monthDays),
    }));
}

function countCovered(records: readonly HourRecord[]): Pick<DayRecord, 'covered'> {
  const covered = records.reduce((sum, { states }) => sum + (states.covered ?? 0), 0);
  return covered > 0 ? { covered } : {};
}

function total(counts: Readonly<Record<string, number | undefined>>): number {
  return Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

function added<Name extends string>(
  all: readonly Readonly<Partial<Record<Name, number>>>[],
): Partial<Record<Name, number>> {
  const sums: Partial<Record<Name, number>> = {};
  for (const counts of all)
    for (const name of Object.keys(counts).sort() as Name[])
      sums[name] = (sums[name] ?? 0) + (counts[name] ?? 0);
  return sums;
}

function addIndicators(records: readonly HourRecord[]): Partial<Record<Indicator, GoodBad>> {
  return Object.fromEntries(
    indicators.flatMap((name) => {
      const counts = records.flatMap(({ indicators }) => indicators[name] ?? []);
      return counts.length > 0 ? [[name, sum(counts)]] : [];
    }),
  );
}

/** Reported only where every probe of the day counted it. */
function findFirstLook(records: readonly HourRecord[]): Pick<DayRecord, 'firstLook'> {
  const judged = records.filter(({ indicators }) => indicators.availability);
  const availability = judged.flatMap(({ firstLook }) => firstLook?.availability ?? []);
  return availability.length > 0 && availability.length === judged.length
    ? { firstLook: sum(availability) }
    : {};
}

function sum(all: readonly GoodBad[]): GoodBad {
  return {
    good: all.reduce((n, counts) => n + counts.good, 0),
    bad: all.reduce((n, counts) => n + counts.bad, 0),
  };
}

/** Adds the first exchange of every incident, which stays in the store as evidence and may be large. */
async function withLooks(
  { evidence: _, broken: __, period: ___, ...incident }: IncidentRecord,
  store: ResultsReader,
): Promise<MonthIncident> {
  const looks = await readLooks(incident, store);
  return { ...incident, ...(looks && { looks }) };
}

async function readLooks(
  { target, location, begin }: MonthIncident,
  store: ResultsReader,
): Promise<Looks | undefined> {
  const span: Span = { from: begin, to: begin + 1 };
  const slots = await store.slots(span, { target, location, source: 'active' });
  const slot = slots.find(({ outcome, failure }) => outcome === 'failed' || failure) ?? slots[0];
  if (!slot) return undefined;
  const first = slot.rawFailure ?? slot.failure;
  const second = slot.secondFailure ?? (slot.rawFailure ? slot.failure : undefined);
  return {
    probe: `${slot.series.probe}/${slot.series.operation}`,
    ...(first && { first }),
    ...(second && { second }),
  };
}
