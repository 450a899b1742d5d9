import type { ProbeSample } from '../../results/probe-record.ts';

/** Whose fault it is that a target gave no answer to us: the key's, or the quota's. */
export function limitInWords(samples: readonly ProbeSample[]): string {
  const refusal = samples.findLast(({ status }) => status !== undefined && status !== 200)?.status;
  return refusal === undefined || refusal === 429 ? 'the quota is spent' : `the key was refused (${refusal})`;
}
