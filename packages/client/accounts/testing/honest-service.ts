import type { QuotaAnswer } from '../ledger-entry.ts';

const month = 30 * 86_400_000;

type Flight = { readonly of: string; answer?: QuotaAnswer; readonly land: (answer?: QuotaAnswer) => void };

/** A service that counts every request on arrival, in whatever order it answers, and restarts after each reset. */
export class HonestService {
  readonly #limit: number;
  #flights: Flight[] = [];
  #reset = month - 1;
  #used: number;
  now = 0;

  /** `used` is the number of requests that the month has already counted. */
  constructor(limit: number, used = 0) {
    this.#limit = limit;
    this.#used = used;
  }

  /** Requests that this month has counted. */
  get used(): number {
    return this.#used;
  }

  get reset(): number {
    return this.#reset;
  }

  /** `land` receives the answer, or nothing if the request got lost. */
  send(of: string, land: Flight['land']): void {
    this.#flights.push({ of, land });
  }

  count(n: number): void {
    for (; this.now > this.#reset; this.#reset += month) this.#used = 0;
    this.#used += n;
  }

  /** Counts one of the waiting requests, answers one of the counted ones, or loses any; `pick` chooses. */
  simulate(kind: 'charge' | 'answer' | 'lose', pick: number): void {
    const all = this.#flights.filter(({ answer }) =>
      kind === 'lose' ? true : (answer === undefined) === (kind === 'charge'),
    );
    const chosen = all[pick % Math.max(1, all.length)];
    if (!chosen) return;
    if (kind === 'charge') this.#charge(chosen);
    else this.#land(chosen, kind === 'lose');
  }

  /** Counts the requests of a sender that dies, who receives no answer. */
  abandon(of: string): void {
    for (const flight of this.#flights) if (flight.of === of && !flight.answer) this.#charge(flight);
    this.#flights = this.#flights.filter((flight) => flight.of !== of);
  }

  pass(ms: number): void {
    // An answer takes at most about a minute, so those on their way arrive first.
    if (ms > 10_000)
      for (const flight of this.#flights.filter(({ answer }) => answer)) this.#land(flight, false);
    this.now += Math.max(0, ms);
  }

  /** Answers all requests, or those of one sender. */
  finish(of?: string): void {
    const own = this.#flights.filter((flight) => of === undefined || flight.of === of);
    for (const flight of own) if (!flight.answer) this.#charge(flight);
    for (const flight of own) this.#land(flight, false);
  }

  #charge(flight: Flight): void {
    this.count(1);
    const left = this.#limit - this.#used;
    const [remaining, additional] = [Math.max(0, left), Math.max(0, -left)];
    flight.answer = { limit: this.#limit, remaining, additional, reset: this.#reset };
  }

  #land(flight: Flight, isLost: boolean): void {
    this.#flights = this.#flights.filter((other) => other !== flight);
    flight.land(isLost ? undefined : flight.answer);
  }
}
