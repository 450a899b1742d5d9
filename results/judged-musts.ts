import type { ProbeSeries } from './probe-record.ts';
import type { ResultsReader } from './results-store.ts';

/** Rules at must that the answers to a probe have been evidence for, and how many bind its target in all. */
export type JudgedMusts = { readonly musts: readonly string[]; readonly of: number };

/** Under what name a store keeps that of one probe at one location. */
export function judgedMustsName({
  location,
  target,
  probe,
}: Pick<ProbeSeries, 'location' | 'target' | 'probe'>): string {
  return `musts ${location} ${target}/${probe}`;
}

/** Returns what these probes of one target judge together; undefined where none has judged anything yet. */
export async function readJudgedMusts(
  store: Pick<ResultsReader, 'state'>,
  probes: readonly Pick<ProbeSeries, 'location' | 'target' | 'probe'>[],
): Promise<JudgedMusts | undefined> {
  const names = new Set(probes.map(judgedMustsName));
  const kept = await Promise.all([...names].map((name) => store.state(name)));
  const all = kept.filter((each) => each !== undefined) as unknown as JudgedMusts[];
  if (all.length === 0) return undefined;
  const of = Math.max(...all.map((each) => each.of));
  return { musts: [...new Set(all.flatMap(({ musts }) => musts))].toSorted(), of };
}
