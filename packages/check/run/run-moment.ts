import { endsNow, listOperations } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Recording } from '@candleproof/law/reading/exchange';
import {
  chooseWeek,
  findFirstWeek,
  type Moment,
  readWeeks,
  type ShownWeeks,
  serverTime,
} from '../plan/moment.ts';

/**
 * Reads the target's time, and which of its weeks is closed from the weeks that were requested before, once for all requests of
 * a run. Before the first answer both are reckoned by our clock, which may be far from the target's, and are read again.
 */
export class RunMoment {
  readonly #spec: Spec;
  #weeks: ShownWeeks | undefined;
  /** The target's time that all ranges of the run are reckoned from, Unix seconds. */
  #now: number | undefined;

  constructor(spec: Spec) {
    this.#spec = spec;
  }

  /** Returns the moment by all exchanges so far, within the limits of ranges that the target has shown. */
  read(recording: Recording, limits: Moment['limits']): Moment {
    const { seed } = recording;
    const hasAnswers = recording.exchanges.length > 0;
    const readOnce = (): ShownWeeks => {
      const known = this.#weeks ?? readWeeks(this.#spec, recording);
      if (hasAnswers) this.#weeks = known;
      return known;
    };
    // An older week costs more rows where every range ends now.
    const endsAnywhere = !listOperations(this.#spec, 'history').some(endsNow);
    const weekStart = (): number => (endsAnywhere ? chooseWeek(readOnce(), seed) : readOnce().closed[0]);
    // One moment for all: the same range of two lengths, or in both directions, is the same at any latency.
    const now = this.#now ?? serverTime(recording);
    if (hasAnswers) this.#now = now;
    return {
      seed,
      now,
      limits,
      weekStart,
      firstWeek: () => (endsAnywhere ? findFirstWeek(readOnce()) : weekStart()),
      firstRow: () => readOnce().firstRow,
    };
  }
}
