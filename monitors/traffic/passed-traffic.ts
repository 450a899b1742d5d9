import type { RecordBatch, ResultsStore } from '../../results/results-store.ts';
import type { TrafficSource } from './traffic-folder.ts';

/** Its slots are at most this old when they are written, in ms: later ones are not looked for. */
const longestDelay = 3_600_000;

/** Milliseconds before the start of a monitor for which it takes earlier traffic. */
const firstWindow = 24 * 3_600_000;

/** So much is read, and written, at a time, in ms. */
const piece = 3_600_000;

export type PassedOptions = {
  readonly target: string;
  readonly location: string;
  readonly source: TrafficSource;
  readonly store: Pick<ResultsStore, 'state'>;
  readonly write: (batch: RecordBatch) => Promise<void>;
};

/** Takes the traffic of a target over into the monitor's store, each slot once, as that of its target and location. */
export class PassedTraffic {
  readonly #options: PassedOptions;
  readonly #name: string;
  /** Planned instant of the newest slot that is taken, Unix ms. */
  #taken: number;
  #readUntil = 0;
  #taking: Promise<void> | undefined;
  #trouble: string | undefined;

  private constructor(options: PassedOptions, taken: number) {
    this.#options = options;
    this.#name = cursorName(options);
    this.#taken = taken;
  }

  /** Continues after an earlier monitor; `now` in Unix ms. */
  static async open(options: PassedOptions, now: number): Promise<PassedTraffic> {
    const kept = await options.store.state(cursorName(options));
    return new PassedTraffic(options, typeof kept === 'number' ? kept : now - firstWindow);
  }

  /** Resolves when everything stored until `now` is taken; concurrent calls share one run. */
  take(now: number): Promise<void> {
    this.#taking ??= this.#take(now).finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  async #take(now: number): Promise<void> {
    const begin = Math.max(this.#taken + 1, this.#readUntil - longestDelay);
    for (let from = begin; from <= now; from += piece) {
      const slots = await this.#read(from, Math.min(from + piece, now + 1));
      if (!slots) return;
      await this.#keep(slots);
    }
    this.#readUntil = now;
  }

  /** A store that cannot be read is reported once, and is no traffic. */
  async #read(from: number, to: number) {
    const { source, write, target } = this.#options;
    try {
      const slots = await source.slots({ from, to });
      this.#trouble = undefined;
      return slots;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#trouble)
        await write({ events: [{ at: to - 1, kind: 'traffic-unreadable', target, detail: { reason } }] });
      this.#trouble = reason;
      return undefined;
    }
  }

  async #keep(slots: Awaited<ReturnType<TrafficSource['slots']>>): Promise<void> {
    const last = slots.at(-1);
    if (!last) return;
    const { target, location, write } = this.#options;
    this.#taken = last.scheduledAt;
    await write({
      slots: slots.map((slot) => ({ ...slot, series: { ...slot.series, target, location } })),
      states: { [this.#name]: this.#taken },
    });
  }
}

function cursorName({ location, target }: Pick<PassedOptions, 'location' | 'target'>): string {
  return `traffic ${location} ${target}`;
}
