import type { Definition } from '../plan/definition.ts';
import { type MonitorPlan, planMonitoring } from '../plan/plan.ts';
import type { Indicator, SlotRecord } from '../results/probe-record.ts';
import type { EventRecord, IncidentRecord, Json, ResultsStore } from '../results/results-store.ts';
import { isReported, type Touch } from './alert.ts';
import { AlertBook } from './alert-book.ts';
import type { StoredAlerts } from './alert-source.ts';
import { collectMs } from './alert-times.ts';
import type { BurnSource } from './burn.ts';
import { type Condition, isLasting, type Severity, symptomKey } from './cause.ts';
import type { TargetCoverage } from './coverage-conditions.ts';
import { LocationSources, listWatched } from './location-sources.ts';
import { type AlertMessage, remake } from './message.ts';
import { type AlertBatch, type AlertKeys, MessageRouter } from './message-router.ts';
import { findOccurrences } from './occurrences.ts';
import { recentSlots } from './recent-slots.ts';
import { acknowledge, noteEvents, type Remark } from './remarks.ts';
import { readStored } from './stored-alerts.ts';
import type { TargetSources } from './target-sources.ts';
import { WrittenStates } from './written-states.ts';

/** An objective of a target, and its symptom if it is in danger now. */
export type ObjectiveAlert = {
  readonly target: string;
  readonly indicator: Indicator;
  readonly touch: Touch | undefined;
};

/**
 * Incidents and alerts of one location, from the slots of its probes and from conditions that follow from the time
 * alone. Assumes that everything it returns is written: a caller that fails to write it must open a new object.
 */
export class Alerts {
  readonly #definition: Definition;
  readonly #sources: LocationSources;
  readonly #book: AlertBook;
  /** The names of the accounts of keys that others use by agreement. */
  readonly #sharedKeys: ReadonlySet<string>;
  readonly #router: MessageRouter;
  readonly #written = new WrittenStates();

