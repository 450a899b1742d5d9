import { advance, nextDue } from './advance.ts';
import {
  type Alert,
  activeTouches,
  type Due,
  eventMs,
  openAlert,
  type Policy,
  shift,
  type Touch,
} from './alert.ts';
import { type About, alertId, type Condition, type CountedEvent, isIndicator, symptomKey } from './cause.ts';
import { type Beginning, findParent, place, type Topology } from './grouping.ts';
import { acknowledge, begin, end, happen, update } from './lifecycle.ts';

/** The alerts of a location that are open or remembered: feeds the lifecycle of each, and lists what is due. */
export class AlertBook {
  readonly #location: string;
  readonly #policy: Policy;
  readonly #topology: Topology;
  readonly #alerts: Map<string, Alert>;
  /** The alert that has a symptom, by its key. */
  readonly #holders = new Map<string, string>();
  #changed = new Set<string>();

  constructor(
    location: string,
    policy: Policy,
    topology: Topology,
    stored: readonly Alert[] = [],
    isChanged = false,
  ) {
    this.#location = location;
    this.#policy = policy;
    this.#topology = topology;
    this.#alerts = new Map(stored.map((alert) => [alert.id, alert]));
    if (isChanged) for (const { id } of stored) this.#changed.add(id);
    for (const { id, touches } of stored) for (const key of Object.keys(touches)) this.#holders.set(key, id);
  }

