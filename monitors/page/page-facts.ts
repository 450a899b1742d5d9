import { day, roundToBegin } from '../results/calendar.ts';
import type { HourRecord } from '../results/hour-record.ts';
import { keyPaceName } from '../results/known-states.ts';
import type {
  EventRecord,
  IncidentRecord,
  QuotaRecord,
  ResultsReader,
  SeriesExtent,
  Span,
} from '../results/results-store.ts';
import { daysShown } from './days.ts';
import { type MustsJudged, type NewestRun, readMusts, readNewestRuns } from './newest-runs.ts';
import type { ReportedPlan } from './plan-facts.ts';
import type { WatchId } from './watches.ts';

/** The members of an hour that charts draw: there are many hours, and only those of the last day keep indicators. */
export type HourCounts = Pick<HourRecord, 'series' | 'begin' | 'states' | 'outcomes' | 'certificateEnd'> &
  Partial<Pick<HourRecord, 'indicators'>>;
export type DayCounts = Pick<HourRecord, 'series' | 'begin' | 'states' | 'outcomes' | 'indicators'>;

/** The extent of an old incident. */
export type IncidentCounts = Pick<IncidentRecord, 'target' | 'location' | 'indicator' | 'begin' | 'lastBad'>;

/** All the data of a report except the caller's plan; in any order. */
export type MonitorFacts = {
  /** Unix ms: the end of the reported time. */
  readonly now: number;
  /** First and last planned instant in the store; absent for an empty store. */
  readonly extent?: Span | undefined;
  /** First and last planned instant of each series. */
  readonly extents: readonly SeriesExtent[];
  /** The newest probe run of each series that has one in the last 90 days. */
  readonly newestRuns: readonly NewestRun[];
  /** The targets that a running monitor cannot judge, and since when (Unix ms): it knows before its slots show it. */
  readonly blind?: readonly (Pick<WatchId, 'target' | 'location'> & { readonly since: number })[];
  /** The musts that the light probes judge. */
  readonly musts: readonly MustsJudged[];
  /** The last 90 days by day, with all members. */
  readonly days: readonly HourRecord[];
  /** The same 90 days by hour. */
  readonly hours: readonly HourCounts[];
  /** Every day before the 90 days. */
  readonly past: readonly DayCounts[];
  readonly events: readonly EventRecord[];
  /** The incidents of the 90 days, and all earlier ones that are still open. */
  readonly incidents: readonly IncidentRecord[];
  readonly pastIncidents: readonly IncidentCounts[];
  readonly quotas: readonly QuotaRecord[];
  /** Requests a day of all holders of a key, by the key's name, as a monitor last recorded them. */
  readonly paces?: Readonly<Record<string, number>>;
};

/** Days that are read at once: hours are read in pieces, so that all timings are never in memory together. */
const hourPiece = 3;
const dayPiece = 60;

/** Reads the data of a report at `now` (Unix ms): the 90 UTC days up to it by hour, and all earlier time by day. */
export async function readFacts(store: ResultsReader, now: number, of?: OfWatches): Promise<MonitorFacts> {
  const facts = { ...(await readBriefFacts(store, now, of)), ...(await readOccurrences(store, now, of)) };
  const recent = shownSpan(now);
  const past = { from: roundToBegin(facts.extent?.from ?? recent.from, day), to: recent.from };
  return {
    ...facts,
    hours: await readInPieces(
      recent,
      hourPiece,
      (span) => store.hours(span, of),
      (record) => hourCounts(record, now - day),
    ),
    past: await readInPieces(
      past,
      dayPiece,
      (span) => store.days(span, of),
      ({ series, begin, states, outcomes, indicators }) => ({ series, begin, states, outcomes, indicators }),
    ),
    pastIncidents: await pastIncidents(store, past, of),
  };
}

/** Returns the facts of one target, as `readFacts` reads them of a store. */
export function selectFacts(facts: MonitorFacts, target: string): MonitorFacts {
  const ofSeries = <Item extends { readonly series: { readonly target: string } }>(
    items: readonly Item[],
  ): Item[] => items.filter(({ series }) => series.target === target);
  const own = <Item extends { readonly target?: string }>(items: readonly Item[]): Item[] =>
    items.filter((item) => item.target === target);
  return {
    ...facts,
    ...{ days: ofSeries(facts.days), hours: ofSeries(facts.hours), past: ofSeries(facts.past) },
    ...{ extents: ofSeries(facts.extents), newestRuns: ofSeries(facts.newestRuns) },
    ...{ musts: own(facts.musts), incidents: own(facts.incidents), events: own(facts.events), quotas: [] },
    pastIncidents: own(facts.pastIncidents),
  };
}

