import type { Alerting } from '../plan/definition.ts';
import {
  type AlertChange,
  alertKey,
  type Change,
  type Condition,
  type Occurrence,
  type OpenAlert,
} from './alert.ts';
import { formatLength, messageId } from './message.ts';

/** Most messages of news between two reminders; the next reminder names the rest. */
const mostNews = 4;

/** An event that happens this many times as often as was reported is news. */
const growth = 10;

/** The messages about one thing: how many there were, and the ids of those that a newer one may replace. */
type Said = { readonly number: number; readonly ids: readonly string[] };

/** Changes that a receiver has to see before any other of the alert; only the alert's end takes their place. */
const announcing: readonly Change[] = ['fired', 'worsened'];

/** Open alerts, and what was said about each that ever fired; plain JSON. */
export type EngineState = {
  readonly open: readonly OpenAlert[];
  readonly said: Readonly<Record<string, Said>>;
};

/**
 * The one lifecycle of all alerts of a location: turns conditions into changes. Each change is numbered and names the
 * messages that it replaces, so that an outbox delivers what is newest and nothing older after it.
 */
export class AlertEngine {
  readonly #location: string;
  readonly #reminder: Alerting['reminder'];
  readonly #open: Map<string, OpenAlert>;
  readonly #said: Map<string, Said>;

  constructor(location: string, reminder: Alerting['reminder'], stored?: EngineState) {
    this.#location = location;
    this.#reminder = reminder;
    this.#open = new Map(stored?.open.map((alert) => [alertKey(alert), alert]));
    this.#said = new Map(Object.entries(stored?.said ?? {}));
  }

