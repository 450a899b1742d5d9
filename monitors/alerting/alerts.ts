import type { Definition } from '../plan/definition.ts';
import { type MonitorPlan, planMonitoring } from '../plan/plan.ts';
import type { SlotPlan } from '../plan/slot-plan.ts';
import type { Indicator, SlotRecord } from '../results/probe-record.ts';
import type { EventRecord, IncidentRecord, Json, ResultsStore } from '../results/results-store.ts';
import { isReported, type Touch } from './alert.ts';
import { AlertBook } from './alert-book.ts';
import type { StoredAlerts } from './alert-source.ts';
import { collectMs } from './alert-times.ts';
import type { BurnSource } from './burn.ts';
import {
  type Condition,
  type CountedEvent,
  isIndicator,
  type Severity,
  type Source,
  symptomKey,
} from './cause.ts';
import { Certificates } from './certificates.ts';
import type { TargetCoverage } from './coverage-conditions.ts';
import { IncidentBook } from './incident-book.ts';
import { type AlertMessage, remake } from './message.ts';
import { type AlertBatch, MessageRouter } from './message-router.ts';
import { findOccurrences } from './occurrences.ts';
import { memoryMs, recentSlots } from './recent-slots.ts';
import { isAbout, noteEvents, type Remark } from './remarks.ts';
import { alertStates, burnName, coverageName, readStored } from './stored-alerts.ts';
import { TargetSources } from './target-sources.ts';
import type { Describe } from './words.ts';
import { WrittenStates } from './written-states.ts';

/** The keys of a monitor by their accounts' names: whether others use one by agreement, and the targets that use it. */
export type AlertKeys = ReadonlyMap<
  string,
  { readonly isShared: boolean; readonly targets: readonly string[] }
>;

/** An objective of a target, and its symptom if it is in danger now. */
export type ObjectiveAlert = {
  readonly target: string;
  readonly indicator: Indicator;
  readonly touch: Touch | undefined;
};

/** Sources whose conditions are all known at every tick: what none of them speaks of is not watched any more. */
const lasting: readonly Source[] = [
  ...(['retries', 'coverage', 'clock', 'exhaustion', 'certificate', 'sink', 'folder', 'slow-disk'] as const),
  'planned-work',
];

/**
 * Incidents and alerts of one location, from the slots of its probes and from conditions that follow from the time
 * alone. Assumes that everything it returns is written: a caller that fails to write it must open a new object.
 */
export class Alerts {
  readonly #definition: Definition;
  readonly #targets: ReadonlyMap<string, TargetSources>;
  readonly #incidents: IncidentBook;
  readonly #book: AlertBook;
  readonly #certificates: Certificates;
  readonly #keys: AlertKeys;
  readonly #router: MessageRouter;
  readonly coverage: readonly TargetCoverage[];
  #plans: ReadonlyMap<string, SlotPlan> = new Map();
  /** Conditions that are no target's own, by their symptoms, as they were seen last. */
  readonly #seen = new Map<string, Condition>();
  readonly #written = new WrittenStates();