  get alerts(): readonly Alert[] {
    return [...this.#alerts.values()];
  }

  get(id: string): Alert | undefined {
    return this.#alerts.get(id);
  }

  /** Returns the alert that a symptom belongs to, with it. */
  find(about: About): { readonly alert: Alert; readonly touch: Touch } | undefined {
    const key = symptomKey(about);
    const alert = this.#alerts.get(this.#holders.get(key) ?? '');
    const touch = alert?.touches[key];
    return alert && touch && { alert, touch };
  }

  /** Takes a condition as it is at `now` (Unix ms). */
  hold(condition: Condition, now: number): void {
    const {
      source,
      subject,
      holds,
      family,
      severity,
      began = now,
      marks = [],
      isShort,
      incident,
    } = condition;
    const key = symptomKey(condition);
    const before = this.find(condition);
    if (holds === undefined || (!holds && !before)) return;
    if (before && !holds) {
      this.#keep(end(before.alert, key, condition, this.#policy, now));
      return;
    }
    if (before && before.touch.end === undefined) {
      this.#keep(update(before.alert, key, condition, this.#policy, now));
      return;
    }
    const touch: Touch = {
      ...{ source, subject, severity, family, began },
      ...(isShort && { isShort }),
      ...(marks.length > 0 && { fresh: marks }),
      ...(incident !== undefined && { incident }),
      ...(condition.reminder !== undefined && { every: finite(condition.reminder) }),
    };
    const { alert, isSilent } = before
      ? { alert: before.alert, isSilent: before.touch.isSilent }
      : this.#place(condition, now);
    const joining = isSilent ? { ...touch, isSilent } : touch;
    this.#holders.set(key, alert.id);
    this.#keep(begin(alert, key, joining, this.#policy, now, condition.scattered));
  }

  /** Counts what happened. */
  happen(
    { source, subject, family, count, words, incident, isNews = false }: CountedEvent,
    now: number,
  ): void {
    const key = symptomKey({ source, subject });
    const found = this.find({ source, subject });
    // An event after the end of an alert is another one.
    const before = found?.alert.quiet === undefined ? found : undefined;
    const known = before?.touch.happened;
    const [more, inAll] = [(known?.more ?? 0) + count, (known?.inAll ?? 0) + count];
    const until = now + Math.max(eventMs, this.#policy.reminder.ticket);
    const touch = {
      ...{ source, subject, family, severity: 'ticket' as const, began: now },
      happened: { more, inAll, words: words(more), until, isNew: true },
      ...(incident !== undefined && { incident }),
    };
    const { alert } = before ?? this.#place({ source, subject, family, began: now }, now);
    this.#holders.set(key, alert.id);
    this.#keep(happen(alert, key, touch, isNews, this.#policy, now));
  }

  /** Ends the symptoms that nothing can speak of any more. */
  withdraw(isOrphaned: (touch: Touch) => boolean, now: number): void {
    for (const alert of this.alerts)
      for (const [key, touch] of Object.entries(alert.touches)) {
        const isLeft = touch.end === undefined || touch.mayReturn;
        if (!isLeft || touch.happened || !isOrphaned(touch)) continue;
        const current = this.#alerts.get(alert.id) ?? alert;
        this.#keep(end(current, key, { isWithdrawn: true }, this.#policy, now));
      }
  }

  acknowledge(isMeant: (alert: Alert) => boolean, words: string, now: number): void {
    for (const alert of this.alerts) if (isMeant(alert)) this.#keep(acknowledge(alert, words, now));
  }

  shift(by: number): void {
    for (const alert of this.alerts) this.#keep(shift(alert, by));
  }

  /**
   * Returns the messages that are due at `now` (Unix ms); reminders only if all sources were just looked at, and none of
   * an alert whose targets are all not judged at present, or hang on others that are down.
   */
  advance(now: number, isLookedAt: boolean, isJudged: (target: string) => boolean = () => true): Due[] {
    const all: Due[] = [];
    for (const { id } of this.alerts)
      for (let isMore = true; isMore; ) {
        const before = this.#alerts.get(id);
        if (!before) break;
        const { alert, due } = advance(
          before,
          this.#policy,
          now,
          () => isLookedAt && !this.#isQuiet(before, isJudged, now),
        );
        if (alert) this.#keep(alert);
        else this.#drop(before);
        if (due) all.push(due);
        isMore = due !== undefined;
      }
    return all;
  }

  /** Returns whether `advance` would have something to say at `now` (Unix ms). */
  isDue(now: number): boolean {
    return this.alerts.some((alert) => nextDue(alert) <= now);
  }

  /** Returns the alerts that changed since the last call, undefined for one that is gone. */
  takeChanged(): ReadonlyMap<string, Alert | undefined> {
    const changed = new Map([...this.#changed].map((id) => [id, this.#alerts.get(id)]));
    this.#changed = new Set();
    return changed;
  }

  #isQuiet(alert: Alert, isJudged: (target: string) => boolean, now: number): boolean {
    const others = this.alerts.filter(({ id, state }) => id !== alert.id && state !== 'resolved');
    const touches = activeTouches(alert, now);
    return (
      touches.length > 0 &&
      touches.every(
        ({ source, subject }) =>
          'target' in subject &&
          ((isIndicator(source) && !isJudged(subject.target)) ||
            findParent(subject, others, this.#topology, now) !== undefined),
      )
    );
  }

  #place(beginning: Beginning, now: number): { readonly alert: Alert; readonly isSilent?: boolean } {
    const found = place(beginning, this.alerts, this.#topology, now);
    if (found) return found;
    // A clock that was set back brings the instant of another alert again.
    let named = now;
    while (this.#alerts.has(alertId(beginning, this.#location, named))) named += 1;
    return { alert: openAlert(alertId(beginning, this.#location, named), this.#location, now) };
  }

  #keep(alert: Alert): void {
    const before = this.#alerts.get(alert.id);
    if (before === alert) return;
    this.#alerts.set(alert.id, alert);
    this.#changed.add(alert.id);
  }

  #drop(alert: Alert): void {
    this.#alerts.delete(alert.id);
    this.#changed.add(alert.id);
    for (const key of Object.keys(alert.touches))
      if (this.#holders.get(key) === alert.id) this.#holders.delete(key);
  }
}

/** Infinity is no JSON. */
function finite(ms: number): number {
  return Math.min(ms, Number.MAX_SAFE_INTEGER);
}
