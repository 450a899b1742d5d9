/** The share of a key's month for each purpose, in percent. */
export type Shares = Readonly<Record<Purpose, number>>;

export type Purpose = 'check' | 'monitor' | 'load' | 'confirm' | 'reserve';

/** The usual shares: most of the month for monitors, and an untouchable reserve. */
export const usualShares: Shares = { check: 15, monitor: 60, load: 10, confirm: 5, reserve: 10 };

/** A key's month according to an answer: requests, and the month's last instant in Unix milliseconds. */
export type MonthAccount = { readonly limit: number; readonly remaining: number; readonly reset: number };

/**
 * Returns the requests that one purpose may spend at `now` (Unix ms) without touching what the others need until the
 * reset: what remains, less the reserve, and less the others' shares of the remaining time. Never negative.
 */
export function spendable(
  { limit, remaining, reset }: MonthAccount,
  shares: Shares,
  purpose: Purpose,
  now: number,
): number {
  const left = Math.min(1, Math.max(0, (reset - now) / monthLength(reset)));
  const { reserve } = shares;
  const others = Object.entries(shares).reduce(
    (sum, [name, share]) => (name === purpose || name === 'reserve' ? sum : sum + share),
    0,
  );
  return Math.max(0, Math.floor(remaining - (limit * reserve) / 100 - (limit * others * left) / 100));
}

/** Returns the requests per month of a purpose's share of a limit. */
export function requestShare(limit: number, shares: Shares, purpose: Purpose): number {
  return Math.floor((limit * shares[purpose]) / 100);
}

/** Returns the milliseconds of the calendar month that ends with `reset`; time zones shift both ends equally. */
function monthLength(reset: number): number {
  const end = new Date(reset + 1);
  const begin = new Date(end);
  begin.setUTCDate(begin.getUTCDate() - 1);
  const days = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 0)).getUTCDate();
  return days * 86_400_000;
}

/** A probe's requests at each of its slots. */
export type CadenceJob = {
  readonly id: string;
  /** Requests that one slot takes. */
  readonly cost: number;
  /** Milliseconds; absent for as often as the budget allows. */
  readonly period?: number;
};

type PlannedJob = Required<CadenceJob> & {
  /** Most requests that its slots take in the planned time. */
  readonly requests: number;
};

export type Cadence = {
  readonly jobs: readonly PlannedJob[];
  readonly requests: number;
  /** Requests beyond the budget; a plan with any must be refused. */
  readonly lacking: number;
};

/**
 * Plans periods for jobs within a budget of requests in `span` ms, wherever their slots fall. Jobs without a period
 * share what the others leave and get the shortest common period that it pays, in whole seconds, never below
 * `shortest` ms.
 */
export function planCadence(
  jobs: readonly CadenceJob[],
  budget: number,
  span: number,
  shortest = 60000,
): Cadence {
  const open = jobs.filter(({ period }) => period === undefined);
  const fixed = countRequests(
    jobs.flatMap(({ period, ...job }) => (period === undefined ? [] : { ...job, period })),
    span,
  );
  const once = open.reduce((sum, { cost }) => sum + cost, 0);
  const rounds = Math.max(1, Math.floor((budget - fixed) / once));
  const common = Math.max(shortest, Math.ceil(span / rounds / 1000) * 1000);
  const planned = jobs.map(({ period = common, ...job }) => {
    return { ...job, period, requests: countRequests([{ ...job, period }], span) };
  });
  const requests = planned.reduce((sum, job) => sum + job.requests, 0);
  return { jobs: planned, requests, lacking: Math.max(0, requests - budget) };
}

/** Returns the most requests that jobs need in `span` ms. */
export function countRequests(jobs: readonly Required<CadenceJob>[], span: number): number {
  return jobs.reduce((sum, { cost, period }) => sum + cost * Math.ceil(Math.max(0, span) / period), 0);
}
