import type { Verdict } from '@candleproof/law/judge/verdict';
import { day, hour, roundToBegin } from '../results/calendar.ts';
import type { HourRecord } from '../results/hour-record.ts';
import { readJudgedMusts } from '../results/known-states.ts';
import { isProbeRun, type SlotRecord } from '../results/probe-record.ts';
import type { ResultsReader, SeriesExtent, Span } from '../results/results-store.ts';
import { daysShown } from './days.ts';
import { seriesName, slotDistance, type WatchId, watchId } from './watches.ts';

/** The newest slot of a series in which a probe ran. */
export type NewestRun = Pick<
  SlotRecord,
  'series' | 'scheduledAt' | 'outcome' | 'failure' | 'rules' | 'reason' | 'certificateEnd'
> & {
  /** Planned instant of the newest slot, whether a probe ran in it or not. */
  readonly plannedTo: number;
  /** Ms between two planned slots; absent if there was only one, or nothing is planned. */
  readonly period?: number;
};

type Hour = Pick<HourRecord, 'series' | 'begin' | 'states' | 'outcomes'>;

/** The musts that the light probes of a watch judge, out of all that apply to the target. */
export type MustsJudged = Pick<WatchId, 'target' | 'location'> & {
  readonly musts: number;
  readonly of: number;
};

/** Records of the last hours and of the days shown. */
type Recent = { readonly now: number; readonly hours: readonly Hour[]; readonly days: readonly Hour[] };

/**
 * Reads the newest probe run of each series; a deleted slot has none. Slots that a wrong clock has placed after `now`
 * (Unix ms) are not the newest.
 */
export async function readNewestRuns(
  store: Pick<ResultsReader, 'slots'>,
  extents: readonly SeriesExtent[],
  { now, hours, days }: Recent,
): Promise<NewestRun[]> {
  const [byHour, byDay] = [hours, days].map((all) => Map.groupBy(all, ({ series }) => seriesName(series)));
  const all = extents.map(async (extent): Promise<NewestRun[]> => {
    const name = seriesName(extent.series);
    const recent = { now, hours: byHour?.get(name) ?? [], days: byDay?.get(name) ?? [] };
    const newest = await readNewestRun(store, extent, recent);
    if (!newest) return [];
    const { series, scheduledAt, outcome, failure, rules, reason, certificateEnd } = newest;
    const distance = probePeriod(extent, recent);
    const period = distance > 0 ? distance : undefined;
    const plannedTo = Math.min(extent.to, now);
    return [{ series, scheduledAt, outcome, failure, rules, reason, certificateEnd, plannedTo, period }];
  });
  return (await Promise.all(all)).flat();
}

/** Looks into hours if the last run is of the future, and into one more, since all runs of the newest may be too. */
async function readNewestRun(
  store: Pick<ResultsReader, 'slots'>,
  { series, lastRun }: SeriesExtent,
  { now, hours }: Recent,
): Promise<SlotRecord | undefined> {
  if (lastRun !== undefined && lastRun <= now) {
    if (lastRun < roundToBegin(now, day) - (daysShown - 1) * day) return undefined;
    const [slot] = await store.slots({ from: lastRun, to: lastRun + 1 }, series);
    if (slot && isProbeRun(slot)) return slot;
  }
  const begins = hours.filter((hour) => countsRun(hour) && hour.begin <= now).map(({ begin }) => begin);
  for (const begin of begins.toSorted((a, b) => b - a).slice(0, 2)) {
    const slots = await store.slots({ from: begin, to: Math.min(begin + hour, now + 1) }, series);
    const newest = slots.findLast(isProbeRun);
    if (newest) return newest;
  }
  return undefined;
}

/** Reads what the light probes of each watch judge. */
export async function readMusts(
  store: Pick<ResultsReader, 'state'>,
  records: readonly Pick<SeriesExtent, 'series'>[],
): Promise<MustsJudged[]> {
  const light = records.filter(({ series }) => series.operation !== 'all');
  const watches = Map.groupBy(light, ({ series }) => watchId(series));
  const all = [...watches.values()].map(async (watchExtents): Promise<MustsJudged[]> => {
    const probes = watchExtents.map(({ series }) => series);
    const judged = await readJudgedMusts(store, probes);
    const [first] = probes;
    if (!judged || !first) return [];
    const { target, location } = first;
    return [{ target, location, musts: judged.musts.length, of: judged.of }];
  });
  return (await Promise.all(all)).flat();
}

/** Returns the last run of a silent watch: one without a probe run for two periods of its most frequent probe. */
export function silentSince(runs: readonly NewestRun[], now: number): number | undefined {
  const newest = newestInstant(runs);
  if (newest === undefined) return undefined;
  const planned = Math.max(...runs.map(({ plannedTo }) => plannedTo));
  // A probe that left the plan does not show how often probes run now.
  const periods = runs.flatMap(({ period, plannedTo }) =>
    period !== undefined && planned - plannedTo <= 2 * period ? [period] : [],
  );
  const patience = periods.length > 0 ? 2 * Math.min(...periods) : unplannedPatience;
  return now - newest > patience ? newest : undefined;
}

/** Returns the newest planned instant; undefined without probe runs. */
export function newestInstant(runs: readonly NewestRun[]): number | undefined {
  return runs.length > 0 ? Math.max(...runs.map(({ scheduledAt }) => scheduledAt)) : undefined;
}

/** Milliseconds without an observation after which unplanned traffic does not describe the present. */
const unplannedPatience = 2 * hour;

function countsRun({ outcomes }: Hour): boolean {
  const { ok = 0, degraded = 0, failed = 0 } = outcomes;
  return ok + degraded + failed > 0;
}

/** Measures the period over the last day, or over all days shown if that day has at most one slot. */
function probePeriod(extent: SeriesExtent, { now, hours, days }: Recent): number {
  const to = extent.to + 1;
  const last: Span = { from: roundToBegin(to + hour - day, hour), to };
  const shown: Span = {
    from: Math.max(roundToBegin(extent.from, day), roundToBegin(now, day) - (daysShown - 1) * day),
    to,
  };
  return slotDistance(last, extent, hours) || slotDistance(shown, extent, days);
}

/** Returns the verdict of a deep run, which judges far more than a light probe. */
export function verdictOfRun({ outcome, failure }: NewestRun): Verdict {
  if (outcome !== 'failed') return 'conformant';
  return failure?.phase === 'contract' ? 'nonconformant' : 'inconclusive';
}

/** Returns whether the newest deep run is nonconformant. */
export function isRed(run: NewestRun | undefined): run is NewestRun {
  return run !== undefined && verdictOfRun(run) === 'nonconformant';
}