  private constructor(
    definition: Definition,
    incidents: readonly IncidentRecord[],
    now: number,
    stored: StoredAlerts,
    keys: AlertKeys,
  ) {
    const { location, alerting, groups = {}, parents = {} } = definition;
    this.#definition = definition;
    this.#sharedKeys = new Set([...keys].flatMap(([name, { isShared }]) => (isShared ? [name] : [])));
    this.#router = new MessageRouter(alerting, keys);
    this.#sources = new LocationSources(definition, keys, { ...stored, incidents }, now, (burn) =>
      this.#findSince(burn),
    );
    const policy = {
      collect: this.#sources.targets.length > 1 ? collectMs : 0,
      reminder: alerting.reminder,
      escalateAfter: alerting.escalation?.after,
    };
    this.#book = new AlertBook(location, policy, { groups, parents }, stored.alerts, stored.isFormer);
  }

  /** Continues after an earlier process: reads its stored states, and the slots of the longest window. */
  static async open(
    store: ResultsStore,
    definition: Definition,
    now: number,
    plan = planMonitoring({ definition, keys: [], now }),
    keys: AlertKeys = new Map(),
  ): Promise<Alerts> {
    const indicators = definition.objectives.map(({ indicator }) => indicator);
    const watched = listWatched(definition).map((target) => ({ target, indicators }));
    const stored = await readStored(store, watched);
    const alerts = new Alerts(definition, await store.openIncidents(), now, stored, keys);
    alerts.replan(plan);
    const sources = alerts.#sources;
    const horizon = await recentSlots(store, definition.location, now, (slot) => sources.restore(slot));
    for (const target of sources.targets) target.resumeFrom(stored, horizon, now);
    if (!stored.isFormer) alerts.#takeStates(sources.targets);
    return alerts;
  }

  /** Has each message passed on as it is raised. */
  set onMessage(listener: (message: AlertMessage) => void) {
    this.#router.onMessage = listener;
  }

  /** Takes the cadence of the probes from now on. */
  replan(plan: MonitorPlan): void {
    this.#sources.replan(plan);
  }

  get coverage(): readonly TargetCoverage[] {
    return this.#sources.coverage;
  }

  get objectiveAlerts(): readonly ObjectiveAlert[] {
    return this.#sources.burns.map(({ target, objective: { indicator } }) => {
      const { touch } = this.#book.find({ source: indicator, subject: { target } }) ?? {};
      return { target, indicator, touch: touch?.end === undefined ? touch : undefined };
    });
  }

  /** The alerts that are not resolved. */
  get openAlerts(): readonly { readonly state: 'firing' | 'flapping'; readonly severity: Severity }[] {
    return this.#book.alerts.flatMap(({ state, severity }) =>
      state === 'resolved' ? [] : [{ state, severity }],
    );
  }

  get openIncidents(): readonly IncidentRecord[] {
    return this.#sources.incidents.open;
  }

  /** Takes finished slots with their records, each once and those of one probe in order; `now` in Unix ms. */
  take(
    slots: readonly SlotRecord[],
    now: number,
    evidenceOf: (slot: SlotRecord) => Json | undefined = () => undefined,
    events: readonly EventRecord[] = [],
  ): AlertBatch {
    const hold = (condition: Condition): void => this.#book.hold(condition, now);
    const { incidents, touched, judged } = this.#sources.take(slots, now, evidenceOf, hold);
    for (const burn of judged) hold(this.#sources.condition(burn, now));
    for (const one of findOccurrences(events, this.#sharedKeys))
      this.#book.happen(this.#sources.thread(one), now);
    return this.#batch(incidents, now, touched);
  }

  /** Returns messages that need no slot: reminders, and the end of alerts whose target is no longer watched. */
  tick(now: number, reported: readonly Condition[] = []): AlertBatch {
    const open = this.#sources.conditions(now, reported);
    const coverage = this.coverage.map(({ condition }) => condition);
    const known = new Set([...open, ...coverage].map(symptomKey));
    this.#book.withdraw((touch) => isLasting(touch.source) && !known.has(symptomKey(touch)), now);
    const incidents = this.#sources.forget(now);
    for (const one of open) this.#book.hold(one, now);
    for (const one of coverage) if (this.#book.find(one)) this.#book.hold(one, now);
    return this.#batch(incidents, now, this.#sources.targets, true);
  }

  /** Returns whether a message is due at `now` (Unix ms), so that `advance` has something to write. */
  isDue(now: number): boolean {
    return this.#book.isDue(now);
  }

  /** Returns the messages that are due, without a look at the sources. */
  advance(now: number): AlertBatch {
    return this.#batch([], now);
  }

  /** Returns a message that waited in the words of the present. */
  remake(message: AlertMessage, now: number): AlertMessage {
    const alert = message.alert === undefined ? undefined : this.#book.get(message.alert);
    return remake(message, alert, this.#sources.describe(now), now);
  }

  /** Takes what people said, from the command line; `now` in Unix ms. */
  remark(remarks: readonly Remark[], now: number): AlertBatch {
    acknowledge(remarks, this.#book, now);
    const targets = this.coverage.map(({ target }) => target);
    const notes = noteEvents(remarks, this.#definition, targets);
    const batch = this.#batch([], now);
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
    const { targets, incidents } = this.#sources;
    for (const target of targets) target.shift(by);
    this.#book.shift(by);
    const states = this.#takeStates(targets);
    return { events: [], deliveries: [], incidents: incidents.shift(by), states };
  }

  #findSince({ target, objective }: BurnSource): number | undefined {
    const { alert } = this.#book.find({ source: objective.indicator, subject: { target } }) ?? {};
    return alert && isReported(alert) ? alert.since + (alert.moved ?? 0) : undefined;
  }

  #batch(
    incidents: readonly IncidentRecord[],
    now: number,
    sources: readonly TargetSources[] = [],
    isLookedAt = false,
  ): AlertBatch {
    const posted = this.#router.post(
      this.#book.advance(now, isLookedAt, (target) => this.#sources.isJudged(target)),
      this.#sources.describe(now),
      now,
    );
    return { ...posted, incidents, states: this.#takeStates(sources) };
  }

  #takeStates(sources: readonly TargetSources[]): Readonly<Record<string, Json>> {
    const { certificates } = this.#sources;
    return this.#written.takeAll(sources, certificates.state, this.#book);
  }
}
