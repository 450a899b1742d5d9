import type { SlotRecord } from '../../results/probe-record.ts';

/** A slot as one line. */
export function slotInWords({
  series,
  outcome,
  state,
  failure,
  rules,
  reason,
  age,
  samples,
}: SlotRecord): string {
  const slowest = Math.max(...samples.map(({ timings }) => timings.total));
  return [
    `${series.target}/${series.probe}: ${outcome ?? state}`,
    ...(failure ? [`${failure.phase} ${failure.class}`] : []),
    ...(rules.length > 0 && failure?.phase !== 'contract' ? [rules.join(' ')] : []),
    ...(samples.length > 0 ? [`${samples.length} requests, slowest ${Math.round(slowest)} ms`] : []),
    ...(age !== undefined ? [`newest candle ${Math.round(age / 1000)} s old`] : []),
    ...(reason !== undefined ? [reason] : []),
  ].join(', ');
}

/** As `check` exits: a broken must is the target's, what could not be decided is inconclusive. */
export function exitCodeOfSlots(slots: readonly SlotRecord[]): 0 | 1 | 3 {
  if (slots.some(({ failure }) => failure?.phase === 'contract')) return 1;
  const isDecided = slots.every(
    ({ outcome }) => outcome === 'ok' || outcome === 'degraded' || outcome === 'excluded',
  );
  return isDecided ? 0 : 3;
}
