import type { Json } from '../../results/results-store.ts';
import { type Change, type NoticeKind, toJson } from './message.ts';
import { type NoticeCondition, type NoticeOccurrence, noticeKey, type OpenNotice } from './notice.ts';

/** A change of a notice, with the notice as it is then, or was until then. */
export type NoticeChange = { readonly noticed: OpenNotice; readonly change: Change };

/** The notices of one location. One and the same is reported once, and again only after the reminder's time. */
export class NoticeBoard {
  readonly #location: string;
  readonly #reminder: number;
  readonly #standing: Map<string, OpenNotice>;

  /** @param reminder ms */
  constructor(location: string, reminder: number, stored: readonly OpenNotice[]) {
    this.#location = location;
    this.#reminder = reminder;
    this.#standing = new Map(stored.map((openNotice) => [noticeKey(openNotice), openNotice]));
  }

  get kept(): readonly Json[] {
    return [...this.#standing.values()].map(toJson);
  }

  /** Takes a condition as it is at `now` (Unix ms). The severity of a notice rises, and falls only as it clears. */
  hold(condition: NoticeCondition, now: number): NoticeChange[] {
    const { holds, severity, words } = condition;
    const before = this.#standing.get(noticeKey(condition));
    if (holds === undefined || (!holds && !before)) return [];
    if (!before) {
      const { began } = condition;
      const risen = this.#openNotice(condition, severity, now);
      return [this.#store(began === undefined ? risen : { ...risen, began }, 'fired')];
    }
    if (!holds) return [this.#drop(before, 'cleared')];
    if (severity === 'page' && before.severity === 'ticket') {
      return [this.#store({ ...before, severity, words, reported: now }, 'worsened')];
    }
    this.#standing.set(noticeKey(before), { ...before, words });
    return [];
  }

  /** Shifts all instants after the clock was set by some ms: open notices keep their age. */
  shift(by: number): void {
    for (const [name, notice] of this.#standing) {
      this.#standing.set(name, {
        ...notice,
        reported: notice.reported + by,
        moved: (notice.moved ?? 0) + by,
      });
    }
  }

  addOccurrence(happening: NoticeOccurrence, now: number): NoticeChange[] {
    const before = this.#standing.get(noticeKey(happening));
    const more = (before?.more ?? 0) + happening.count;
    const inAll = (before?.inAll ?? 0) + happening.count;
    const words = happening.words(more);
    if (!before)
      return [
        this.#store({ ...this.#openNotice({ ...happening, words }, 'ticket', now), more: 0, inAll }, 'fired'),
      ];
    this.#standing.set(noticeKey(before), { ...before, words, more, inAll });
    return [];
  }

  /** Reminders; a notice without an end is over once it has not happened again since it was reported. */
  remind(now: number): NoticeChange[] {
    return [...this.#standing.values()].flatMap((openNotice) => {
      if (now - openNotice.reported < this.#reminder) return [];
      if (openNotice.more === 0) {
        this.#standing.delete(noticeKey(openNotice));
        return [];
      }
      const more = openNotice.more === undefined ? {} : { more: 0 };
      return [
        this.#store(
          { ...openNotice, ...more, reported: now, reminders: openNotice.reminders + 1 },
          'reminder',
        ),
      ];
    });
  }

  /** Ends the notices of these kinds that no condition speaks of any more. */
  withdraw(kinds: readonly NoticeKind[], conditions: readonly NoticeCondition[]): NoticeChange[] {
    const known = new Set(conditions.map(noticeKey));
    return [...this.#standing.values()]
      .filter((openNotice) => kinds.includes(openNotice.notice) && !known.has(noticeKey(openNotice)))
      .map((openNotice) => this.#drop(openNotice, 'withdrawn'));
  }

  #openNotice(
    { notice, subject, words }: Pick<OpenNotice, 'notice' | 'subject' | 'words'>,
    severity: OpenNotice['severity'],
    now: number,
  ): OpenNotice {
    const location = this.#location;
    return { notice, subject, location, since: now, severity, words, reported: now, reminders: 0 };
  }

  #store(noticed: OpenNotice, change: Change): NoticeChange {
    this.#standing.set(noticeKey(noticed), noticed);
    return { noticed, change };
  }

  #drop(noticed: OpenNotice, change: Change): NoticeChange {
    this.#standing.delete(noticeKey(noticed));
    return { noticed, change };
  }
}
