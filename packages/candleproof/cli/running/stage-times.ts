import type { Recording } from '@candleproof/law/reading/exchange';

/** Measures the time of a command stage by stage, in milliseconds since the process began. */
export class StageTimes {
  readonly #stages: [name: string, milliseconds: number][] = [];
  #begun = 0;
  #judging = 0;

  /** Ends a stage, which began when the one before ended. */
  end(stage: string): void {
    const now = performance.now();
    this.#stages.push([stage, now - this.#begun]);
    this.#begun = now;
  }

  /** Judging takes place while requests are sent, and is counted apart from them. */
  addJudging(milliseconds: number): void {
    this.#judging += milliseconds;
  }

  /** `1.02 s: start 0.31, …, requests 0.28 (48; summed: connecting 0.12, waiting 0.21), judging 0.09, reports 0.07`. */
  describe({ exchanges }: Pick<Recording, 'exchanges'>): string {
    const sum = (of: (timings: Recording['exchanges'][number]['timings']) => number): string =>
      formatSeconds(exchanges.reduce((total, { timings }) => total + of(timings), 0));
    const connecting = sum(({ dns = 0, connect = 0, tls = 0 }) => dns + connect + tls);
    const waiting = sum(({ wait = 0 }) => wait);
    const parts = this.#stages.flatMap(([name, ms]) =>
      name === 'requests'
        ? [
            `requests ${formatSeconds(ms - this.#judging)} (${exchanges.length}; summed: connecting ${connecting}, waiting ${waiting})`,
            `judging ${formatSeconds(this.#judging)}`,
          ]
        : [`${name} ${formatSeconds(ms)}`],
    );
    return `${formatSeconds(this.#begun)} s: ${parts.join(', ')}`;
  }
}

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}
