import { type TrafficOrigin, trafficOriginName } from '../../results/known-states.ts';
import type { ResultsStore, Retention } from '../../results/results-store.ts';
import { openResults } from '../../results/sqlite/open.ts';
import type { TrafficMinute } from '../judging/traffic-minute.ts';
import { makeSlots, type Passing } from './passing-slots.ts';

/** A monitor takes slots over, and keeps them longer: as long as it may be away. Hours for five years, as elsewhere. */
const retention: Retention = { keepRawDays: 35, keepHoursDays: 5 * 366 };

const tidyEvery = 3_600_000;

/** Keeps minutes of traffic in a separate results store. A minute is written once: who reads may go on from the last. */
export class TrafficStore {
  readonly #store: ResultsStore;
  readonly #passing: Passing;
  #last: number;
  #tidied = Number.NEGATIVE_INFINITY;

  private constructor(store: ResultsStore, passing: Passing, last: number) {
    this.#store = store;
    this.#passing = passing;
    this.#last = last;
  }

  /** Throws StoreError as openResults does. */
  static async open(folder: string, passing: Passing): Promise<TrafficStore> {
    const store = await openResults(folder, retention);
    return new TrafficStore(store, passing, (await store.extent())?.to ?? Number.NEGATIVE_INFINITY);
  }

  /** Records the origin of the traffic. */
  async begin(origin: TrafficOrigin): Promise<void> {
    await this.#store.record({ states: { [trafficOriginName]: { ...origin } } });
  }

  /** The rest of a minute that an earlier proxy has written is left out; `now` in Unix ms. */
  async keep(minute: TrafficMinute, now: number): Promise<void> {
    if (minute.begin <= this.#last) return;
    await this.#store.record({ slots: makeSlots(minute, this.#passing) });
    this.#last = minute.begin;
    if (now - this.#tidied < tidyEvery) return;
    this.#tidied = now;
    await this.#store.tidy(now);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
