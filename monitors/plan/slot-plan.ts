import { second } from '../results/calendar.ts';
import { type CronTimes, readCron } from './cron-times.ts';
import type { Probe, SlotShare } from './definition.ts';

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

const whole: SlotShare = { index: 0, of: 1 };

/** Returns whether the slot with a number belongs to the share. */
export function includesSlot({ index, of }: SlotShare, number: number): boolean {
  return (((number - index) % of) + of) % of === 0;
}

/** Counts the slots of a share whose numbers lie in [from, to). */
export function countShared({ index, of }: SlotShare, from: number, to: number): number {
  return Math.max(0, Math.ceil((to - index) / of) - Math.ceil((from - index) / of));
}

/** A repeated probe; `period` is a whole number of ms. */
export type SlotRhythm = {
  readonly id: string;
  /** Empty if several locations share one grid. */
  readonly location: string;
  readonly period: number;
  /** The whole grid by default. A slot's number counts the periods since 1970. */
  readonly share?: SlotShare;
};

/**
 * Returns the ms from each multiple of the period since 1970 (UTC) to a probe's slots: the same after every restart,
 * different for every probe and location. Throws a RangeError unless the period is a whole number above 0.
 */
export function slotOffset({ id, location, period }: SlotRhythm): number {
  if (!(Number.isSafeInteger(period) && period > 0)) {
    throw new RangeError(`the period of ${id} has to be a whole number of milliseconds, not ${period}`);
  }
  return Math.floor((hash(JSON.stringify([id, location])) / 2 ** 32) * period);
}

/** Yields the planned slots in [from, to), all in Unix ms. */
export function* slots(rhythm: SlotRhythm, from: number, to: number): Generator<number> {
  const step = spacing(rhythm);
  for (let slot = nextSlot(rhythm, from - 1); slot < to; slot += step) yield slot;
}

/** Counts the slots in [from, to). */
export function countSlots(rhythm: SlotRhythm, from: number, to: number): number {
  return Math.max(0, (nextSlot(rhythm, to - 1) - nextSlot(rhythm, from - 1)) / spacing(rhythm));
}

/** Returns the first slot later than an instant, both in Unix ms. */
export function nextSlot(rhythm: SlotRhythm, after: number): number {
  const { period, share: { index } = whole } = rhythm;
  const offset = slotOffset(rhythm) + index * period;
  const step = spacing(rhythm);
  return (Math.floor((after - offset) / step) + 1) * step + offset;
}

/** Returns the ms between two slots of a share. */
function spacing({ period, share = whole }: SlotRhythm): number {
  return period * share.of;
}

/** Hashes a text with FNV-1a and a final mix, so that similar names get distant values. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
