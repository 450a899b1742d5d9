import type { Definition } from '../plan/definition.ts';
import { hour } from '../results/calendar.ts';
import type { ProbeOutcome, ProbeSeries, SlotRecord, SlotState } from '../results/probe-record.ts';
import type { QuotaRecord, ResultsStore } from '../results/results-store.ts';
import { type LastVerdict, newestSlots, verdictFrom } from './last-verdict.ts';

/** More series, rules or keys than any definition has; the excess is omitted. */
const most = 2000;

/** A key's counters hold for a month at most. */
const quotaWindow = 31 * 24 * hour;

/** Upper bounds in seconds. */
export const latenessBounds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300] as const;

/** Figures of one series; times in Unix ms, `age` in ms. Counts since this process began. */
export type SeriesFigures = {
  readonly series: ProbeSeries;
  readonly states: ReadonlyMap<SlotState, number>;
  readonly outcomes: ReadonlyMap<ProbeOutcome, number>;
  /** Planned instant of the newest slot in which the service was looked at. */
  readonly lastRunAt?: number;
  readonly reported?: LastVerdict;
  readonly age?: number;
  readonly certificateEnd?: number;
};

export type Lateness = { readonly counts: readonly number[]; readonly sum: number; readonly count: number };

export type RuleCount = { readonly target: string; readonly rule: string; readonly count: number };

/** Figures of all slots and answers so far. */
export type MetricsFigures = {
  readonly series: readonly SeriesFigures[];
  /** Slots in which a rule at must was broken, and that a rule at should or a missed objective made degraded. */
  readonly findings: readonly RuleCount[];
  readonly degradedBy: readonly RuleCount[];
  readonly quotas: readonly QuotaRecord[];
  readonly sent: ReadonlyMap<string, number>;
  readonly lateness: Lateness;
};

/** Gathers the figures of one location's probes as they come; its size is bounded by the definition's. */
export class MetricsState {
  readonly #location: string;
  readonly #series = new Map<string, SeriesFigures>();
  readonly #findings = new Map<string, RuleCount>();
  readonly #degradedBy = new Map<string, RuleCount>();
  readonly #quotas = new Map<string, QuotaRecord>();
  readonly #sent = new Map<string, number>();
  #lateness: Lateness = { counts: latenessBounds.map(() => 0), sum: 0, count: 0 };

  constructor(location: string) {
    this.#location = location;
  }

  /** Restores the newest slot of each watched series and the newest counters of each key; counts begin at 0. */
  static async restore(
    store: ResultsStore,
    { location, probes }: Pick<Definition, 'location' | 'probes'>,
    now: number,
  ): Promise<MetricsState> {
    const state = new MetricsState(location);
    const watched = new Set(probes.map(({ target, name }) => `${target}/${name}`));
    for (const series of await store.series()) {
      const isWatched = state.#isOfThisLocation(series) && watched.has(`${series.target}/${series.probe}`);
      const slots = isWatched ? await newestSlots(store, series, now) : [];
      for (const slot of slots) state.#set(slot, new Map(), new Map());
    }
    state.takeQuotas(await store.quotas({ from: now - quotaWindow, to: now + 1 }));
    return state;
  }

  get figures(): MetricsFigures {
    return {
      series: [...this.#series.values()],
      findings: [...this.#findings.values()],
      degradedBy: [...this.#degradedBy.values()],
      quotas: [...this.#quotas.values()],
      sent: this.#sent,
      lateness: this.#lateness,
    };
  }

  /** Takes ended slots. */
  take(slots: readonly SlotRecord[]): void {
    for (const slot of slots) {
      if (!this.#isOfThisLocation(slot.series)) continue;
      const before = this.#series.get(seriesKey(slot.series));
      const states = countName(before?.states, slot.state);
      this.#set(slot, states, slot.outcome ? countName(before?.outcomes, slot.outcome) : before?.outcomes);
      for (const rule of new Set(slot.rules)) count(this.#findings, slot.series.target, rule);
      for (const rule of new Set(slot.degradedBy)) count(this.#degradedBy, slot.series.target, rule);
      if (slot.state === 'run' && slot.startedAt !== undefined) {
        this.#addLateness(Math.max(0, slot.startedAt - slot.scheduledAt) / 1000);
      }
    }
  }

  takeQuotas(quotas: readonly QuotaRecord[]): void {
    for (const quota of quotas) {
      const before = this.#quotas.get(quota.key);
      if (quota.at >= (before?.at ?? 0)) setValue(this.#quotas, quota.key, quota);
    }
  }

  /** Counts requests that were sent with a key, by its name. */
  countSent(key: string, requests: number): void {
    setValue(this.#sent, key, (this.#sent.get(key) ?? 0) + requests);
  }

  #isOfThisLocation({ location }: ProbeSeries): boolean {
    return location === this.#location;
  }

  #set(
    slot: SlotRecord,
    states: SeriesFigures['states'],
    outcomes: SeriesFigures['outcomes'] = new Map(),
  ): void {
    const { series, scheduledAt } = slot;
    const before = this.#series.get(seriesKey(series));
    const reported = verdictFrom(slot) ?? before?.reported;
    const age = slot.age ?? before?.age;
    const lastRunAt = isCheck(slot) ? Math.max(scheduledAt, before?.lastRunAt ?? 0) : before?.lastRunAt;
    const certificateEnd = slot.certificateEnd ?? before?.certificateEnd;
    setValue(this.#series, seriesKey(series), {
      series,
      states,
      outcomes,
      lastRunAt,
      reported,
      age,
      certificateEnd,
    });
  }

  #addLateness(seconds: number): void {
    const { counts, sum, count } = this.#lateness;
    const within = counts.map((count, index) => count + Number(seconds <= (latenessBounds[index] ?? 0)));
    this.#lateness = { counts: within, sum: sum + seconds, count: count + 1 };
  }
}

/**
 * Returns the figures at `now` (Unix ms) without the verdicts of series that had no probe run for two periods, or whose
 * target the monitor is blind to, because such verdicts are out of date.
 */
export function withoutUnseen(
  figures: MetricsFigures,
  periodOf: (series: ProbeSeries) => number | undefined,
  now: number,
  blind: ReadonlySet<string> = new Set(),
): MetricsFigures {
  const series = figures.series.map((watched) => {
    const { reported: _, ...rest } = watched;
    const isUnseen =
      blind.has(watched.series.target) ||
      now - (watched.lastRunAt ?? 0) > 2 * (periodOf(watched.series) ?? Number.POSITIVE_INFINITY);
    return isUnseen ? rest : watched;
  });
  return { ...figures, series };
}

function isCheck(slot: SlotRecord): boolean {
  return verdictFrom(slot) !== undefined;
}

function countName<Name>(
  counts: ReadonlyMap<Name, number> = new Map(),
  name: Name,
): ReadonlyMap<Name, number> {
  return new Map(counts).set(name, (counts.get(name) ?? 0) + 1);
}

function count(all: Map<string, RuleCount>, target: string, rule: string): void {
  const key = JSON.stringify([target, rule]);
  setValue(all, key, { target, rule, count: (all.get(key)?.count ?? 0) + 1 });
}

function setValue<T>(all: Map<string, T>, key: string, value: T): void {
  if (all.size < most || all.has(key)) all.set(key, value);
}

function seriesKey({ target, probe, operation }: ProbeSeries): string {
  return JSON.stringify([target, probe, operation]);
}
