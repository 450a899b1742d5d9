import type { Condition } from '../alerting/cause.ts';
import { minute } from '../results/calendar.ts';
import type { EventRecord, ResultsReader } from '../results/results-store.ts';
import type { DatedWindow } from './maintenance.ts';

/** The kind of the events that announce planned work. */
export const workKind = 'planned-work';

/** Planned work that somebody announced by command; Unix ms. */
export type Work = {
  readonly target: string;
  readonly from: number;
  readonly to: number;
  readonly words: string;
};

/** Ms for which an announcement is read again at a start: nobody plans for longer. */
const longest = 35 * 1440 * minute;

/** Reads the announcement in an event; undefined for another event. */
export function readWork({ kind, target, detail }: EventRecord): Work | undefined {
  const { from, to, words } = detail;
  const isWhole =
    kind === workKind && target !== undefined && typeof from === 'number' && typeof to === 'number';
  return isWhole ? { target, from, to, words: String(words ?? '') } : undefined;
}

/** Returns the window of planned work, to the full minutes around it. */
export function workWindow({ from, to }: Pick<Work, 'from' | 'to'>): DatedWindow {
  const text = (at: number): string => new Date(at).toISOString().slice(0, 16);
  const end = to > from ? Math.ceil(to / minute) * minute : to;
  return { zone: 'UTC', from: text(from), to: text(end) };
}

/** Planned work that was announced while the monitor runs, or before; the newest word about a target counts. */
export class AnnouncedWork {
  readonly #all = new Map<string, Work>();

  static async read(store: Pick<ResultsReader, 'events'>, now: number): Promise<AnnouncedWork> {
    const work = new AnnouncedWork();
    work.note(await store.events({ from: now - longest, to: now + 1 }, [workKind]));
    return work;
  }

  note(events: readonly EventRecord[]): void {
    for (const event of events) {
      const work = readWork(event);
      if (work) this.#all.set(work.target, work);
    }
  }

  /** The newest announcement about each target. */
  get works(): readonly Work[] {
    return [...this.#all.values()];
  }

  get windows(): readonly { readonly target: string; readonly window: DatedWindow }[] {
    return this.works.map((work) => ({ target: work.target, window: workWindow(work) }));
  }

  /** Returns a condition for each target, so that begin and end are reported. */
  conditions(now: number): Condition[] {
    return this.works.map(({ target, from, to, words }) => ({
      ...{ source: 'planned-work', subject: { target }, severity: 'ticket', family: `work ${from} ${to}` },
      ...{ holds: from <= now && now < to, began: from, reminder: Number.POSITIVE_INFINITY },
      marks: [String(to)],
      words: () =>
        `planned work until ${new Date(to).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${words}`,
    }));
  }
}
