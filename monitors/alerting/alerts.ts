import type { Definition } from '../plan/definition.ts';
import { type MonitorPlan, planMonitoring } from '../plan/plan.ts';
import type { SlotPlan } from '../plan/slot-plan.ts';
import type { Indicator, SlotRecord } from '../results/probe-record.ts';
import type { EventRecord, IncidentRecord, Json, ResultsStore } from '../results/results-store.ts';
import {
  type AlertChange,
  alertKey,
  type Condition,
  isIndicator,
  type OpenAlert,
  type Source,
  toJson,
} from './alert.ts';
import { AlertEngine } from './alert-engine.ts';
import { type AlertsState, alertsState, readAlertsState } from './alerts-state.ts';
import { BurnSource } from './burn.ts';
import { Certificates } from './certificates.ts';
import { TargetCoverage } from './coverage.ts';
import { IncidentBook } from './incident-book.ts';
import type { AlertMessage } from './message.ts';
import { type AlertBatch, MessageDesk } from './message-desk.ts';
import { findOccurrences } from './occurrences.ts';
import { memoryMs, recentSlots } from './recent-slots.ts';
import { isAbout, noteEvents, type Remark } from './remarks.ts';

/** The keys of a monitor by their accounts' names: whether others use one by agreement, and the targets that use it. */
export type AlertKeys = ReadonlyMap<
  string,
  { readonly isShared: boolean; readonly targets: readonly string[] }
>;

/** An objective of a target, and its open alert. */
export type ObjectiveAlert = {
  readonly target: string;
  readonly indicator: Indicator;
  readonly alert: OpenAlert | undefined;
};

/** Sources whose conditions are all known at every tick: what none of them speaks of is not watched any more. */
const lasting: readonly Source[] = ['coverage', 'clock', 'exhaustion', 'certificate'];

/**
 * Incidents and alerts of one location, from the slots of its probes and from conditions that follow from the time
 * alone. Assumes that everything it returns is written: a caller that fails to write it must open a new object.
 */
export class Alerts {
  readonly #definition: Definition;
  readonly #burns: readonly BurnSource[];
  readonly #book: IncidentBook;
  readonly #engine: AlertEngine;
  readonly #certificates: Certificates;
  readonly #keys: AlertKeys;
  readonly #desk: MessageDesk;
  readonly coverage: readonly TargetCoverage[];
  #plans: ReadonlyMap<string, SlotPlan> = new Map();
  /** As the store has it. */
  #written: string;

