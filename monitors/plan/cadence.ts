/** A probe's requests at each of its slots. */
export type CadenceJob = {
  readonly id: string;
  /** Requests that one slot takes. */
  readonly cost: number;
  /** Milliseconds; absent for as often as the budget allows. */
  readonly period?: number;
};

/** Ms between two slots at least, however large the budget is: nothing is published more often. */
const shortest = 60_000;

/**
 * Plans periods for jobs within a budget of requests in `span` ms, wherever their slots fall. Jobs without a period
 * share what the others leave and get the shortest common period that it pays, in whole seconds.
 */
export function planCadence(
  jobs: readonly CadenceJob[],
  budget: number,
  span: number,
): readonly Required<CadenceJob>[] {
  const open = jobs.filter(({ period }) => period === undefined);
  const fixed = countRequests(
    jobs.flatMap(({ period, ...job }) => (period === undefined ? [] : { ...job, period })),
    span,
  );
  const once = open.reduce((sum, { cost }) => sum + cost, 0);
  const rounds = Math.max(1, Math.floor((budget - fixed) / once));
  const common = Math.max(shortest, Math.ceil(span / rounds / 1000) * 1000);
  return jobs.map(({ period = common, ...job }) => ({ ...job, period }));
}

/** Returns the most requests that jobs need in `span` ms. */
export function countRequests(jobs: readonly Required<CadenceJob>[], span: number): number {
  return jobs.reduce((sum, { cost, period }) => sum + cost * Math.ceil(Math.max(0, span) / period), 0);
}
