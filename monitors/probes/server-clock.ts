import { type Exchange, headerValues } from '@candleproof/law/reading/exchange';

/** Least difference in ms that shows that one of two clocks is wrong. */
const mostApart = 30_000;

/** Milliseconds for which another target's clock is evidence about ours. */
const longestWitness = 2 * 3_600_000;

/**
 * A difference between a target's clock and ours. Another target decides which clock is wrong: the one that it
 * disagrees with.
 */
export type ClockProblem = { readonly whose: 'ours' | 'theirs' | 'unknown'; readonly words: string };

type NotedClock = { readonly ahead: number; readonly at: number };

/** Measures the distance of the targets' clocks from ours, by the Date headers of their newest answers. */
export class ServerClocks {
  readonly #noted = new Map<string, NotedClock>();

  note(target: string, { response, startedAt, timings }: Exchange): void {
    const [date = ''] = headerValues(response?.headers ?? [], 'date');
    const reported = Date.parse(date);
    const at = Date.parse(startedAt) + timings.total;
    // The header counts whole seconds: on average half of one has passed.
    if (!Number.isNaN(reported)) this.#noted.set(target, { ahead: reported + 500 - at, at });
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    for (const [target, { ahead, at }] of this.#noted)
      this.#noted.set(target, { ahead: ahead - by, at: at + by });
  }

  /** Returns the Unix seconds by a target's clock, or by ours if that one is wrong. */
  serverSeconds(target: string, now: number): number {
    const isTheirs = this.targetProblem(target, now)?.whose === 'theirs';
    const ahead = isTheirs ? 0 : (this.#noted.get(target)?.ahead ?? 0);
    return Math.floor((now + ahead) / 1000);
  }

  /** Undefined if the target's clock is ours, or was not seen yet. */
  targetProblem(target: string, now: number): ClockProblem | undefined {
    const noted = this.#noted.get(target);
    if (!noted || Math.abs(noted.ahead) < mostApart) return undefined;
    const wrong = this.#listAgreeing(noted.ahead, now);
    if (wrong.length > 1) return { whose: 'ours', words: formatMonitorProblem(wrong, noted.ahead) };
    const apart = `${Math.round(Math.abs(noted.ahead) / 1000)} s ${noted.ahead > 0 ? 'ahead of' : 'behind'} our clock`;
    const theirs = this.#listAgreeing(0, now).find((name) => name !== target);
    if (theirs !== undefined) {
      return { whose: 'theirs', words: `its Date is ${apart}, and ${theirs} agrees with us` };
    }
    return { whose: 'unknown', words: `its Date is ${apart}, and no other target tells which is wrong` };
  }

  /** Describes the error of our clock: several targets agree on another time, and no more agree with ours. */
  monitorProblem(now: number): string | undefined {
    const groups = [...this.#noted.values()]
      .filter(({ ahead }) => Math.abs(ahead) >= mostApart)
      .map(({ ahead }) => ({ ahead, names: this.#listAgreeing(ahead, now) }));
    const [largest] = groups.toSorted((one, other) => other.names.length - one.names.length);
    const isOurs =
      largest && largest.names.length > 1 && largest.names.length >= this.#listAgreeing(0, now).length;
    return isOurs ? formatMonitorProblem(largest.names, largest.ahead) : undefined;
  }

  /** Lists the targets whose clocks were recently `ahead` ms ahead of ours. */
  #listAgreeing(ahead: number, now: number): string[] {
    const known = [...this.#noted].filter(([, { at }]) => now - at < longestWitness);
    return known.flatMap(([name, noted]) => (Math.abs(noted.ahead - ahead) < mostApart ? [name] : []));
  }

  /** Returns whether the target ever reported its time. */
  hasDate(target: string): boolean {
    return this.#noted.has(target);
  }
}

function formatMonitorProblem(targets: readonly string[], ahead: number): string {
  const seconds = Math.round(Math.abs(ahead) / 1000);
  return `our clock is ${seconds} s ${ahead > 0 ? 'behind' : 'ahead'}: the Dates of ${targets.toSorted().join(' and ')} agree against it`;
}

/** An answer as of a recorder that left its Date out: what needs the server's clock is not judged then. */
export function withoutDate(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'date');
  const recorder = { place: 'this slot' };
  return { ...exchange, response: { ...response, headers }, recorder };
}
