import {
  countShared,
  countSlots,
  includesSlot,
  nextSlot,
  type SlotRhythm,
  type SlotShare,
  slotOffset,
  slots,
} from '@candleproof/law/planning/slots';
import { type CronTimes, readCron } from './cron-times.ts';
import type { Probe } from './definition.ts';

const second = 1000;

/** A probe's planned instants: whole seconds in Unix ms, the same after every restart. */
export type SlotPlan = {
  /** The id of the probe among all targets. */
  readonly id: string;
  /** Milliseconds between two slots of this location; of a cron expression the usual distance. */
  readonly period: number;
  /** In [from, to), in order. */
  list(from: number, to: number): number[];
  /** Counts the slots in [from, to). */
  count(from: number, to: number): number;
  /** Returns the first slot after an instant; Infinity if there is none. */
  next(after: number): number;
};

/** Returns the id of a probe: the names of two targets' probes may be equal. */
export function probeId({ target, name }: Pick<Probe, 'target' | 'name'>): string {
  return `${target}/${name}`;
}

/** The place of slots: one location, or a share of a grid. */
export type SlotPlace = { readonly location: string; readonly share?: SlotShare | undefined };

/**
 * The slots of a probe at a location. `period` (ms, whole seconds) is what the plan found for a probe that runs as often
 * as the quota pays. Throws a RangeError if such a one has none, or the rhythm is no whole number of seconds, or a
 * cron expression that cannot be read.
 */
export function slotPlan(probe: Probe, { location, share }: SlotPlace, period?: number): SlotPlan {
  const { rhythm } = probe;
  const id = probeId(probe);
  if ('cron' in rhythm) {
    const times = readCron(rhythm.cron);
    return share ? sharedCronPlan(id, times, share) : cronPlan(id, times);
  }
  const every = rhythm.every === 'budget' ? period : rhythm.every;
  if (every === undefined || every % second !== 0) {
    throw new RangeError(`the period of ${id} has to be whole seconds, not ${every} ms`);
  }
  return steadyPlan({ id, period: every, ...(share ? { location: '', share } : { location }) });
}

/** The scheduler reads the clock at whole seconds: each slot is moved forward to the one it lies in. */
function steadyPlan(rhythm: SlotRhythm): SlotPlan {
  const part = slotOffset(rhythm) % second;
  return {
    id: rhythm.id,
    period: rhythm.period * (rhythm.share?.of ?? 1),
    list: (from, to) => [...slots(rhythm, from + part, to + part)].map((slot) => slot - part),
    count: (from, to) => countSlots(rhythm, from + part, to + part),
    next: (after) => nextSlot(rhythm, after + part) - part,
  };
}

function cronPlan(id: string, times: CronTimes): SlotPlan {
  return {
    id,
    period: times.period,
    list: (from, to) => [...times.from(from, to)],
    count: (from, to) => times.count(from, to),
    next: (after) => times.next(after),
  };
}

function sharedCronPlan(id: string, times: CronTimes, share: SlotShare): SlotPlan {
  return {
    id,
    period: times.period * share.of,
    list(from, to) {
      const first = times.number(from);
      return [...times.from(from, to)].filter((_, index) => includesSlot(share, first + index));
    },
    count: (from, to) => (from < to ? countShared(share, times.number(from), times.number(to)) : 0),
    next(after) {
      let at = times.next(after);
      for (let number = times.number(after + 1); at < Infinity && !includesSlot(share, number); number++) {
        at = times.next(at);
      }
      return at;
    },
  };
}
