import { minute } from '../results/calendar.ts';
import { type Count, compareSamples, type JudgedSample, type SampleWindow, type Slo } from './burn-rate.ts';

const minutesOfHour = 60;

/** Values of a minute, side by side: the ms of its newest sample, its samples, and the bad ones of them. */
const width = 3;

/**
 * The samples of an objective's longest window, counted by the minute, so that memory does not grow with their number:
 * a window's edge is known to the minute, and exact if no two samples share one. The last few, which an alert needs to
 * clear, are stored singly, however old they are.
 */
export class BurnWindow {
  readonly #kept: number;
  readonly #mostHours: number;
  /** Hours with a sample, each with the values of its minutes: a thousand objectives take memory as they are watched. */
  readonly #hours = new Map<number, Uint16Array>();
  readonly #newest: JudgedSample[] = [];

  constructor({ pairs, fewestSlots }: Pick<Slo, 'pairs' | 'fewestSlots'>) {
    this.#kept = fewestSlots;
    this.#mostHours = Math.ceil(Math.max(...pairs.map(({ long }) => long)) / (minutesOfHour * minute)) + 1;
  }

  /** Adds a sample, in any order; one older than the window is only kept as one of the last few. */
  add(sample: JudgedSample): void {
    this.remember(sample);
    this.#count(sample.at, 1, sample.good ? 0 : 1);
  }

  #count(instant: number, samples: number, bad: number): void {
    const at = Math.floor(instant / minute);
    const hour = Math.floor(at / minutesOfHour);
    const counts = this.#hours.get(hour) ?? this.#open(hour);
    const place = width * (at % minutesOfHour);
    counts[place] = Math.max(counts[place] ?? 0, instant - at * minute);
    counts[place + 1] = (counts[place + 1] ?? 0) + samples;
    counts[place + 2] = (counts[place + 2] ?? 0) + bad;
  }

  /** Makes room for an hour, by the place of the oldest one if there are as many as the window has. */
  #open(hour: number): Uint16Array {
    const counts = new Uint16Array(width * minutesOfHour);
    this.#hours.set(hour, counts);
    if (this.#hours.size > this.#mostHours) this.#hours.delete(Math.min(...this.#hours.keys()));
    return counts;
  }

  /** Keeps a sample only as one of the last few: the window has counted it, or no longer needs it. */
  remember(sample: JudgedSample): void {
    const [oldest] = this.#newest;
    if (this.#newest.length >= this.#kept && oldest && compareSamples(sample, oldest) < 0) return;
    this.#newest.push(sample);
    this.#newest.sort(compareSamples);
    if (this.#newest.length > this.#kept) this.#newest.shift();
  }

  /** Shifts all instants by the ms that the samples' clock was set by. */
  shift(by: number): void {
    const moved = [...this.#hours].flatMap(([hour, counts]) =>
      Array.from({ length: minutesOfHour }, (_, of) => ({
        at: (hour * minutesOfHour + of) * minute + (counts[width * of] ?? 0) + by,
        samples: counts[width * of + 1] ?? 0,
        bad: counts[width * of + 2] ?? 0,
      })).filter(({ at, samples }) => samples > 0 && at >= 0),
    );
    this.#hours.clear();
    for (const { at, samples, bad } of moved) this.#count(at, samples, bad);
    const newest = this.#newest.map((judgedSample) => ({ ...judgedSample, at: judgedSample.at + by }));
    this.#newest.splice(0, newest.length, ...newest);
  }

  newest(): readonly JudgedSample[] {
    return [...this.#newest];
  }

  viewBefore(now: number): SampleWindow {
    return {
      within: (ms) => this.#countRecent(ms, now),
      newest: (n) => this.#newest.filter(({ at }) => at <= now).slice(-n),
    };
  }

  #countRecent(ms: number, now: number): Count {
    const [first, last] = [Math.floor((now - ms) / minute), Math.floor(now / minute)];
    let [samples, bad] = [0, 0];
    for (const [hour, counts] of this.#hours) {
      const begin = hour * minutesOfHour;
      for (let at = Math.max(first, begin); at <= Math.min(last, begin + minutesOfHour - 1); at++) {
        const place = width * (at - begin);
        const newest = at * minute + (counts[place] ?? 0);
        if (newest > now || newest <= now - ms) continue;
        samples += counts[place + 1] ?? 0;
        bad += counts[place + 2] ?? 0;
      }
    }
    return { samples, bad };
  }
}
