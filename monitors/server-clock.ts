import { type Exchange, headerValues } from '../contract/exchange.ts';

/** Further apart than this, in ms, one of two clocks is wrong. */
const mostApart = 30_000;

/** How far the targets' clocks are from ours, by the Date headers of their newest answers. */
export class ServerClocks {
  readonly #ahead = new Map<string, number>();

  note(target: string, { response, startedAt, timings }: Exchange): void {
    const [date = ''] = headerValues(response?.headers ?? [], 'date');
    const told = Date.parse(date);
    // The header counts whole seconds: on average half of one has passed.
    if (!Number.isNaN(told)) this.#ahead.set(target, told + 500 - (Date.parse(startedAt) + timings.total));
  }

  /** Unix seconds by a target's clock. */
  secondsOf(target: string, now: number): number {
    return Math.floor((now + (this.#ahead.get(target) ?? 0)) / 1000);
  }

  /** Two targets that agree on another time than ours: then it is our clock that is wrong. */
  isOursWrong(): boolean {
    const apart = [...this.#ahead.values()].filter((each) => Math.abs(each) > mostApart);
    const [one, ...others] = apart;
    return one !== undefined && others.some((each) => Math.abs(each - one) <= mostApart);
  }
}
