import type { Indicator, SlotRecord } from '../../results/probe-record.ts';
import type {
  DeliveryRecord,
  EventRecord,
  IncidentRecord,
  Json,
  RecordBatch,
  ResultsStore,
} from '../../results/results-store.ts';
import type { Definition, Objective } from '../plan/definition.ts';
import { type MonitorPlan, planMonitoring } from '../plan/plan.ts';
import type { SlotPlan } from '../plan/slot-plan.ts';
import { alertsState, parseAlerts, serializeAlerts } from './alert-state.ts';
import { type AlertChange, AlertWatch } from './alert-watch.ts';
import { IncidentBook } from './incident-book.ts';
import { type AlertMessage, alertMessage, messageEvent, type OpenAlert, toJson } from './message.ts';
import type { NoticeCondition } from './notice.ts';
import { Notices } from './notices.ts';
import { memoryMs, recentSlots } from './recent-slots.ts';

/** To be written in the same transaction as the slots it came from. */
export type AlertBatch = Required<Pick<RecordBatch, 'events' | 'incidents' | 'deliveries' | 'states'>>;

/** An objective of a target, and its open alert. */
export type ObjectiveAlert = {
  readonly target: string;
  readonly indicator: Indicator;
  readonly alert: OpenAlert | undefined;
};

/**
 * Incidents and alerts of one location, from the slots of its probes; one alert for each objective at each target.
 * Assumes that everything it returns is written: a caller that fails to write it must open a new object.
 */
export class Alerts {
  readonly #definition: Definition;
  readonly #watches: readonly AlertWatch[];
  readonly #book: IncidentBook;
  #plans: ReadonlyMap<string, SlotPlan> = new Map();
  readonly #notices: Notices;
  /** Alerts of an earlier process whose objective or target no longer exists, so that no slot can clear them. */
  #orphaned: readonly OpenAlert[] = [];

