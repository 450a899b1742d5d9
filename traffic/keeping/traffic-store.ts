import { classify, concludeClasses } from '../../monitors/probes/outcome.ts';
import { type TrafficOrigin, trafficOriginName } from '../../results/known-states.ts';
import {
  type ProbeFailure,
  type ProbeSeries,
  type SlotRecord,
  trafficProbe,
} from '../../results/probe-record.ts';
import type { ResultsStore, Retention } from '../../results/results-store.ts';
import { openResults } from '../../results/sqlite/open.ts';
import type { Ending, OperationMinute, TrafficMinute } from '../judging/messages.ts';

/**
 * A monitor copies slots from here and keeps them longer, so they last as long as it may be away. Hours last five
 * years, as elsewhere.
 */
const retention: Retention = { keepRawDays: 35, keepHoursDays: 5 * 366 };

const tidyEvery = 3_600_000;

/**
 * Stores minutes of traffic in a separate results store. A minute is written once, so a reader can continue from the
 * last.
 */
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

  async begin(origin: TrafficOrigin): Promise<void> {
    await this.#store.record({ states: { [trafficOriginName]: { ...origin } } });
  }

  /** Stores a minute, unless an earlier proxy has already written it; `now` in Unix ms. */
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

export type Passing = Pick<ProbeSeries, 'target' | 'location'>;

/**
 * Converts a minute of traffic to slots of a results store: one for each operation, and one for requests without an
 * answer.
 */
export function makeSlots(
  { begin, operations, isUnanswered }: TrafficMinute,
  passing: Passing,
): SlotRecord[] {
  const makeRow = (operation: string): Pick<SlotRecord, 'series' | 'scheduledAt' | 'state'> => ({
    series: { ...passing, probe: trafficProbe, operation, source: 'passive' },
    scheduledAt: begin,
    state: 'run',
  });
  const unanswered: SlotRecord = {
    ...makeRow('all'),
    outcome: 'unknown',
    reason: 'requests got no answer, and nobody knows through whose fault',
    ...{ rules: [], samples: [] },
  };
  const slots = operations.map((operation) => ({
    ...makeRow(operation.operation),
    ...concludeMinute(operation),
  }));
  return isUnanswered ? [...slots, unanswered] : slots;
}

/** Concludes a minute as a probe's slot; an error of the client does not count against the target. */
function concludeMinute({ endings, broken, samples, passed, age }: OperationMinute) {
  const standings = endings.flatMap((ending) => classifyEnding(ending) ?? []);
  const isMute = standings.length === 0 && endings.length > 0;
  const { outcome, rules, failure, degradedBy } = concludeClasses(
    isMute ? ['limited'] : standings,
    broken,
    [],
  );
  return {
    ...{ outcome, rules, passed },
    ...(failure && { failure }),
    ...(degradedBy && { degradedBy }),
    ...(age !== undefined && { age }),
    ...(isMute && { reason: 'every request was refused as a mistake of its client' }),
    samples: samples.map(({ totalMs, ...sample }) => ({
      ...sample,
      ...{ cold: false, confirming: false, timings: { total: totalMs }, sincePlanned: totalMs },
    })),
  };
}

/** Classifies an ending; undefined for the refusal of a wrong request. */
function classifyEnding({ status = 0, failure }: Ending): 'answered' | 'limited' | ProbeFailure | undefined {
  if (failure) return classify({ failure });
  if (status === 304) return 'answered';
  const said = classify({ response: { status } });
  return typeof said === 'object' && status >= 400 && status < 500 ? undefined : said;
}
