import type { Objective } from '../plan/definition.ts';
import { formatFailure, type ProbeFailure, rateIndicator, type SlotRecord } from '../results/probe-record.ts';
import type { IncidentRecord } from '../results/results-store.ts';
import { type Firing, type JudgedSample, type Slo, updateAlert, usualSlo } from './burn-rate.ts';
import { BurnWindow } from './burn-window.ts';
import { type AlertedOutage, formatOutage } from './burn-words.ts';
import { type AlertFacts, type Condition, type Scattered, type Severity, workMark } from './cause.ts';
import { answerTime } from './incidents.ts';
import { SeenDamage } from './seen-damage.ts';

/** The memory of an objective's source over a restart; plain JSON. */
export type BurnState = {
  readonly firing: readonly Firing[];
  /** The last few samples, which may be older than the slots that are read again at a start. */
  readonly newest: readonly JudgedSample[];
  /** The present outage, and the one that is over; how many there were since it fired. */
  readonly outage?: AlertedOutage;
  readonly past?: AlertedOutage & { readonly end: number };
  readonly outages: number;
  /** The most bad slots of one of them. */
  readonly mostSlots?: number;
  readonly marks: readonly string[];
  /** True from planned work until the next slot that is evidence. */
  readonly isAfterWork?: boolean;
  /** True while an outage lasts that had as many failures in a row as are an alert by themselves. */
  readonly isInRow?: boolean;
  /** Bad slots in a row by probe, which may be rarer than the slots that are read again at a start. */
  readonly rows?: Readonly<Record<string, number>>;
};

const calm: BurnState = { firing: [], newest: [], outages: 0, marks: [] };

/** Times the pace at which a pair pages: at 6 times, a budget of 30 days is used up in five. */
const pagingFactor = 6;

/** Bad conformance runs in a row that are an alert: the second confirms the first, and they are too rare to burn a budget. */
const mostBadRuns = 2;

/** Short outages that are no accident: a budget that they burn is said to be burnt by them. */
const fewestScattered = 3;
/** Starts of outages that are remembered, for their number and the time since the first. */
const mostStarts = 20;
/** Times the mean of the outages before it that an outage exceeds by itself: after 1 and 3 bad slots, one of 5. */
const mostOfMean = 2;

/** One objective at one target, seen from one location: the condition that its error budget burns. */
export class BurnSource {
  readonly target: string;
  readonly objective: Objective;
  /** Bad slots in a row of one probe that are an alert, whatever the budget says. */
  readonly #most: number;
  readonly #rows = new Map<string, number>();
  readonly #damage = new SeenDamage();
  readonly #window: BurnWindow;
  #slo: Slo;
  #state = calm;
  /** The last planned instants at which a bad slot followed a good one. */
  #starts: readonly number[] = [];
  #wasBad = false;

  constructor(target: string, objective: Objective, inRow = Number.POSITIVE_INFINITY) {
    this.#most = inRow;
    this.target = target;
    this.objective = objective;
    this.#slo = { ...usualSlo, objective: objective.objective };
    this.#window = new BurnWindow(this.#slo);
  }

  /** Sets the mean time between slots, in ms. */
  setCadence(cadence: number | undefined): void {
    const { objective } = this.objective;
    this.#slo = { ...usualSlo, objective, cadence };
  }

  get isFiring(): boolean {
    return this.#state.firing.length > 0;
  }

