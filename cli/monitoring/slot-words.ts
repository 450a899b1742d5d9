import { formatLimit } from '../../monitors/plan/limit-words.ts';
import type { SlotRecord } from '../../results/probe-record.ts';

/** A slot as one line. */
export function slotInWords({
  series,
  outcome,
  state,
  failure,
  rules,
  degradedBy,
  reason,
  age,
  samples,
}: SlotRecord): string {
  const slowest = Math.max(...samples.map(({ timings }) => timings.total));
  return [
    `${series.target}/${series.probe}: ${outcome ?? state}`,
    ...(failure ? [`${failure.phase} ${failure.class}`] : []),
    ...(outcome === 'limited' && reason === undefined ? [formatLimit(samples)] : []),
    ...(rules.length > 0 && failure?.phase !== 'contract' ? [rules.join(' ')] : []),
    ...(degradedBy ? [`by ${degradedBy.join(' ')}`] : []),
    ...(samples.length > 0
      ? [`${samples.length} request${samples.length > 1 ? 's' : ''}, slowest ${Math.round(slowest)} ms`]
      : []),
    ...(age !== undefined ? [`newest candle ${Math.round(age / 1000)} s old`] : []),
    ...(reason !== undefined ? [reason] : []),
  ].join(', ');
}

/**
 * As `check` exits. 1: a must was broken, or no answer came while the same target gave others; 3: what could not be
 * decided, a target that answered nothing included.
 */
export function slotsExitCode(slots: readonly SlotRecord[]): 0 | 1 | 3 {
  const answered = new Set(slots.filter(isAnswered).map(({ series }) => series.target));
  const isBroken = slots.some(
    ({ outcome, failure, series }) =>
      failure?.phase === 'contract' || (outcome === 'failed' && answered.has(series.target)),
  );
  if (isBroken) return 1;
  return slots.every((slot) => isAnswered(slot) || slot.outcome === 'excluded') ? 0 : 3;
}

function isAnswered({ outcome }: SlotRecord): boolean {
  return outcome === 'ok' || outcome === 'degraded';
}
