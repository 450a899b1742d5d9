import type { EventRecord } from '../../results/results-store.ts';
import { newestFirst, readNumber, readText } from './event-kinds.ts';

/** Closed candles of one target and interval that were served otherwise later. */
export type Grace = {
  readonly target: string;
  readonly interval: string;
  readonly candles: number;
  /**
   * Milliseconds after its end at which a candle was last corrected: between the probe that saw the old values and
   * the one that saw the new ones.
   */
  readonly from: number;
  readonly to: number;
  /** Fields that changed, with how often. */
  readonly fields: Readonly<Record<string, number>>;
};

export type Restatements = {
  /** Newest first. */
  readonly events: readonly EventRecord[];
  readonly grace: readonly Grace[];
  /** Times when none of the pinned candles was left: a new network. */
  readonly resets: readonly EventRecord[];
};

/** Returns the restated candles, newest first, and the longest time to a correction. */
export function listRestatements(all: readonly EventRecord[]): Restatements {
  const events = newestFirst(all.filter(({ kind }) => kind === 'restatement'));
  const targets = [...new Set(events.map(({ target = '' }) => target))].toSorted();
  return {
    events,
    grace: targets.flatMap((target) =>
      [
        ...Map.groupBy(
          events.filter((event) => event.target === target),
          (event) => readText(event, 'interval') ?? '',
        ),
      ]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([interval, restated]) => measureGrace(target, interval, restated)),
    ),
    resets: newestFirst(all.filter(({ kind }) => kind === 'network-reset')),
  };
}

function measureGrace(target: string, interval: string, events: readonly EventRecord[]): Grace {
  const latest = events.reduce((a, b) => (ageTo(b) > ageTo(a) ? b : a));
  const fields: Record<string, number> = {};
  for (const name of events.flatMap(changedFields)) fields[name] = (fields[name] ?? 0) + 1;
  const from = Math.max(0, readNumber(latest, 'ageFromMs') ?? 0);
  return { target, interval, candles: events.length, from, to: ageTo(latest), fields };
}

function ageTo(event: EventRecord): number {
  return readNumber(event, 'ageToMs') ?? 0;
}

/** Names of the fields that an event says were changed, in order. */
export function changedFields({ detail }: EventRecord): string[] {
  const { changed } = detail;
  return typeof changed === 'object' && changed !== null ? Object.keys(changed).toSorted() : [];
}