  private constructor(definition: Definition, open: readonly IncidentRecord[], notices: Notices) {
    this.#definition = definition;
    this.#notices = notices;
    this.#watches = makeWatches(definition);
    this.#book = new IncidentBook(open, memoryMs, (target, probe) =>
      this.#plans.get(`${target}/${probe.slice(0, probe.lastIndexOf('/'))}`),
    );
  }

  /**
   * Continues after an earlier process: reads its stored state, and the slots of the longest window.
   * @param shared accounts that others use as well, by their names
   * @throws Error if the state has another form
   */
  static async open(
    store: ResultsStore,
    definition: Definition,
    now: number,
    plan = planMonitoring({ definition, keys: [], now }),
    shared: ReadonlySet<string> = new Set(),
  ): Promise<Alerts> {
    const notices = await Notices.open(store, definition, now, shared);
    const alerts = new Alerts(definition, await store.openIncidents(), notices);
    alerts.replan(plan);
    const horizon = await recentSlots(store, definition.location, now, (slot) => alerts.#updateState(slot));
    for (const alert of parseAlerts(await store.state(alertsState))) {
      const watch = alerts.#watches.find((one) => one.matches(alert.standing));
      if (watch) watch.restore(alert, horizon);
      else alerts.#orphaned = [...alerts.#orphaned, alert.standing];
    }
    return alerts;
  }

  /** Takes the cadence of the probes from now on. */
  replan({ probes, objectives }: MonitorPlan): void {
    this.#plans = new Map(probes.map(({ plan }) => [plan.id, plan]));
    for (const watch of this.#watches) {
      const { target, objective } = watch;
      const planned = objectives.find(
        (one) => one.target === target && one.indicator === objective.indicator,
      );
      watch.setCadence(planned?.cadence);
    }
  }

  get objectiveAlerts(): readonly ObjectiveAlert[] {
    return this.#watches.map(({ target, objective, alert }) => ({
      target,
      indicator: objective.indicator,
      alert,
    }));
  }

  /** The time until which each target was judged. */
  get coverage(): Notices['coverage'] {
    return this.#notices.coverage;
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
    const touched = new Set<AlertWatch>();
    const ofWatch = slots
      .filter((slot) => this.#isOfThisLocation(slot))
      .map((slot) => notLater(slot, now))
      .toSorted(comparePlanned);
    for (const slot of ofWatch) {
      for (const incidentRecord of this.#book.take(slot, evidenceOf))
        incidents.set(incidentRecord.id, incidentRecord);
      for (const watch of this.#watches) if (watch.add(slot)) touched.add(watch);
    }
    const watches = this.#watches.filter((watch) => touched.has(watch));
    const isKept = watches.some(({ alert: standing }) => standing !== undefined);
    const reported = watches.flatMap((watch) => this.#messages(watch.judge(now), now, watch.objective));
    const noticed = this.#notices.take(ofWatch, events, now).map((message) => this.#withThread(message));
    return this.#batch([...reported, ...noticed], [...incidents.values()], isKept, now);
  }

  /** Returns messages that need no slot: reminders, and the end of alerts whose target is no longer watched. */
  tick(now: number, conditions: readonly NoticeCondition[] = []): AlertBatch {
    const { location, probes, alerting } = this.#definition;
    const withdrawn = this.#orphaned.flatMap((standing) =>
      this.#messages({ alert: standing, change: 'withdrawn' }, now),
    );
    this.#orphaned = [];
    const reminders = this.#watches.flatMap((watch) =>
      this.#messages(watch.remind(now, alerting.reminder), now, watch.objective),
    );
    const names = new Set(probes.map(({ target, name }) => `${target}/${name}`));
    const isWatched = (target: string, probe: string): boolean =>
      names.has(`${target}/${probe.slice(0, probe.lastIndexOf('/'))}`);
    const incidents = this.#book.forget(location, isWatched, now);
    const noticed = this.#notices.tick(conditions, now);
    return this.#batch([...withdrawn, ...reminders, ...noticed], incidents, false, now);
  }

  /** Marks that nothing can be judged since an instant (Unix ms), or with undefined that judging works again. */
  block(since: number | undefined): void {
    for (const targetCoverage of this.#notices.coverage) targetCoverage.block(since);
  }

  /** Called when the monitor runs again: slots missed before `now` (Unix ms) do not count against a target. */
  resume(now: number): void {
    this.#notices.resume(now);
  }

  /** Shifts all instants after our clock was set by some ms: open alerts keep their age. */
  shift(by: number): AlertBatch {
    for (const watch of this.#watches) watch.shift(by);
    this.#notices.shift(by);
    return this.#batch([], this.#book.shift(by), true, 0);
  }

  #isOfThisLocation({ series }: SlotRecord): boolean {
    return series.location === this.#definition.location;
  }

  /** Threads a message to the open incident of its target. */
  #withThread(message: AlertMessage): AlertMessage {
    const { target, notice } = message;
    const isOfThePast = notice === 'restatement' || notice === 'network-reset';
    const incident =
      target !== undefined && isOfThePast
        ? this.#book.find(target, 'correctness', message.location)
        : undefined;
    return incident ? { ...message, incident: incident.id } : message;
  }

  #updateState(slot: SlotRecord): void {
    this.#book.restore(slot);
    this.#notices.restore(slot);
    for (const watch of this.#watches) watch.add(slot);
  }

  #messages(changed: AlertChange | undefined, now: number, objective?: Objective): AlertMessage[] {
    if (changed === undefined) return [];
    const { target, indicator, location } = changed.alert;
    const incident = this.#book.find(target, indicator, location);
    const { damage } = changed;
    const facts = { ...(objective && { objective }), ...(incident && { incident }), damage };
    return [alertMessage(changed.alert, changed.change, now, facts)];
  }

  /** @param isKept true if the state changes even without a message */
  #batch(
    messages: readonly AlertMessage[],
    incidents: readonly IncidentRecord[],
    isKept: boolean,
    now: number,
  ): AlertBatch {
    const kept = this.#watches.flatMap((watch) => watch.stored);
    const sinks = this.#definition.alerting.sinks.map(({ name }) => name);
    return {
      events: messages.map((message) => messageEvent(message, now)),
      incidents,
      deliveries: messages.flatMap((message) => sinks.map((sink) => makeDelivery(message, sink, now))),
      states: {
        ...(isKept || messages.length > 0 ? { [alertsState]: serializeAlerts(kept) } : {}),
        ...this.#notices.takeState(),
      },
    };
  }
}

function makeWatches({ probes, objectives, location }: Definition): AlertWatch[] {
  const targets = [...new Set(probes.map(({ target }) => target))];
  return targets.flatMap((target) =>
    objectives.map((objective) => new AlertWatch(target, objective, location)),
  );
}

/** Limits the planned time of a slot to now: the clock may have been set back during its run. */
function notLater(slot: SlotRecord, now: number): SlotRecord {
  return slot.scheduledAt > now ? { ...slot, scheduledAt: now } : slot;
}

function comparePlanned(one: SlotRecord, other: SlotRecord): number {
  return one.scheduledAt - other.scheduledAt;
}

function makeDelivery(message: AlertMessage, sink: string, now: number): DeliveryRecord {
  const id = `${message.id}/${encodeURIComponent(sink)}`;
  return { id, sink, dueAt: now, attempts: 0, message: toJson(message) };
}
