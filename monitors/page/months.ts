import { monthBegin } from '../results/calendar.ts';
import { addIndicators, type GoodBad, type HourRecord } from '../results/hour-record.ts';
import { openForReading, type ResultsSource } from '../results/open-source.ts';
import { type Indicator, indicators, type ProbeFailure, type ProbeOutcome } from '../results/probe-record.ts';
import type { IncidentRecord, ResultsReader, Span } from '../results/results-store.ts';
import { addUp, sum } from './coverage.ts';
import { type IncidentNote, incidentNotes, noteKinds } from './incident-notes.ts';
import { readMusts } from './newest-runs.ts';
import { describeOutage, type Outage } from './outages.ts';
import { type ReportedObjective, readPlan } from './plan-facts.ts';
import { groupByWatch } from './watches.ts';

/** The measurements of a UTC day, over all probes of the target. */
export type DayRecord = {
  /** `2026-11-20`. */
  readonly day: string;
  /** Slots that were due, and those of them that ran. */
  readonly due: number;
  readonly ran: number;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly indicators: Readonly<Partial<Record<Indicator, GoodBad>>>;
  /** Availability by first attempts alone; absent if they were not counted. */
  readonly firstLook?: GoodBad;
};

/** Both attempts of the slot that began an incident; absent if the slot was deleted. */
export type Looks = { readonly probe: string; readonly first?: ProbeFailure; readonly second?: ProbeFailure };

type MonthIncident = Omit<IncidentRecord, 'evidence' | 'broken' | 'period'> & {
  readonly looks?: Looks;
  /** Absent if nobody said anything about it. */
  readonly notes?: readonly IncidentNote[];
};

/** One UTC month of a target as seen by one location's probes. */
export type WatchedMonth = {
  readonly target: string;
  /** `2026-11`. */
  readonly month: string;
  readonly location: string;
  /** Unix ms: the end of the month, or of its measured part. */
  readonly to: number;
  readonly isOver: boolean;
  readonly objectives: readonly ReportedObjective[];
  /** Musts that the light probes judge, and all musts; absent if no probe has judged any. */
  readonly musts?: { readonly judged: number; readonly of: number };
  readonly days: readonly DayRecord[];
  readonly incidents: readonly MonthIncident[];
};

/** Sums the good and bad slots of an indicator over days. */
export function sumIndicator(days: readonly DayRecord[], indicator: Indicator): GoodBad {
  const all = days.map(({ indicators }) => indicators);
  return addIndicators([indicator], all)[indicator] ?? { good: 0, bad: 0 };
}

/** Returns the bounds of how long an incident of a month lasted, as seen at the end of the month. */
export function monthOutage(incident: MonthIncident, { to }: Pick<WatchedMonth, 'to'>): Outage {
  return describeOutage(incident, to);
}

/** Ms after a month's end in which a note about one of its incidents still belongs to it. */
const mostLate = 14 * 86_400_000;

/**
 * Reads every UTC month of every target that a store's probes watched, up to `now` (Unix ms), oldest first. Throws as
 * openForReading does.
 */
export async function* readMonths(source: ResultsSource, now: number): AsyncGenerator<WatchedMonth> {
  const store = await openForReading(source);
  try {
    yield* listMonths(store, now);
  } finally {
    await store.close();
  }
}

async function* listMonths(store: ResultsReader, now: number): AsyncGenerator<WatchedMonth> {
  const { objectives = [] } = (await readPlan(store)) ?? {};
  const extent = await store.extent();
  if (!extent) return;
  const last = Math.min(now, extent.to + 1);
  for (let from = monthBegin(extent.from); from < last; from = monthBegin(from, 1)) {
    const end = monthBegin(from, 1);
    const span = { from, to: Math.min(end, last) };
    const days = await store.days(span);
    const incidents = await store.incidents(span);
    const findNotes = incidentNotes(await store.events({ from, to: end + mostLate }, noteKinds));
    for (const [, watchDays] of groupByWatch(days)) {
      const { target = '', location = '' } = watchDays[0]?.series ?? {};
      const [judged] = await readMusts(store, watchDays);
      const isOwn = (incidentRecord: IncidentRecord): boolean =>
        incidentRecord.target === target && incidentRecord.location === location;
      yield {
        ...{ target, location, month: new Date(from).toISOString().slice(0, 7) },
        ...{ to: span.to, isOver: now >= end, objectives },
        musts: judged && { judged: judged.musts, of: judged.of },
        days: listDays(watchDays),
        incidents: await Promise.all(
          incidents.filter(isOwn).map(async (incident) => {
            const notes = findNotes(incident);
            return { ...(await withLooks(incident, store)), ...(notes.length > 0 && { notes }) };
          }),
        ),
      };
    }
  }
}

function listDays(records: readonly HourRecord[]): DayRecord[] {
  return [...Map.groupBy(records, ({ begin }) => begin)]
    .sort(([a], [b]) => a - b)
    .map(([begin, ofDay]) => {
      const states = addUp(ofDay.map((record) => record.states));
      const { run = 0 } = states;
      const outcomes = ofDay.map((record) => Object.fromEntries(Object.entries(record.outcomes).sort()));
      return {
        day: new Date(begin).toISOString().slice(0, 10),
        due: sum(states),
        ran: run,
        outcomes: addUp(outcomes),
        indicators: addIndicators(
          indicators,
          ofDay.map((record) => record.indicators),
        ),
        ...findFirstLook(ofDay),
      };
    });
}

/** Returns first attempts only if every probe of the day counted them. */
function findFirstLook(records: readonly HourRecord[]): Pick<DayRecord, 'firstLook'> {
  const judged = records.filter(({ indicators }) => indicators.availability);
  const firstLooks = judged.flatMap(({ firstLook }) => (firstLook?.availability ? [firstLook] : []));
  const { availability } = addIndicators(['availability'], firstLooks);
  return availability && firstLooks.length === judged.length ? { firstLook: availability } : {};
}

/** Adds both attempts of the first slot of an incident; its evidence may be large and stays in the store. */
async function withLooks(
  { evidence: _, broken: __, period: ___, ...incident }: IncidentRecord,
  store: ResultsReader,
): Promise<MonthIncident> {
  return { ...incident, looks: await readLooks(incident, store) };
}

async function readLooks(
  { target, location, begin }: MonthIncident,
  store: ResultsReader,
): Promise<Looks | undefined> {
  const span: Span = { from: begin, to: begin + 1 };
  const slots = await store.slots(span, { target, location });
  const slot = slots.find(({ outcome, failure }) => outcome === 'failed' || failure) ?? slots[0];
  if (!slot) return undefined;
  const first = slot.rawFailure ?? slot.failure;
  const second = slot.secondFailure ?? (slot.rawFailure ? slot.failure : undefined);
  return { probe: `${slot.series.probe}/${slot.series.operation}`, first, second };
}