  private constructor(
    definition: Definition,
    open: readonly IncidentRecord[],
    now: number,
    stored: AlertsState | undefined,
    keys: AlertKeys,
  ) {
    const { location, probes, objectives, alerting } = definition;
    const targets = [...new Set(probes.map(({ target }) => target))];
    this.#definition = definition;
    this.#keys = keys;
    this.#desk = new MessageDesk(
      alerting.sinks,
      new Map([...keys].map(([name, key]) => [name, key.targets])),
    );
    this.#engine = new AlertEngine(location, alerting.reminder, stored?.engine);
    this.#certificates = new Certificates(stored?.certificates);
    this.coverage = targets.map((target) => new TargetCoverage(target, now, stored?.coverage[target]));
    this.#burns = targets.flatMap((target) =>
      objectives.map((objective) => new BurnSource(target, objective)),
    );
    this.#book = new IncidentBook(open, memoryMs, (target, probe) =>
      this.#plans.get(`${target}/${probe.slice(0, probe.lastIndexOf('/'))}`),
    );
    this.#written = JSON.stringify(this.#state);
  }

  /**
   * Continues after an earlier process: reads its stored state, and the slots of the longest window.
   * @throws Error if another version wrote the state
   */
  static async open(
    store: ResultsStore,
    definition: Definition,
    now: number,
    plan = planMonitoring({ definition, keys: [], now }),
    keys: AlertKeys = new Map(),
  ): Promise<Alerts> {
    const stored = readAlertsState(await store.state(alertsState));
    const alerts = new Alerts(definition, await store.openIncidents(), now, stored, keys);
    alerts.replan(plan);
    const horizon = await recentSlots(store, definition.location, now, (slot) => alerts.#restore(slot));
    for (const burn of alerts.#burns) {
      const state = stored?.burns[burnKey(burn)];
      if (state) burn.restore(state, horizon);
    }
    return alerts;
  }

  /** Has each message passed on as it is raised. */
  set onMessage(listener: (message: AlertMessage) => void) {
    this.#desk.onMessage = listener;
  }

  /** Takes the cadence of the probes from now on. */
  replan({ probes, objectives }: MonitorPlan): void {
    this.#plans = new Map(probes.map(({ plan }) => [plan.id, plan]));
    for (const burn of this.#burns) {
      const { indicator } = burn.objective;
      const planned = objectives.find((one) => one.target === burn.target && one.indicator === indicator);
      burn.setCadence(planned?.cadence);
    }
  }

  get objectiveAlerts(): readonly ObjectiveAlert[] {
    return this.#burns.map(({ target, objective: { indicator } }) => ({
      target,
      indicator,
      alert: this.#engine.find({ source: indicator, subject: { target } }),
    }));
  }

  get openIncidents(): readonly IncidentRecord[] {
    return this.#book.open;
  }

  /** Takes finished slots with their records, each once and those of one probe in order; `now` in Unix ms. */
  take(
    slots: readonly SlotRecord[],
    now: number,
    evidenceOf: (slot: SlotRecord) => Json | undefined = () => undefined,
    events: readonly EventRecord[] = [],
  ): AlertBatch {
    const incidents = new Map<string, IncidentRecord>();
    const changed: AlertChange[] = [];
    const touched = new Set<BurnSource>();
    const own = slots
      .filter(({ series }) => series.location === this.#definition.location)
      .map((slot) => notLater(slot, now))
      .toSorted((one, other) => one.scheduledAt - other.scheduledAt);
    for (const slot of own) {
      for (const incident of this.#book.take(slot, evidenceOf)) incidents.set(incident.id, incident);
      for (const burn of this.#burns) {
        if (burn.add(slot)) touched.add(burn);
        burn.follow(slot, this.#findIncident(burn));
      }
      const coverage = this.coverage.find(({ target }) => target === slot.series.target);
      coverage?.take(slot);
      if (coverage) changed.push(...this.#engine.hold(coverage.condition, now));
      this.#certificates.take(slot);
    }
    for (const burn of touched) burn.judge(now);
    const burning = [...touched].flatMap((burn) => this.#engine.hold(this.#burnCondition(burn, now), now));
    const shared = new Set([...this.#keys].flatMap(([name, { isShared }]) => (isShared ? [name] : [])));
    const happened = findOccurrences(events, shared).flatMap((one) =>
      this.#engine.count(this.#withThread(one), now),
    );
    return this.#batch([...burning, ...changed, ...happened], [...incidents.values()], now);
  }

  /** Returns messages that need no slot: reminders, and the end of alerts whose target is no longer watched. */
  tick(now: number, conditions: readonly Condition[] = []): AlertBatch {
    const { location, probes } = this.#definition;
    const burning = this.#burns.map((burn) => this.#burnCondition(burn, now));
    const coverage = this.coverage.map(({ condition }) => condition);
    const targets = new Set(this.coverage.map(({ target }) => target));
    const certificates = this.#certificates
      .conditions(now)
      .filter(({ subject }) => 'target' in subject && targets.has(subject.target));
    const known = new Set([...burning, ...conditions, ...coverage, ...certificates].map(alertKey));
    const orphaned = this.#engine.withdraw(
      (alert) => (isIndicator(alert.source) || lasting.includes(alert.source)) && !known.has(alertKey(alert)),
    );
    const names = new Set(probes.map(({ target, name }) => `${target}/${name}`));
    const isWatched = (target: string, probe: string): boolean =>
      names.has(`${target}/${probe.slice(0, probe.lastIndexOf('/'))}`);
    const incidents = this.#book.forget(location, isWatched, now);
    const held = [...burning, ...conditions, ...certificates].flatMap((one) => this.#engine.hold(one, now));
    for (const one of coverage) if (this.#engine.find(one)) held.push(...this.#engine.hold(one, now));
    return this.#batch([...orphaned, ...held, ...this.#engine.remind(now)], incidents, now);
  }

  /** Takes what people said, from the command line; `now` in Unix ms. */
  remark(remarks: readonly Remark[], now: number): AlertBatch {
    const changed = remarks.flatMap(({ about, text, by, isAcknowledged }) => {
      const words = text === '' ? `by ${by}` : `by ${by}: ${text}`;
      return isAcknowledged ? this.#engine.acknowledge((alert) => isAbout(alert, about), words) : [];
    });
    const targets = this.coverage.map(({ target }) => target);
    const notes = noteEvents(remarks, this.#definition.location, targets);
    const batch = this.#batch(changed, [], now);
    return { ...batch, events: [...batch.events, ...notes] };
  }

  /** Marks that nothing can be judged since an instant (Unix ms), or with undefined that judging works again. */
  block(since: number | undefined): void {
    for (const coverage of this.coverage) coverage.block(since);
  }

  /** Called when the monitor runs again: slots missed before `now` (Unix ms) do not count against a target. */
  resume(now: number): void {
    for (const coverage of this.coverage) coverage.resume(now);
  }

  /** Shifts all instants after our clock was set by some ms: open alerts keep their age. */
  shift(by: number): AlertBatch {
    for (const burn of this.#burns) burn.shift(by);
    for (const coverage of this.coverage) coverage.shift(by);
    this.#engine.shift(by);
    return this.#batch([], this.#book.shift(by), 0);
  }

  #findIncident({ target, objective }: BurnSource): IncidentRecord | undefined {
    return this.#book.find(target, objective.indicator, this.#definition.location);
  }

  #burnCondition(burn: BurnSource, now: number): Condition {
    const { target, objective } = burn;
    const before = this.#engine.find({ source: objective.indicator, subject: { target } });
    const since = before && before.since + (before.moved ?? 0);
    return burn.condition(now, since, this.#findIncident(burn));
  }

  /** Threads what happened to a target's past to its open incident. */
  #withThread<T extends Pick<OpenAlert, 'subject'>>(happened: T): T {
    const { subject } = happened;
    const { location } = this.#definition;
    const incident = 'target' in subject && this.#book.find(subject.target, 'correctness', location);
    return incident ? { ...happened, facts: { incident: incident.id } } : happened;
  }

  #restore(slot: SlotRecord): void {
    this.#book.restore(slot);
    this.coverage.find(({ target }) => target === slot.series.target)?.restore(slot);
    for (const burn of this.#burns) burn.add(slot);
  }

  #batch(changed: readonly AlertChange[], incidents: readonly IncidentRecord[], now: number): AlertBatch {
    return { ...this.#desk.post(changed, now), incidents, states: this.#takeState() };
  }

  #takeState(): Readonly<Record<string, Json>> {
    const text = JSON.stringify(this.#state);
    if (text === this.#written) return {};
    this.#written = text;
    return { [alertsState]: JSON.parse(text) };
  }

  get #state(): Json {
    return toJson({
      engine: this.#engine.state,
      burns: Object.fromEntries(this.#burns.map((burn) => [burnKey(burn), burn.state])),
      coverage: Object.fromEntries(this.coverage.map(({ target, seen }) => [target, seen])),
      certificates: this.#certificates.state,
    });
  }
}

function burnKey({ target, objective }: BurnSource): string {
  return JSON.stringify([target, objective.indicator]);
}

/** Limits the planned time of a slot to now: the clock may have been set back during its run. */
function notLater(slot: SlotRecord, now: number): SlotRecord {
  return slot.scheduledAt > now ? { ...slot, scheduledAt: now } : slot;
}
