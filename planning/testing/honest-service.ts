import fc from 'fast-check';
import type { LedgerEntry, QuotaAnswer } from '../ledger-entry.ts';

/** An event between monitor and service; `pick` chooses among the requests that it may concern. */
export type QuotaHappening =
  | { readonly kind: 'send' }
  | { readonly kind: 'charge' | 'answer' | 'lose'; readonly pick: number }
  | { readonly kind: 'foreign'; readonly n: number }
  | { readonly kind: 'pass'; readonly ms: number }
  /** The clock moves to `ms` before the reset. */
  | { readonly kind: 'eve'; readonly ms: number };

const month = 30 * 86_400_000;

type Options = { readonly foreign: boolean; readonly losses?: boolean; readonly monthEnds?: boolean };

/** Returns an arbitrary of events of a key at an honest service. */
export function arbitraryHappenings({
  foreign,
  losses = true,
  monthEnds = true,
}: Options): fc.Arbitrary<QuotaHappening[]> {
  const pick = fc.nat(20);
  const drawStep = (kind: 'charge' | 'answer' | 'lose'): fc.Arbitrary<QuotaHappening> =>
    fc.record({ kind: fc.constant(kind), pick });
  const drawPass = (max: number): fc.Arbitrary<QuotaHappening> =>
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(max) });
  const eve = fc.record({ kind: fc.constant('eve' as const), ms: fc.nat(8000) });
  const spend = fc.record({ kind: fc.constant('foreign' as const), n: fc.integer({ min: 1, max: 9 }) });
  const others = [
    ...(losses ? [{ weight: 1, arbitrary: drawStep('lose') }] : []),
    ...(foreign ? [{ weight: 1, arbitrary: spend }] : []),
    ...(monthEnds ? [eve, drawPass(month)].map((arbitrary) => ({ weight: 1, arbitrary })) : []),
  ];
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<QuotaHappening>({ kind: 'send' }) },
      { weight: 4, arbitrary: drawStep('charge') },
      { weight: 4, arbitrary: drawStep('answer') },
      { weight: 2, arbitrary: drawPass(20_000) },
      ...others,
    ),
    { maxLength: 150 },
  );
}

type Flight = { readonly id: string; readonly answer?: QuotaAnswer };

/**
 * A service that counts every request on arrival, in whatever order it answers, and restarts its count after each
 * reset. It begins with one request without overlap, and reports everything to the monitor's side.
 */
export class HonestService {
  readonly #limit: number;
  readonly #tell: (entry: LedgerEntry) => void;
  #flights: readonly Flight[] = [];
  #now = 0;
  #reset = month - 1;
  #used: number;
  #sent = 0;

  /** `spent` is the number of requests that the month has already counted. */
  constructor(limit: number, tell: (entry: LedgerEntry) => void, spent = 0) {
    this.#limit = limit;
    this.#tell = tell;
    this.#used = spent;
    this.finish();
  }

  get now(): number {
    return this.#now;
  }

  /** Requests that this month has counted. */
  get used(): number {
    return this.#used;
  }

  play(happening: QuotaHappening): void {
    if (happening.kind === 'send') this.#send();
    else if (happening.kind === 'foreign') this.#count(happening.n);
    else if (happening.kind === 'pass') this.#pass(happening.ms);
    else if (happening.kind === 'eve') this.#pass(this.#reset - happening.ms - this.#now);
    else this.#simulate(happening.kind, happening.pick);
  }

  /** Answers everything in flight, then one more request without overlap. */
  finish(): void {
    for (const flight of listWaiting(this.#flights)) this.#charge(flight);
    for (const flight of charged(this.#flights)) this.#land(flight, false);
    this.#send();
    this.#simulate('charge', 0);
    this.#simulate('answer', 0);
  }

  /** Counts those of these requests that are still in flight. */
  arrive(ids: ReadonlySet<string>): void {
    for (const flight of listWaiting(this.#flights)) if (ids.has(flight.id)) this.#charge(flight);
  }

  #send(): void {
    const id = `r${this.#sent}`;
    this.#sent += 1;
    this.#flights = [...this.#flights, { id }];
    this.#tell({ kind: 'sent', id, at: this.#now });
  }

  #simulate(kind: 'charge' | 'answer' | 'lose', pick: number): void {
    const flights = this.#flights;
    const all = kind === 'charge' ? listWaiting(flights) : kind === 'answer' ? charged(flights) : flights;
    const chosen = all[pick % Math.max(1, all.length)];
    if (!chosen) return;
    if (kind === 'charge') this.#charge(chosen);
    else this.#land(chosen, kind === 'lose');
  }

  #charge(flight: Flight): void {
    this.#count(1);
    const left = this.#limit - this.#used;
    const answer = {
      limit: this.#limit,
      remaining: Math.max(0, left),
      additional: Math.max(0, -left),
      reset: this.#reset,
    };
    this.#flights = this.#flights.map((known) => (known === flight ? { ...known, answer } : known));
  }

  #count(n: number): void {
    for (; this.#now > this.#reset; this.#reset += month) this.#used = 0;
    this.#used += n;
  }

  #land({ id, answer }: Flight, isLost: boolean): void {
    this.#flights = this.#flights.filter((flight) => flight.id !== id);
    const at = this.#now;
    this.#tell(
      answer && !isLost ? { kind: 'answered', id, at, quota: answer } : { kind: 'doubtful', id, at },
    );
  }

  #pass(ms: number): void {
    // An answer takes at most about a minute, so those on their way arrive first.
    if (ms > 10_000) for (const flight of charged(this.#flights)) this.#land(flight, false);
    this.#now += Math.max(0, ms);
  }
}

function listWaiting(flights: readonly Flight[]): readonly Flight[] {
  return flights.filter(({ answer }) => answer === undefined);
}

function charged(flights: readonly Flight[]): readonly Flight[] {
  return flights.filter(({ answer }) => answer !== undefined);
}