  get state(): EngineState {
    return { open: [...this.#open.values()], said: Object.fromEntries(this.#said) };
  }

  find(about: Pick<OpenAlert, 'source' | 'subject'>): OpenAlert | undefined {
    return this.#open.get(alertKey(about));
  }

  /** Takes a condition as it is at `now` (Unix ms). The severity of an alert rises, and falls only as it clears. */
  hold(condition: Condition, now: number): AlertChange[] {
    const { holds, severity, words, facts, marks = [], over, reminder } = condition;
    const before = this.find(condition);
    if (holds === undefined || (!holds && !before)) return [];
    const isOver = over !== undefined;
    const seen = { words, facts, isOver, every: reminder };
    if (!before) return [this.#fire(condition, { severity, marks, ...seen }, now)];
    if (!holds) return [this.#drop(before, 'cleared')];
    const next = { ...before, ...seen };
    if (severity === 'page' && before.severity === 'ticket') {
      const worse = { ...next, severity, marks, reported: now, isAcknowledged: false };
      return [this.#tell(worse, 'worsened')];
    }
    if (isOver && !before.isOver)
      return [this.#tell(next, 'recovered', { words: `${over.words} after ${formatLength(over.after)}` })];
    if (!isOver && before.isOver) return this.#relapse(before, next, condition, now);
    return this.#findNews(next, condition, now);
  }

  /** Counts what happened; it is reported at once the first time, and if it has become far more. */
  count(occurrence: Occurrence, now: number): AlertChange[] {
    const before = this.find(occurrence);
    const more = (before?.more ?? 0) + occurrence.count;
    const inAll = (before?.inAll ?? 0) + occurrence.count;
    const { facts, every, isNews = false } = occurrence;
    const counted = { words: occurrence.words(more), facts, every, inAll };
    if (!before)
      return [
        this.#fire({ ...occurrence, words: counted.words }, { severity: 'ticket', more: 0, ...counted }, now),
      ];
    if (isNews || (every === undefined && more >= growth * (inAll - more))) {
      return [this.#tell({ ...before, ...counted, more: 0 }, 'news', { words: counted.words })];
    }
    this.#open.set(alertKey(before), { ...before, ...counted, more });
    return [];
  }

  /** Returns the reminders that are due, one of each alert; what has no end is over once it no longer happens. */
  remind(now: number): AlertChange[] {
    return [...this.#open.values()].flatMap((alert) => {
      const every = this.#reminderMs(alert);
      if (!(every > 0) || now - alert.reported < every || alert.isOver || alert.isAcknowledged) return [];
      if (alert.more === 0) {
        this.#open.delete(alertKey(alert));
        return [];
      }
      const { untold = [], marks = [], ...known } = alert;
      const more = alert.more === undefined ? {} : { more: 0 };
      const named = { marks: [...marks, ...untold] };
      const reminders = alert.reminders + 1;
      return [
        this.#tell({ ...known, ...named, ...more, reported: now, reminders, news: 0 }, 'reminder', {
          words: alert.more === undefined ? alert.words : `${alert.words}; ${alert.inAll} in all`,
        }),
      ];
    });
  }

  /** Ends the alerts that nothing can speak of any more. */
  withdraw(isOrphaned: (alert: OpenAlert) => boolean): AlertChange[] {
    return [...this.#open.values()].filter(isOrphaned).map((alert) => this.#drop(alert, 'withdrawn'));
  }

  /** Marks the alerts of these ids or subjects as taken by somebody: no reminder follows until something is new. */
  acknowledge(isMeant: (alert: OpenAlert) => boolean, words: string): AlertChange[] {
    return [...this.#open.values()]
      .filter((alert) => isMeant(alert) && !alert.isAcknowledged)
      .map((alert) => this.#tell({ ...alert, isAcknowledged: true }, 'acknowledged', { words }));
  }

  /** Shifts all instants after the clock was set by some ms: open alerts keep their age and their names. */
  shift(by: number): void {
    for (const [key, alert] of this.#open) {
      const { reported, began, moved = 0 } = alert;
      this.#open.set(key, { ...alert, reported: reported + by, began: began + by, moved: moved + by });
    }
  }

  /** A condition that comes and goes is not reported each time; one that lasts is, once a reminder would be due. */
  #relapse(before: OpenAlert, next: OpenAlert, { relapse }: Condition, now: number): AlertChange[] {
    const { news = 0, reported } = before;
    const isDue = now - reported >= this.#reminderMs(before);
    if (news >= mostNews && !isDue) {
      this.#open.set(alertKey(next), { ...next, isOver: true });
      return [];
    }
    const again = { ...next, reported: now, isAcknowledged: false, news: isDue ? 1 : news + 1 };
    const words = relapse === undefined ? next.words : `${relapse}\n${next.words}`;
    return [this.#tell(again, 'relapsed', { words })];
  }

  #reminderMs(alert: OpenAlert): number {
    return alert.every ?? this.#reminder[alert.severity];
  }

  #findNews(next: OpenAlert, { marks, formatNews }: Condition, now: number): AlertChange[] {
    const known = next.marks ?? [];
    const fresh = (marks ?? []).filter((mark) => !known.includes(mark));
    const { news = 0 } = next;
    if (fresh.length === 0 || !formatNews || news >= mostNews) {
      this.#open.set(alertKey(next), { ...next, ...(fresh.length > 0 && { untold: fresh }) });
      return [];
    }
    const alert = { ...next, marks: [...known, ...fresh].toSorted(), news: news + 1, reported: now };
    return [this.#tell(alert, 'news', { words: formatNews(fresh), fresh })];
  }

  #fire(
    { source, subject, began }: Pick<Condition, 'source' | 'subject' | 'began' | 'words'>,
    seen: Pick<OpenAlert, 'severity' | 'words'> & Partial<OpenAlert>,
    now: number,
  ): AlertChange {
    const place = { source, subject, location: this.#location };
    const alert = {
      ...place,
      since: now,
      began: began ?? now,
      reported: now,
      reminders: 0,
      sent: 0,
      ...seen,
    };
    return this.#tell(alert, 'fired');
  }

  #tell(alert: OpenAlert, change: Change, more: Pick<AlertChange, 'words' | 'fresh'> = {}): AlertChange {
    const counted = { ...alert, sent: alert.sent + 1 };
    this.#open.set(alertKey(alert), counted);
    return this.#next({ alert: counted, change, ...more });
  }

  #drop(alert: OpenAlert, change: Change): AlertChange {
    this.#open.delete(alertKey(alert));
    return this.#next({ alert, change });
  }

  #next(changed: Omit<AlertChange, 'number' | 'replaced'>): AlertChange {
    const { alert, change } = changed;
    const key = alertKey(alert);
    const { number: before, ids } = this.#said.get(key) ?? { number: 0, ids: [] };
    const isEnd = change === 'cleared' || change === 'withdrawn';
    const isFirst = change === 'fired';
    const kept = isFirst || isEnd ? [] : ids.filter((id) => this.#isAnnouncing(alert, id));
    const replaced = isFirst ? [] : ids.filter((id) => !kept.includes(id));
    const number = before + 1;
    this.#said.set(key, { number, ids: isEnd ? [] : [...kept, messageId({ alert, change })] });
    return { ...changed, number, replaced };
  }

  #isAnnouncing(alert: OpenAlert, id: string): boolean {
    return announcing.some((change) => messageId({ alert, change }) === id);
  }
}
