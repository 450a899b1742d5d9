import { type Exchange, headerValues } from '../../contract/reading/exchange.ts';

/** So far apart or further, in ms, one of two clocks is wrong. */
const mostApart = 30_000;

/** What another target's clock showed longer ago, in ms, says nothing of ours any more. */
const longestWitness = 2 * 3_600_000;

/**
 * A target's clock is not ours. Whose is wrong: theirs where another target agrees with us, ours where another target
 * agrees with it.
 */
export type ClockProblem = { readonly whose: 'ours' | 'theirs' | 'unknown'; readonly words: string };

type Noted = { readonly ahead: number; readonly at: number };

/** How far the targets' clocks are from ours, by the Date headers of their newest answers. */
export class ServerClocks {
  readonly #noted = new Map<string, Noted>();

  note(target: string, { response, startedAt, timings }: Exchange): void {
    const [date = ''] = headerValues(response?.headers ?? [], 'date');
    const reported = Date.parse(date);
    const at = Date.parse(startedAt) + timings.total;
    // The header counts whole seconds: on average half of one has passed.
    if (!Number.isNaN(reported)) this.#noted.set(target, { ahead: reported + 500 - at, at });
  }

  /** Unix seconds by a target's clock, or by ours where that one is wrong. */
  secondsOf(target: string, now: number): number {
    const isTheirs = this.problemOf(target, now)?.whose === 'theirs';
    const ahead = isTheirs ? 0 : (this.#noted.get(target)?.ahead ?? 0);
    return Math.floor((now + ahead) / 1000);
  }

  /** Undefined where the target's clock is ours, or was not seen yet. */
  problemOf(target: string, now: number): ClockProblem | undefined {
    const own = this.#noted.get(target);
    if (!own || Math.abs(own.ahead) < mostApart) return undefined;
    const others = [...this.#noted].filter(([name, { at }]) => name !== target && now - at < longestWitness);
    const like = (ahead: number): string | undefined =>
      others.find(([, each]) => Math.abs(each.ahead - ahead) < mostApart)?.[0];
    const apart = `${Math.round(Math.abs(own.ahead) / 1000)} s ${own.ahead > 0 ? 'ahead of' : 'behind'} our clock`;
    const [ours, theirs] = [like(own.ahead), like(0)];
    if (ours !== undefined) {
      return { whose: 'ours', words: `its Date is ${apart}, and that of ${ours} agrees with it` };
    }
    if (theirs !== undefined) {
      return { whose: 'theirs', words: `its Date is ${apart}, and ${theirs} agrees with us` };
    }
    return { whose: 'unknown', words: `its Date is ${apart}, and no other target tells which is wrong` };
  }

  /** Whether the target ever reported its time. */
  isKnown(target: string): boolean {
    return this.#noted.has(target);
  }
}

/** An answer as of a recorder that left its Date out: what needs the server's clock is not judged then. */
export function withoutDate(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'date');
  const recorder = { place: 'this slot' };
  return { ...exchange, response: { ...response, headers }, recorder };
}
