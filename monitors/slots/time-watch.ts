import type { Clock } from '../probes/clock.ts';

/** A wall clock that departs by more than this, in ms, from the time that passed was set. */
const mostDrift = 1000;

/** Ms without a reading of the clock after which the monitor counts as not running. */
const mostPause = 5000;

/** Some systems count the uptime in whole seconds only. */
const sleepResolution = 2000;

/**
 * A break in the even course of time; Unix ms. `clock-set`: the clock would show `from` and shows `to`.
 * `not-running`: the process was stopped, or the machine slept, by the clock as it was before.
 */
export type TimeBreak = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'not-running' }
  /** `shown` is the last instant that the clock surely showed as it was. */
  | { readonly kind: 'clock-set'; readonly shown: number }
);

/** Compares the wall clock with the steady one, and uses the uptime to recognize that the machine slept. */
export class TimeWatch {
  readonly #clock: Clock;
  #last: { readonly now: number; readonly steady: number; readonly uptime: number };

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = readAll(clock);
  }

  /** To be called each second. Returns what broke the time since the last call, in the order in which it counts. */
  check(): TimeBreak[] {
    const [before, now] = [this.#last, readAll(this.#clock)];
    this.#last = now;
    const [steady, up] = [now.steady - before.steady, now.uptime - before.uptime];
    const passed = up - steady > sleepResolution ? up : steady;
    const expected = Math.round(before.now + passed);
    const breaks: TimeBreak[] = [];
    const wasStopped = passed > mostPause;
    if (wasStopped) breaks.push({ kind: 'not-running', from: before.now, to: expected });
    if (Math.abs(now.now - expected) > mostDrift) {
      const shown = wasStopped ? expected : before.now;
      breaks.push({ kind: 'clock-set', from: expected, to: now.now, shown });
    }
    return breaks;
  }
}

function readAll(clock: Clock) {
  return { now: clock.now(), steady: clock.steady(), uptime: clock.uptime() };
}

/** In one sentence without its full stop. */
export function formatBreak({ kind, from, to }: TimeBreak): string {
  const span = `from ${formatMoment(from)} to ${formatMoment(to)}`;
  if (kind === 'not-running') return `the monitor was not running ${span}`;
  const seconds = Math.round(Math.abs(to - from) / 1000);
  return `the monitor's clock was set ${to > from ? 'ahead' : 'back'} by ${seconds} s, ${span}`;
}

/** An instant (Unix ms) to the second, for people. */
export function formatMoment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Breaks that are remembered: a slot is settled soon after it was due. */
const most = 50;
type Absence = { readonly from: number; readonly to: number; readonly why: string };
/** Why slots of certain times could not be run, as far as the monitor knows. Unix ms, both ends included. */
export class Absences {
  #known: readonly Absence[] = [];

  add(absence: Absence): void {
    this.#known = [...this.#known, absence].slice(-most);
  }

  /** Moves them with a clock that was set. */
  shift(by: number): void {
    this.#known = this.#known.map(({ from, to, why }) => ({ from: from + by, to: to + by, why }));
  }

  /** Returns the reason of a missed slot; the latest known cause counts. */
  explainMiss(slot: number): string {
    const cause = this.#known.findLast(({ from, to }) => slot >= from && slot <= to);
    return cause?.why ?? 'the monitor was too busy to run it in time';
  }
}
