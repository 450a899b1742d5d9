import { readTrafficOrigin, trafficOriginName } from '../../results/known-states.ts';
import { type ProbeSeries, type SlotRecord, trafficProbe } from '../../results/probe-record.ts';
import type { ResultsReader, Span } from '../../results/results-store.ts';
import { openResultsForReading } from '../../results/sqlite/open.ts';
import { MissingStore } from '../../results/store-error.ts';

/** Returns the slots of a target's traffic in a span (Unix ms), in order; none before anything is stored. */
export type TrafficSource = { slots(span: Span): Promise<readonly SlotRecord[]> };

const ofTraffic: Partial<ProbeSeries> = { probe: trafficProbe, source: 'passive' };

/** The results folder that a proxy before the target writes to. It is opened for each read: it may be made anew. */
export class TrafficFolder implements TrafficSource {
  readonly #folder: string;
  readonly #baseUrl: string;

  constructor(folder: string, baseUrl: string) {
    this.#folder = folder;
    this.#baseUrl = baseUrl;
  }

  /** Returns one sentence about why the folder cannot be used; undefined if it can. */
  async mistake(): Promise<string | undefined> {
    try {
      return await this.#reading((store) => this.#mistakeIn(store), undefined);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Returns the slots in a span; none if the folder keeps something else. Throws the store's error if unreadable. */
  async slots(span: Span): Promise<readonly SlotRecord[]> {
    return this.#reading(
      async (store) => ((await this.#mistakeIn(store)) === undefined ? store.slots(span, ofTraffic) : []),
      [],
    );
  }

  async #mistakeIn(store: ResultsReader): Promise<string | undefined> {
    const origin = readTrafficOrigin(await store.state(trafficOriginName));
    if (!origin) return `${this.#folder} keeps no traffic: name the folder of proxy --results`;
    const { upstream, url } = origin;
    if (upstream === this.#baseUrl || url === this.#baseUrl) return undefined;
    return `${this.#folder} keeps the traffic of ${upstream}, and the target is ${this.#baseUrl}: name its own`;
  }

  /** Returns `otherwise` if the store does not exist yet. */
  async #reading<T>(read: (store: ResultsReader) => Promise<T>, otherwise: T): Promise<T> {
    let store: ResultsReader | undefined;
    try {
      store = await openResultsForReading(this.#folder);
      return await read(store);
    } catch (error) {
      if (error instanceof MissingStore) return otherwise;
      throw error;
    } finally {
      await store?.close();
    }
  }
}
