import type { ProbeSample } from '../results/probe-record.ts';

/** Returns why a target refused us, by the status alone: a 429 does not mean that the month's quota is spent. */
export function formatLimit(samples: readonly ProbeSample[]): string {
  const refusal = samples.findLast(({ status }) => status !== undefined && status !== 200)?.status;
  return refusal === undefined || refusal === 429 ? 'rate limited (429)' : `the key was refused (${refusal})`;
}
