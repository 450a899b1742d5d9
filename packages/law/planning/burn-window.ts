import { type Count, compareSamples, type JudgedSample, type SampleWindow, type Slo } from './burn-rate.ts';

const minute = 60_000;

/**
 * The samples of an objective's longest window, counted by the minute, so that memory does not grow with their number:
 * a window's edge is known to the minute, and exact if no two samples share one. The last few, which an alert needs to
 * clear, are stored singly, however old they are.
 */
export class BurnWindow {
  readonly #kept: number;
  /** A ring: the minute of each place, the ms of the newest sample within it, and its counts. */
  readonly #minutes: Uint32Array;
  readonly #offsets: Uint16Array;
  readonly #samples: Uint32Array;
  readonly #bad: Uint32Array;
  readonly #newest: JudgedSample[] = [];

  constructor({ pairs, fewestSlots }: Pick<Slo, 'pairs' | 'fewestSlots'>) {
    const size = Math.ceil(Math.max(...pairs.map(({ long }) => long)) / minute) + 1;
    this.#kept = fewestSlots;
    this.#minutes = new Uint32Array(size);
    this.#offsets = new Uint16Array(size);
    this.#samples = new Uint32Array(size);
    this.#bad = new Uint32Array(size);
  }

  /** Adds a sample, in any order; one older than the window is only kept as one of the last few. */
  add(sample: JudgedSample): void {
    this.remember(sample);
    this.#count(sample.at, 1, sample.good ? 0 : 1);
  }

  #count(instant: number, samples: number, bad: number): void {
    const at = Math.floor(instant / minute);
    const place = at % this.#minutes.length;
    const held = this.#minutes[place] ?? 0;
    if (held > at) return;
    if (held < at) this.#clear(place, at);
    this.#offsets[place] = Math.max(this.#offsets[place] ?? 0, instant - at * minute);
    this.#samples[place] = (this.#samples[place] ?? 0) + samples;
    this.#bad[place] = (this.#bad[place] ?? 0) + bad;
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
    const moved = [...this.#minutes].flatMap((minutes, place) => {
      const samples = this.#samples[place] ?? 0;
      const at = minutes * minute + (this.#offsets[place] ?? 0) + by;
      return samples > 0 && at >= 0 ? [{ at, samples, bad: this.#bad[place] ?? 0 }] : [];
    });
    for (const place of this.#minutes.keys()) this.#clear(place, 0);
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
    const [minutes, offsets, counts, bads] = [this.#minutes, this.#offsets, this.#samples, this.#bad];
    let [samples, bad] = [0, 0];
    for (let at = Math.floor(now / minute); at >= Math.floor((now - ms) / minute); at--) {
      const place = at % minutes.length;
      if (minutes[place] !== at) continue;
      const newest = at * minute + (offsets[place] ?? 0);
      if (newest > now || newest <= now - ms) continue;
      samples += counts[place] ?? 0;
      bad += bads[place] ?? 0;
    }
    return { samples, bad };
  }

  #clear(place: number, at: number): void {
    this.#minutes[place] = at;
    this.#offsets[place] = 0;
    this.#samples[place] = 0;
    this.#bad[place] = 0;
  }
}
