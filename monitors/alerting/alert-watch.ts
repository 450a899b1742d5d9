import { type Slo, updateAlert, usualSlo } from '../../planning/burn-rate.ts';
import { BurnWindow } from '../../planning/burn-window.ts';
import { rateIndicator, type SlotRecord } from '../../results/probe-record.ts';
import type { Objective } from '../plan/definition.ts';
import type { StoredAlert } from './alert-state.ts';
import { alertSeverity, type Change, type OpenAlert } from './message.ts';

/** A change of an alert, with the alert as it is then, or was until then. */
export type AlertChange = {
  readonly alert: OpenAlert;
  readonly change: Change;
  /** Rules that the alert had not named before. */
  readonly damage?: readonly string[];
};

/** One objective at one target, seen from one location: at most one alert. */
export class AlertWatch {
  readonly target: string;
  readonly objective: Objective;
  readonly #location: string;
  readonly #damage = new SeenDamage();
  #slo: Slo;
  readonly #window: BurnWindow;
  #standing: OpenAlert | undefined;

  constructor(target: string, objective: Objective, location: string) {
    this.target = target;
    this.objective = objective;
    this.#location = location;
    this.#slo = { ...usualSlo, objective: objective.objective };
    this.#window = new BurnWindow(this.#slo);
  }

  /** Sets the mean time between slots, in ms. */
  setCadence(cadence: number | undefined): void {
    this.#slo = {
      ...usualSlo,
      objective: this.objective.objective,
      ...(cadence !== undefined && { cadence }),
    };
  }

  get alert(): OpenAlert | undefined {
    return this.#standing;
  }

  get stored(): readonly StoredAlert[] {
    return this.#standing ? [{ standing: this.#standing, newest: this.#window.newest() }] : [];
  }

  matches({ target, indicator, location }: OpenAlert): boolean {
    return target === this.target && indicator === this.objective.indicator && location === this.#location;
  }

  /** @param horizon Unix ms; slots have already reported everything later */
  restore({ standing, newest }: StoredAlert, horizon: number): void {
    this.#standing = standing;
    for (const judgedSample of newest) if (judgedSample.at < horizon) this.#window.remember(judgedSample);
  }

  /** Returns whether the slot is evidence for this objective. */
  add(slot: SlotRecord): boolean {
    if (slot.series.target !== this.target) return false;
    const said = rateIndicator(slot, this.objective.indicator);
    if (said !== undefined) this.#window.add({ at: slot.scheduledAt, good: said === 'good' });
    if (said !== undefined && this.objective.indicator === 'correctness') this.#damage.add(slot);
    return said !== undefined;
  }

  /**
   * Returns the change that the slots so far make at `now` (Unix ms). The severity of an alert rises, and falls only
   * as it clears.
   */
  judge(now: number): AlertChange | undefined {
    const before = this.#standing;
    const { firing } = updateAlert(
      this.#window.viewBefore(now),
      this.#slo,
      { firing: before?.firing ?? [] },
      now,
    );
    if (firing.length === 0) {
      this.#standing = undefined;
      return before && { alert: before, change: 'cleared' };
    }
    const severity = alertSeverity(firing, this.#slo.pairs);
    if (before && (severity === 'ticket' || before.severity === 'page')) {
      this.#standing = { ...before, firing };
      return this.#reportNewRules(this.#standing, now);
    }
    const rules = this.#rules(before, now);
    return this.#reportChange(
      {
        ...(before ?? this.#findRisen(now)),
        severity,
        firing,
        reported: now,
        ...(rules.length > 0 && { rules }),
      },
      before ? 'worsened' : 'fired',
    );
  }

  /** Reports newly broken rules in a separate message, because the open alert names other rules. */
  #reportNewRules(before: OpenAlert, now: number): AlertChange | undefined {
    const { news = 0, rules: named = [] } = before;
    const rules = this.#rules(before, now);
    const damage = rules.filter((rule) => !named.includes(rule));
    if (damage.length === 0 || news >= maxSpreads) return undefined;
    this.#standing = { ...before, rules, news: news + 1, spreads: (before.spreads ?? 0) + 1 };
    return { alert: this.#standing, change: 'spread', damage };
  }

  /** Returns the rules that the alert has named, and those broken since. */
  #rules(before: OpenAlert | undefined, now: number): readonly string[] {
    if (!before) return this.#damage.seenTargets(now);
    const { rules = [], since, moved = 0 } = before;
    return [...new Set([...rules, ...this.#damage.seenTargets(now, since + moved)])].toSorted();
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    this.#window.shift(by);
    this.#damage.shift(by);
    const before = this.#standing;
    if (!before) return;
    this.#standing = { ...before, reported: before.reported + by, moved: (before.moved ?? 0) + by };
  }

  /** Sends one reminder, however many are overdue; `every` is in ms. */
  remind(now: number, every: number): AlertChange | undefined {
    const before = this.#standing;
    if (!before || !(every > 0) || now - before.reported < every) return undefined;
    const rules = this.#rules(before, now);
    const named = rules.length > 0 ? { rules, news: 0 } : {};
    return this.#reportChange(
      { ...before, ...named, reported: now, reminders: before.reminders + 1 },
      'reminder',
    );
  }

  #reportChange(standing: OpenAlert, change: Change): AlertChange {
    this.#standing = standing;
    return { alert: standing, change };
  }

  #findRisen(now: number): Omit<OpenAlert, 'severity' | 'firing' | 'reported'> {
    const { indicator } = this.objective;
    return { target: this.target, indicator, location: this.#location, since: now, reminders: 0 };
  }
}

/** Milliseconds before an alert fired after which a breach belongs to it. */
const damageWindow = 6 * 3600000;
/** Most messages of new damage between two reminders; the next reminder names the rest. */
const maxSpreads = 4;
/** The rules that a target breaks in the slots of one objective, without those that its good slots break too. */
class SeenDamage {
  readonly #broken = new Map<string, number>();
  readonly #accepted = new Set<string>();

  /** Adds a slot that was judged for correctness; a good slot breaks only rules that its baseline accepts. */
  add(slot: SlotRecord): void {
    const isGood = rateIndicator(slot, 'correctness') === 'good';
    for (const rule of slot.rules) {
      if (isGood) this.#accepted.add(rule);
      else this.#broken.set(rule, Math.max(slot.scheduledAt, this.#broken.get(rule) ?? 0));
    }
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    for (const [rule, at] of this.#broken) this.#broken.set(rule, at + by);
  }

  /** Lists the rules that were broken shortly before `now` (Unix ms), or since an instant before it. */
  seenTargets(now: number, since = now): string[] {
    const from = Math.min(since, now) - damageWindow;
    return [...this.#broken]
      .filter(([rule, at]) => at >= from && !this.#accepted.has(rule))
      .map(([rule]) => rule)
      .toSorted();
  }
}
