import type { ProbeSeries } from './probe-record.ts';
import type { Json, ResultsReader } from './results-store.ts';

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

/** Under what name a store keeps how many requests a day the plans of all holders of a key take. */
export function keyPaceName(key: string): string {
  return `pace ${key}`;
}

/** Whose traffic a store keeps: the base URL of what answered, and that of the proxy before it, where one stands there. */
export type TrafficOrigin = { readonly upstream: string; readonly url?: string };

/** Under what name a store of traffic says so. */
export const originName = 'traffic';

/** Undefined where a store keeps no traffic. */
export function originOf(state: Json | undefined): TrafficOrigin | undefined {
  if (state === null || typeof state !== 'object' || !('upstream' in state)) return undefined;
  const { upstream, url } = state;
  if (typeof upstream !== 'string') return undefined;
  return { upstream, ...(typeof url === 'string' && { url }) };
}
