import type { ProbeSeries } from './probe-record.ts';
import type { Json, ResultsReader, Retention, StoreSize } from './results-store.ts';

/** Rules at must that the answers to a probe have been evidence for, and how many bind its target in all. */
export type JudgedMusts = { readonly musts: readonly string[]; readonly of: number };

/** The name under which a store keeps the judged musts of one probe at one location. */
export function judgedMustsName({
  location,
  target,
  probe,
}: Pick<ProbeSeries, 'location' | 'target' | 'probe'>): string {
  return `musts ${location} ${target}/${probe}`;
}

/** Returns what these probes of one target judge together; undefined if none has judged anything yet. */
export async function readJudgedMusts(
  store: Pick<ResultsReader, 'state'>,
  probes: readonly Pick<ProbeSeries, 'location' | 'target' | 'probe'>[],
): Promise<JudgedMusts | undefined> {
  const names = new Set(probes.map(judgedMustsName));
  const kept = await Promise.all([...names].map((name) => store.state(name)));
  const all = kept.filter((value) => value !== undefined) as unknown as JudgedMusts[];
  if (all.length === 0) return undefined;
  const of = Math.max(...all.map((musts) => musts.of));
  return { musts: [...new Set(all.flatMap(({ musts }) => musts))].toSorted(), of };
}

/** The name under which a store keeps the planned requests per day of all holders of a key. */
export function keyPaceName(key: string): string {
  return `pace ${key}`;
}

/** The name under which a store keeps how it was measured, for reports. */
export const methodName = 'method';

/** The growth of a store in a day, by the plan of its monitors. */
export type PlannedPace = Pick<StoreSize, 'series' | 'slotsPerDay' | 'requestsPerDay'>;

/** Returns the pace of the last monitor on a store; undefined if none ran by a plan. */
export function readPace(state: Json | undefined): PlannedPace | undefined {
  const { pace } = (state ?? {}) as { readonly pace?: PlannedPace };
  return pace;
}

/** Returns the days that raw slots are kept, as the last monitor on a store had it; undefined if none ran. */
export function readKeptDays(state: Json | undefined): number | undefined {
  const { keepRawDays } = (state ?? {}) as Partial<Retention>;
  return typeof keepRawDays === 'number' ? keepRawDays : undefined;
}

/** The name under which a store keeps its retention and pace, for forecasts of its size. */
export const keepName = 'keep';
