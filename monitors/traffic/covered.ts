import { type SlotRecord, trafficProbe } from '../../results/probe-record.ts';
import type { ResultsStore } from '../../results/results-store.ts';
import type { Definition, LightProbe } from '../plan/definition.ts';

const minute = 60_000;

/** Covered slots in a row after which one runs, so that the monitor's connection to the target is tried. */
export const mostCovered = 3;

/** A slot of a probe, planned for an instant (Unix ms), and ms since the slot before. */
export type CoverableSlot = { readonly probe: LightProbe; readonly slot: number; readonly period: number };

/**
 * Counts the answers that passed since the slot before and show what the probe would request: answers of its
 * operation for each of its pools, all judged and ok, and none slower or staler than the objectives allow. Undefined
 * if the probe has to send its requests. Anything else about the operation or the target speaks against it, in any
 * minute that overlaps the time.
 */
export async function countCoveringAnswers(
  { probe, slot, period }: CoverableSlot,
  { definition, store }: { readonly definition: Definition; readonly store: Pick<ResultsStore, 'slots'> },
): Promise<number | undefined> {
  const { location } = definition;
  const series = { target: probe.target, probe: trafficProbe, location, source: 'passive' } as const;
  const passed = (await store.slots({ from: slot - period - minute + 1, to: slot }, series)).filter(
    ({ series: { operation } }) => operation === probe.operation || operation === 'all',
  );
  const since = passed.filter(({ scheduledAt }) => scheduledAt >= slot - period);
  const isGood = passed.every((slotRecord) => isGoodEnough(slotRecord, definition));
  if (since.length === 0 || !isGood || !hasEachPool(since, probe)) return undefined;
  return since.reduce((sum, { passed: answers = 0 }) => sum + answers, 0);
}

function isGoodEnough({ outcome, age, samples }: SlotRecord, { objectives }: Definition): boolean {
  const findLimit = (indicator: string): number =>
    objectives.find((objective) => objective.indicator === indicator)?.under ?? Number.POSITIVE_INFINITY;
  const [latency, freshness] = [findLimit('latency'), findLimit('freshness')];
  return (
    outcome === 'ok' && (age ?? 0) <= freshness && samples.every(({ timings }) => timings.total <= latency)
  );
}

function hasEachPool(slots: readonly SlotRecord[], { pools }: LightProbe): boolean {
  const seen = new Set(
    slots.flatMap(({ samples }) => samples.flatMap(({ pool, status }) => (status === 200 ? pool : []))),
  );
  return pools.every((pool) => seen.has(pool));
}