/** Returns the facts without targets that the plan's location watches no more; a plan without probes is of an unknown monitor. */
export function withoutRemoved(facts: MonitorFacts, { location, probes }: ReportedPlan): MonitorFacts {
  if (probes.length === 0) return facts;
  const planned = new Set(probes.map(({ target }) => target));
  const isLeft = (of: Pick<WatchId, 'target' | 'location'>): boolean =>
    of.location !== location || planned.has(of.target);
  const isLeftSeries = ({ series }: { readonly series: WatchId }): boolean => isLeft(series);
  return {
    ...facts,
    ...{ days: facts.days.filter(isLeftSeries), hours: facts.hours.filter(isLeftSeries) },
    ...{ past: facts.past.filter(isLeftSeries), extents: facts.extents.filter(isLeftSeries) },
    ...{ newestRuns: facts.newestRuns.filter(isLeftSeries), incidents: facts.incidents.filter(isLeft) },
    pastIncidents: facts.pastIncidents.filter(isLeft),
  };
}

/** The watches that facts are read of. */
type OfWatches = { readonly target: string; readonly location?: string };

/**
 * Reads what a badge is drawn from, and with `readOccurrences` the index of many targets: days alone, and the hours of
 * the last day.
 */
export async function readBriefFacts(
  store: ResultsReader,
  now: number,
  of?: OfWatches,
): Promise<MonitorFacts> {
  const recent = shownSpan(now);
  const extents = await store.extents(of);
  const days = await store.days(recent, of);
  const hours = (await store.hours({ from: now - day, to: now + 1 }, of)).map((record) =>
    hourCounts(record, now - day),
  );
  return {
    ...{ now, extents, days, hours, past: [], events: [], quotas: [], pastIncidents: [] },
    ...(extents.length > 0 && {
      extent: {
        from: Math.min(...extents.map(({ from }) => from)),
        to: Math.max(...extents.map(({ to }) => to)),
      },
    }),
    newestRuns: await readNewestRuns(store, extents, { now, hours, days }),
    musts: await readMusts(store, extents),
    incidents: (await store.incidents(recent, of?.target)).filter(
      ({ location }) => of?.location === undefined || location === of.location,
    ),
  };
}

/** Reads events and quotas; with `of` the events of one target. */
export async function readOccurrences(
  store: ResultsReader,
  now: number,
  of?: OfWatches,
): Promise<Pick<MonitorFacts, 'events' | 'quotas' | 'paces'>> {
  const events = await store.events(shownSpan(now));
  if (of) return { events: events.filter(({ target }) => target === of.target), quotas: [] };
  const quotas = await store.quotas(shownSpan(now));
  return { events, quotas, paces: await readPaces(store, quotas) };
}

function shownSpan(now: number): Span {
  return { from: roundToBegin(now, day) - (daysShown - 1) * day, to: now + 1 };
}

async function readPaces(
  store: ResultsReader,
  quotas: readonly QuotaRecord[],
): Promise<Readonly<Record<string, number>>> {
  const paces: Record<string, number> = {};
  for (const key of new Set(quotas.map((quota) => quota.key))) {
    const pace = await store.state(keyPaceName(key));
    if (typeof pace === 'number') paces[key] = pace;
  }
  return paces;
}

/** Reads the incidents that ended before the recent ones begin, without their evidence. */
function pastIncidents(store: ResultsReader, past: Span, of?: OfWatches): Promise<IncidentCounts[]> {
  const readBegun = async (span: Span): Promise<readonly IncidentRecord[]> =>
    (await store.incidents(span, of?.target)).filter(
      ({ begin, end }) => begin >= span.from && end !== undefined && end <= past.to,
    );
  return readInPieces(past, dayPiece, readBegun, ({ target, location, indicator, begin, lastBad }) => {
    return { target, location, indicator, begin, lastBad };
  });
}

async function readInPieces<Read, Kept>(
  { from, to }: Span,
  days: number,
  read: (span: Span) => Promise<readonly Read[]>,
  keep: (record: Read) => Kept,
): Promise<Kept[]> {
  const all: Kept[] = [];
  for (let begin = from; begin < to; begin += days * day) {
    const records = await read({ from: begin, to: Math.min(to, begin + days * day) });
    for (const record of records) all.push(keep(record));
  }
  return all;
}

/** Copies the members by name, because a store unpacks timings only when they are read. */
function hourCounts(record: HourRecord, since: number): HourCounts {
  const { series, begin, states, outcomes, certificateEnd } = record;
  return {
    ...{ series, begin, states, outcomes },
    ...(begin > since && { indicators: record.indicators }),
    certificateEnd,
  };
}
