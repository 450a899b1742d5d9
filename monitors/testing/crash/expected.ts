import { type AlertState, type JudgedSample, usualSlo } from '../../alerting/burn-rate.ts';
import { evaluate, quiet } from '../../alerting/testing/evaluate.ts';
import { slotOffset } from '../../plan/slot-plan.ts';
import { type Indicator, rateIndicator, type SlotRecord } from '../../results/probe-record.ts';
import { begin, crashDefinition, location } from './definition.ts';

/** Average ms between two slots of a target: it has three probes, each every quarter of an hour. */
const cadence = 300_000;

/** Every planned slot as `instant target/probe`, reckoned from the definition alone. */
export function plannedSlots(end: number): string[] {
  return crashDefinition('').probes.flatMap(({ target, name, rhythm }) => {
    const period = 900_000;
    const minutes = 'cron' in rhythm ? Number.parseInt(rhythm.cron, 10) : undefined;
    const steady = slotOffset({ id: `${target}/${name}`, location, period });
    const offset = minutes === undefined ? Math.floor(steady / 1000) * 1000 : minutes * 60_000;
    const planned: string[] = [];
    for (let at = Math.floor(begin / period) * period + offset; at <= end; at += period) {
      if (at > begin) planned.push(`${at} ${target}/${name}`);
    }
    return planned;
  });
}

/** Returns the instants at which a budget began to burn, from the stored slots alone, in the order in which they were settled. */
export function listBurns(
  slots: readonly SlotRecord[],
  target: string,
  indicator: Indicator,
  objective: number,
): number[] {
  const begun: number[] = [];
  const samples: JudgedSample[] = [];
  let state: AlertState = quiet;
  const settled = slots
    .filter(({ series, finishedAt }) => series.target === target && finishedAt !== undefined)
    .toSorted((one, other) => (one.finishedAt ?? 0) - (other.finishedAt ?? 0));
  for (const slot of settled) {
    const said = rateIndicator(slot, indicator);
    if (said === undefined) continue;
    const now = slot.finishedAt ?? 0;
    samples.push({ at: slot.scheduledAt, good: said === 'good' });
    const before = state.firing.length > 0;
    // Three days of slots, and the few that an alert needs to clear however rare they are.
    state = evaluate(samples.slice(-1000), { ...usualSlo, objective, cadence }, state, now);
    const isFiring = state.firing.length > 0;
    if (isFiring && !before) begun.push(now);
  }
  return begun;
}