  private constructor(
    definition: Definition,
    open: readonly IncidentRecord[],
    now: number,
    stored: StoredAlerts,
    keys: AlertKeys,
  ) {
    const { location, alerting, groups = {}, parents = {} } = definition;
    const targets = listWatched(definition);
    this.#definition = definition;
    this.#keys = keys;
    const accounts = new Map([...keys].map(([name, key]) => [name, key.targets]));
    this.#router = new MessageRouter(alerting.sinks, accounts, alerting.escalation?.sink);
    const policy = {
      collect: targets.length > 1 ? collectMs : 0,
      reminder: alerting.reminder,
      escalateAfter: alerting.escalation?.after,
    };
    this.#book = new AlertBook(location, policy, { groups, parents }, stored.alerts, stored.isFormer);
    this.#certificates = new Certificates(stored.certificates);
    const findAccount = (target: string): string | undefined =>
      [...keys].find(([, key]) => key.targets.includes(target))?.[0];
    this.#targets = new Map(
      targets.map((target) => {
        const beginning = { now, coverage: stored.coverage(target), account: findAccount(target) };
        return [target, new TargetSources(target, definition, beginning)];
      }),
    );
    this.coverage = [...this.#targets.values()].map(({ coverage }) => coverage);
    this.#incidents = new IncidentBook(open, memoryMs, (target, probe) =>
      this.#plans.get(`${target}/${probe.slice(0, probe.lastIndexOf('/'))}`),
    );
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
    const horizon = await recentSlots(store, definition.location, now, (slot) => alerts.#restore(slot));
    for (const burn of alerts.#burns) {
      const state = stored.burn(burn.target, burn.objective.indicator);
      if (state) burn.restore(state, horizon);
    }
    for (const { attempts } of alerts.#targets.values()) attempts?.judge(now);
    if (!stored.isFormer) alerts.#takeStates(alerts.#burns, alerts.coverage);
    return alerts;
  }

  /** Has each message passed on as it is raised. */
  set onMessage(listener: (message: AlertMessage) => void) {
    this.#router.onMessage = listener;
  }

  /** Takes the cadence of the probes from now on. */
  replan({ probes, objectives }: MonitorPlan): void {
    this.#plans = new Map(probes.map(({ plan }) => [plan.id, plan]));
    const cadences = new Map(
      objectives.map(({ target, indicator, cadence }) => [burnName(target, indicator), cadence]),
    );
    for (const burn of this.#burns)
      burn.setCadence(cadences.get(burnName(burn.target, burn.objective.indicator)));
  }

  get objectiveAlerts(): readonly ObjectiveAlert[] {
    return this.#burns.map(({ target, objective: { indicator } }) => {
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
    return this.#incidents.open;
  }

  /** Takes finished slots with their records, each once and those of one probe in order; `now` in Unix ms. */
  take(
    slots: readonly SlotRecord[],
    now: number,
    evidenceOf: (slot: SlotRecord) => Json | undefined = () => undefined,
    events: readonly EventRecord[] = [],
  ): AlertBatch {
    const incidents = new Map<string, IncidentRecord>();
    const [judged, covered] = [new Set<BurnSource>(), new Set<TargetCoverage>()];
    const own = slots
      .filter(({ series }) => series.location === this.#definition.location)
      .map((slot) => notLater(slot, now))
      .toSorted((one, other) => one.scheduledAt - other.scheduledAt);
    for (const slot of own) {
      for (const incident of this.#incidents.take(slot, evidenceOf)) incidents.set(incident.id, incident);
      const sources = this.#targets.get(slot.series.target);
      for (const burn of sources?.burns ?? []) {
        if (burn.add(slot)) judged.add(burn);
        burn.follow(slot, this.#findIncident(burn));
      }
      if (sources) {
        sources.attempts?.take(slot, now);
        sources.coverage.take(slot);
        covered.add(sources.coverage);
        this.#book.hold(sources.coverage.condition, now);
      }
      this.#certificates.take(slot);
    }
    for (const burn of judged) burn.judge(now);
    for (const burn of judged) this.#book.hold(this.#burnCondition(burn, now), now);
    const shared = new Set([...this.#keys].flatMap(([name, { isShared }]) => (isShared ? [name] : [])));
    for (const one of findOccurrences(events, shared)) this.#book.happen(this.#withThread(one), now);
    const touched = own.flatMap(({ series }) => this.#targets.get(series.target)?.burns ?? []);
    return this.#batch([...incidents.values()], now, [...new Set(touched)], [...covered]);
  }

  /** Returns messages that need no slot: reminders, and the end of alerts whose target is no longer watched. */
  tick(now: number, conditions: readonly Condition[] = []): AlertBatch {
    const { location, probes } = this.#definition;
    const burning = this.#burns.map((burn) => this.#burnCondition(burn, now));
    const coverage = this.coverage.map(({ condition }) => condition);
    const certificates = this.#certificates
      .conditions(now)
      .filter(({ subject }) => 'target' in subject && this.#targets.has(subject.target));
    const attempts = [...this.#targets.values()].flatMap(({ attempts: one }) => one?.condition(now) ?? []);
    const further = [...conditions, ...certificates, ...attempts];
    const known = new Set([...burning, ...coverage, ...further].map(symptomKey));
    this.#book.withdraw(
      (touch) =>
        (isIndicator(touch.source) || lasting.includes(touch.source)) && !known.has(symptomKey(touch)),
      now,
    );
    const names = new Set(probes.map(({ target, name }) => `${target}/${name}`));
    const isWatched = (target: string, probe: string): boolean =>
      names.has(`${target}/${probe.slice(0, probe.lastIndexOf('/'))}`);
    const incidents = this.#incidents.forget(location, isWatched, now);
    for (const one of further) this.#seen.set(symptomKey(one), one);
    for (const one of [...burning, ...further]) this.#book.hold(one, now);
    for (const one of coverage) if (this.#book.find(one)) this.#book.hold(one, now);
    return this.#batch(incidents, now, this.#burns, this.coverage, true);
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
    return remake(message, alert, this.#describe(now), now);
  }

  /** Takes what people said, from the command line; `now` in Unix ms. */
  remark(remarks: readonly Remark[], now: number): AlertBatch {
    for (const { about, text, by, isAcknowledged } of remarks)
      if (isAcknowledged) {
        const words = text === '' ? `by ${by}` : `by ${by}: ${text}`;
        this.#book.acknowledge((alert) => isAbout(alert, about), words, now);
      }
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
    for (const sources of this.#targets.values()) sources.shift(by);
    this.#book.shift(by);
    const states = this.#takeStates(this.#burns, this.coverage);
    return { events: [], deliveries: [], incidents: this.#incidents.shift(by), states };
  }

  get #burns(): readonly BurnSource[] {
    return [...this.#targets.values()].flatMap(({ burns }) => burns);
  }

  #isJudged(target: string): boolean {
    const { burns = [], coverage } = this.#targets.get(target) ?? {};
    return coverage?.blindSince === undefined && !burns.some(({ isInWork }) => isInWork);
  }

  #findIncident({ target, objective }: BurnSource): IncidentRecord | undefined {
    return this.#incidents.find(target, objective.indicator, this.#definition.location);
  }

  #burnCondition(burn: BurnSource, now: number): Condition {
    const { target, objective } = burn;
    const { alert } = this.#book.find({ source: objective.indicator, subject: { target } }) ?? {};
    const since = alert && isReported(alert) ? alert.since + (alert.moved ?? 0) : undefined;
    return burn.condition(now, since, this.#findIncident(burn));
  }

  /** Words symptoms by their sources as they are at `now`. */
  #describe(now: number): Describe {
    return (touch) => {
      const condition = this.#findCondition(touch, now);
      const { subject } = touch;
      const runbook = 'target' in subject ? this.#definition.runbooks?.[subject.target] : undefined;
      return (
        condition && {
          words: `${condition.words(now)}${runbook === undefined ? '' : `\nrunbook: ${runbook}`}`,
          facts: { ...condition.facts?.(now), ...(runbook !== undefined && { runbook }) },
        }
      );
    };
  }

  #findCondition({ source, subject }: Touch, now: number): Condition | undefined {
    const sources = 'target' in subject ? this.#targets.get(subject.target) : undefined;
    if (source === 'coverage') return sources?.coverage.condition;
    const burn = sources?.burns.find(({ objective }) => objective.indicator === source);
    return burn ? this.#burnCondition(burn, now) : this.#seen.get(symptomKey({ source, subject }));
  }

  /** Threads what happened to a target's past to its open incident. */
  #withThread(happened: CountedEvent): CountedEvent {
    const { subject } = happened;
    const { location } = this.#definition;
    const incident = 'target' in subject && this.#incidents.find(subject.target, 'correctness', location);
    return incident ? { ...happened, incident: incident.id } : happened;
  }

  #restore(slot: SlotRecord): void {
    this.#incidents.restore(slot);
    this.#targets.get(slot.series.target)?.restore(slot);
  }

  #batch(
    incidents: readonly IncidentRecord[],
    now: number,
    burns: readonly BurnSource[] = [],
    coverage: readonly TargetCoverage[] = [],
    isLookedAt = false,
  ): AlertBatch {
    const posted = this.#router.post(
      this.#book.advance(now, isLookedAt, (target) => this.#isJudged(target)),
      this.#describe(now),
      now,
    );
    return { ...posted, incidents, states: this.#takeStates(burns, coverage) };
  }

  /** Returns the states that changed, of the alerts and of these sources. */
  #takeStates(
    burns: readonly BurnSource[],
    coverage: readonly TargetCoverage[],
  ): Readonly<Record<string, Json>> {
    const certificates = this.#certificates.state;
    const isRenewed = this.#written.isFresh('certificates', certificates);
    return {
      ...this.#written.takeFresh([
        ...burns.map((burn) => [burnName(burn.target, burn.objective.indicator), burn.state] as const),
        ...coverage.map(({ target, seen }) => [coverageName(target), seen] as const),
      ]),
      ...alertStates(this.#book.takeChanged(), this.#book.alerts, isRenewed ? certificates : undefined),
    };
  }
}

function listWatched({ probes }: Definition): string[] {
  return [...new Set(probes.map(({ target }) => target))];
}

/** Limits the planned time of a slot to now: the clock may have been set back during its run. */
function notLater(slot: SlotRecord, now: number): SlotRecord {
  return slot.scheduledAt > now ? { ...slot, scheduledAt: now } : slot;
}
