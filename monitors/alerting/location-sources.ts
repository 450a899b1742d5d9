import type { Definition } from '../plan/definition.ts';
import type { MonitorPlan } from '../plan/plan.ts';
import type { SlotPlan } from '../plan/slot-plan.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { IncidentRecord, Json } from '../results/results-store.ts';
import type { Touch } from './alert.ts';
import type { StoredAlerts } from './alert-source.ts';
import type { BurnSource } from './burn.ts';
import { type Condition, type CountedEvent, symptomKey } from './cause.ts';
import { Certificates } from './certificates.ts';
import type { TargetCoverage } from './coverage-conditions.ts';
import { IncidentBook } from './incident-book.ts';
import type { AlertKeys } from './message-router.ts';
import { memoryMs } from './recent-slots.ts';
import { burnName } from './stored-alerts.ts';
import { TargetSources } from './target-sources.ts';
import type { Describe } from './words.ts';

/** Everything that can be wrong as seen from one location: its incidents, and the sources of what alerts are about. */
export class LocationSources {
  readonly targets: readonly TargetSources[];
  readonly incidents: IncidentBook;
  readonly certificates: Certificates;
  readonly #definition: Definition;
  readonly #byName: ReadonlyMap<string, TargetSources>;
  readonly #findSince: (burn: BurnSource) => number | undefined;
  #plans: ReadonlyMap<string, SlotPlan> = new Map();
  /** Conditions that are no target's own, by their symptoms, as they were seen last. */
  readonly #seen = new Map<string, Condition>();

  /** @param findSince since when the alert of an objective is reported, Unix ms */
  constructor(
    definition: Definition,
    keys: AlertKeys,
    stored: StoredAlerts & { readonly incidents: readonly IncidentRecord[] },
    now: number,
    findSince: (burn: BurnSource) => number | undefined,
  ) {
    this.#definition = definition;
    const findAccount = (target: string): string | undefined =>
      [...keys].find(([, key]) => key.targets.includes(target))?.[0];
    this.#byName = new Map(
      listWatched(definition).map((target) => [
        target,
        new TargetSources(target, definition, now, stored, findAccount(target)),
      ]),
    );
    this.targets = [...this.#byName.values()];
    this.certificates = new Certificates(stored.certificates);
    this.#findSince = findSince;
    this.incidents = new IncidentBook(stored.incidents, memoryMs, (target, probe) =>
      this.#plans.get(`${target}/${withoutOperation(probe)}`),
    );
  }

  get burns(): readonly BurnSource[] {
    return this.targets.flatMap(({ burns }) => burns);
  }

  get coverage(): readonly TargetCoverage[] {
    return this.targets.map(({ coverage }) => coverage);
  }

  /** Takes the cadence of the probes from now on. */
  replan({ probes, objectives }: MonitorPlan): void {
    this.#plans = new Map(probes.map(({ plan }) => [plan.id, plan]));
    const cadences = new Map(
      objectives.map(({ target, indicator, cadence }) => [burnName(target, indicator), cadence]),
    );
    for (const burn of this.burns)
      burn.setCadence(cadences.get(burnName(burn.target, burn.objective.indicator)));
  }

  /** Takes a slot that an earlier process has judged. */
  restore(slot: SlotRecord): void {
    this.incidents.restore(slot);
    this.#byName.get(slot.series.target)?.restore(slot);
  }

  /**
   * Takes finished slots at `now` (Unix ms), and passes the coverage of a target on after each of them. Returns the
   * incidents that changed, the targets that were looked at, and the objectives that are judged anew.
   */
  take(
    slots: readonly SlotRecord[],
    now: number,
    evidenceOf: (slot: SlotRecord) => Json | undefined,
    onCoverage: (coverage: Condition) => void,
  ) {
    const incidents = new Map<string, IncidentRecord>();
    const [judged, touched] = [new Set<BurnSource>(), new Set<TargetSources>()];
    const own = slots
      .filter(({ series }) => series.location === this.#definition.location)
      .map((slot) => notLater(slot, now))
      .toSorted((one, other) => one.scheduledAt - other.scheduledAt);
    for (const slot of own) {
      for (const incident of this.incidents.take(slot, evidenceOf)) incidents.set(incident.id, incident);
      this.certificates.take(slot);
      const target = this.#byName.get(slot.series.target);
      if (!target) continue;
      for (const burn of target.take(slot, now, (one) => this.#findIncident(one))) judged.add(burn);
      touched.add(target);
      onCoverage(target.coverage.condition);
    }
    for (const burn of judged) burn.judge(now);
    return { incidents: [...incidents.values()], touched: [...touched], judged: [...judged] };
  }

  /** Ends the incidents of probes that do not run any more, and returns them. */
  forget(now: number): readonly IncidentRecord[] {
    const { location, probes } = this.#definition;
    const names = new Set(probes.map(({ target, name }) => `${target}/${name}`));
    const isWatched = (target: string, probe: string): boolean =>
      names.has(`${target}/${withoutOperation(probe)}`);
    return this.incidents.forget(location, isWatched, now);
  }

  /** Returns all conditions at `now` (Unix ms) but those of coverage, which slots open and the time only continues. */
  conditions(now: number, reported: readonly Condition[]): readonly Condition[] {
    const certificates = this.certificates
      .conditions(now)
      .filter(({ subject }) => 'target' in subject && this.#byName.has(subject.target));
    const attempts = this.targets.flatMap((sources) => sources.attempts?.condition(now) ?? []);
    const further = [...reported, ...certificates, ...attempts];
    for (const one of further) this.#seen.set(symptomKey(one), one);
    return [...this.burns.map((burn) => this.condition(burn, now)), ...further];
  }

  /** Returns the condition of an objective at `now` (Unix ms). */
  condition(burn: BurnSource, now: number): Condition {
    return burn.condition(now, this.#findSince(burn), this.#findIncident(burn));
  }

  /** Returns whether slots say how a target is: it is not blind, and no work at it lasts. */
  isJudged(target: string): boolean {
    const { burns = [], coverage } = this.#byName.get(target) ?? {};
    return coverage?.blindSince === undefined && !burns.some(({ isInWork }) => isInWork);
  }

  /** Words symptoms by their sources as they are at `now`. */
  describe(now: number): Describe {
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
    const sources = 'target' in subject ? this.#byName.get(subject.target) : undefined;
    if (source === 'coverage') return sources?.coverage.condition;
    const burn = sources?.burns.find(({ objective }) => objective.indicator === source);
    return burn ? this.condition(burn, now) : this.#seen.get(symptomKey({ source, subject }));
  }

  /** Threads what happened to a target's past to its open incident. */
  thread(happened: CountedEvent): CountedEvent {
    const { subject } = happened;
    const { location } = this.#definition;
    const incident = 'target' in subject && this.incidents.find(subject.target, 'correctness', location);
    return incident ? { ...happened, incident: incident.id } : happened;
  }

  #findIncident({ target, objective }: BurnSource): IncidentRecord | undefined {
    return this.incidents.find(target, objective.indicator, this.#definition.location);
  }
}

/** Lists the targets that a definition watches. */
export function listWatched({ probes }: Definition): string[] {
  return [...new Set(probes.map(({ target }) => target))];
}

/** Returns the name of a probe in the definition. */
function withoutOperation(probe: string): string {
  return probe.slice(0, probe.lastIndexOf('/'));
}

/** Limits the planned time of a slot to now: the clock may have been set back during its run. */
function notLater(slot: SlotRecord, now: number): SlotRecord {
  return slot.scheduledAt > now ? { ...slot, scheduledAt: now } : slot;
}