  /** Undefined while there is nothing to remember. */
  get state(): BurnState | undefined {
    const { outage } = this.#state;
    if (!this.isFiring && !outage) return undefined;
    const rows = Object.fromEntries([...this.#rows].filter(([, count]) => count > 0));
    return { ...this.#state, rows, newest: this.isFiring ? this.#window.newest() : [] };
  }

  /** @param horizon Unix ms; slots have already reported everything later */
  restore({ rows = {}, ...state }: BurnState, horizon: number): void {
    this.#state = state;
    for (const [probe, count] of Object.entries(rows))
      this.#rows.set(probe, Math.max(count, this.#rows.get(probe) ?? 0));
    for (const sample of state.newest) if (sample.at < horizon) this.#window.remember(sample);
  }

  /** Returns whether the slot is evidence for this objective. */
  add(slot: SlotRecord): boolean {
    if (slot.series.target !== this.target) return false;
    const said = rateIndicator(slot, this.objective.indicator);
    if (said === undefined) return false;
    this.#window.add({ at: slot.scheduledAt, good: said === 'good' });
    if (said === 'bad' && !this.#wasBad)
      this.#starts = [...this.#starts, slot.scheduledAt].slice(-mostStarts);
    this.#wasBad = said === 'bad';
    const probe = `${slot.series.probe}/${slot.series.operation}`;
    this.#rows.set(probe, said === 'bad' ? (this.#rows.get(probe) ?? 0) + 1 : 0);
    if (this.objective.indicator === 'correctness') this.#damage.add(slot);
    return true;
  }

  /** Takes a slot that `add` took or not, with the incident of this objective as it is after it. */
  follow(slot: SlotRecord, incident: IncidentRecord | undefined): void {
    if (slot.series.target !== this.target) return;
    const {
      outage,
      outages,
      marks,
      mostSlots = 0,
      isAfterWork = false,
      isInRow = false,
      ...rest
    } = this.#state;
    const said = rateIndicator(slot, this.objective.indicator);
    if (slot.outcome === 'excluded' && outage) this.#state = { ...this.#state, isAfterWork: true };
    if (said === 'bad') {
      const { firstFailed, begin = slot.scheduledAt } = incident ?? {};
      const started = outage ?? { since: firstFailed ?? begin, slots: 0, confirmed: 0, pools: [] };
      const seen = this.isFiring && isAfterWork ? [...marks, `${workMark}${slot.scheduledAt}`] : marks;
      const number = outages + (outage ? 0 : 1);
      const isLong = isInRow || this.#isRowFull();
      const row = isLong ? { isInRow: true } : {};
      this.#state = {
        ...rest,
        mostSlots,
        outage: addSlot(started, slot),
        outages: number,
        marks: seen,
        ...row,
      };
    } else if (said === 'good' && outage && !incident) {
      const past = { ...outage, end: Math.max(answerTime(slot), outage.since) };
      this.#state = { ...rest, marks, outages, past, mostSlots: Math.max(mostSlots, outage.slots) };
    } else if (said === 'good' && outage && !outage.isPartial) {
      // Another probe of the target is good meanwhile.
      this.#state = { ...this.#state, outage: { ...outage, isPartial: true } };
    }
  }

  #isRowFull(): boolean {
    return [...this.#rows].some(
      ([probe, count]) => count >= (probe.endsWith('/all') ? Math.min(mostBadRuns, this.#most) : this.#most),
    );
  }

  /** Returns whether its last slot fell into planned work that an outage has not outlived yet. */
  get isInWork(): boolean {
    return this.#state.isAfterWork === true;
  }

  /** Decides at `now` (Unix ms) whether the budget burns. */
  judge(now: number): void {
    const { firing: before } = this.#state;
    const view = this.#window.viewBefore(now);
    const { firing } = updateAlert(view, this.#slo, { firing: before }, now);
    const { outage, past, isAfterWork, isInRow } = this.#state;
    const kept = {
      outage,
      ...(past && { past }),
      ...(isAfterWork && { isAfterWork }),
      ...(isInRow && { isInRow }),
    };
    if (firing.length === 0) this.#state = { ...calm, ...kept, outages: outage ? 1 : 0 };
    else if (before.length === 0) this.#state = { ...this.#state, firing, outages: 1, mostSlots: 0 };
    else this.#state = { ...this.#state, firing };
  }

  /** The condition at `now` (Unix ms); its words have the figures of the time at which they are requested. */
  condition(now: number, since: number | undefined, incident: IncidentRecord | undefined): Condition {
    const { outage, past, outages, mostSlots = 0, marks, isInRow = false } = this.#state;
    const { indicator } = this.objective;
    const isBad = outage !== undefined && (this.isFiring || isInRow);
    const rules = isBad && indicator === 'correctness' ? this.#damage.list(now, since) : [];
    const [failure] = incident?.failures ?? [];
    return {
      ...{ source: indicator, subject: { target: this.target }, holds: isBad, severity: this.#severity },
      family: failure === undefined ? indicator : nameFamily(failure),
      words: (at) => this.#words(rules, incident, at),
      facts: (at) => this.#facts(incident, at),
      incident: incident?.id,
      lastGood: incident?.lastGood,
      marks: [...rules, ...marks],
      mayReturn: this.isFiring,
      ...(isBad && { began: outage.since, scattered: this.#scattered(outage, now) }),
      ...(!outage && past && { ended: past.end }),
      isShort: isBad && outage.slots < 2 && outages > 1 && mostSlots < 2,
    };
  }

  #words(rules: readonly string[], incident: IncidentRecord | undefined, now: number): string {
    const { outage, past } = this.#state;
    const { indicator } = this.objective;
    const isPartial = indicator === 'availability' && outage?.isPartial === true;
    const shown = { outage: outage ?? past, incident, isOver: outage === undefined, isPartial };
    return formatOutage({ indicator, windows: this.#countWindows(now), rules, ...shown });
  }

  #facts(incident: IncidentRecord | undefined, now: number): AlertFacts {
    const { outage, past } = this.#state;
    const { objective, under } = this.objective;
    const began = (outage ?? past)?.since;
    return {
      ...{ objective, under, windows: this.#countWindows(now) },
      ...(incident && { incident: incident.id, failures: incident.failures }),
      ...(began !== undefined && { began: new Date(began).toISOString() }),
    };
  }

  /** Short outages that fired together, none of them by itself. */
  #scattered({ slots }: AlertedOutage, now: number): Scattered | undefined {
    const long = Math.max(
      0,
      ...this.#state.firing.map(({ pair }) => this.#slo.pairs.find(({ name }) => name === pair)?.long ?? 0),
    );
    const starts = this.#starts.filter((at) => at > now - long);
    const [since = now] = starts;
    const before = starts.length - 1;
    const badBefore = this.#window.viewBefore(now).within(long).bad - slots;
    if (starts.length < fewestScattered || slots > mostOfMean * (badBefore / before)) return undefined;
    const mean = Math.min(this.#slo.cadence ?? 0, (now - since) / (before + 1));
    return { number: starts.length, since, total: badBefore * mean };
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    this.#window.shift(by);
    this.#damage.shift(by);
    this.#starts = this.#starts.map((at) => at + by);
    const { outage, past } = this.#state;
    this.#state = {
      ...this.#state,
      ...(outage && { outage: { ...outage, since: outage.since + by } }),
      ...(past && { past: { ...past, since: past.since + by, end: past.end + by } }),
    };
  }

  get #severity(): Severity {
    if (this.#state.isInRow) return 'page';
    const factor = (name: string): number => this.#slo.pairs.find((pair) => pair.name === name)?.factor ?? 0;
    return this.#state.firing.some(({ pair }) => factor(pair) >= pagingFactor) ? 'page' : 'ticket';
  }

  #countWindows(now: number) {
    const view = this.#window.viewBefore(now);
    return this.#state.firing.flatMap(({ pair }) => {
      const { long = 0 } = this.#slo.pairs.find(({ name }) => name === pair) ?? {};
      const { bad, samples } = view.within(long);
      return long > 0 ? [{ pair, bad, slots: samples }] : [];
    });
  }
}

/** Failures of one family may have one cause: all that brings no answer is one. */
function nameFamily(failure: ProbeFailure): string {
  return failure.phase === 'status' || failure.phase === 'contract' ? formatFailure(failure) : 'no answer';
}

function addSlot(outage: AlertedOutage, { samples, rawOutcome }: SlotRecord): AlertedOutage {
  const failed = samples.filter(({ status }) => status === undefined || status >= 400);
  const pools = failed.flatMap(({ pool }) => (pool === undefined ? [] : [String(pool)]));
  return {
    ...outage,
    slots: outage.slots + 1,
    confirmed: outage.confirmed + (rawOutcome === undefined ? 0 : 1),
    pools: [...new Set([...outage.pools, ...pools])].slice(0, 20).toSorted(),
  };
}
