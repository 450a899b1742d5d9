import { intervalPhase } from '@candleproof/document/spec/interval';
import { operationById } from '@candleproof/document/spec/operation';
import type { HistoryAnswer } from '../reading/reading.ts';
import { settlingSeconds } from '../reading/tolerances.ts';
import type { Evidence } from './evidence.ts';
import { poolKey } from './series.ts';
import { firstIndexFrom } from './timeline.ts';

/** The most intervals that are checked in one answer; of a longer range, the newest. */
export const maxIntervals = 200_000;

/** Lists the required starts: from the first to the last, one length apart. */
export type ExpectedStarts = { readonly first: number; readonly last: number; readonly length: number };

/**
 * Returns the required starts, with those at an edge that the document declares inclusive; undefined if the evidence does
 * not show them, or if no interval is wholly inside. They are on any grid if no candle of the length shows it.
 */
export function wantedStarts(
  answer: Pick<HistoryAnswer, 'requested' | 'nowWithin'>,
  { conventions, spec }: Pick<Evidence, 'conventions'> & Partial<Pick<Evidence, 'spec'>>,
  alive = conventions.alive.get(poolKey(answer)),
): ExpectedStarts | undefined {
  const { length } = answer.requested;
  const phase = conventions.phase.get(length);
  if (alive === undefined || answer.nowWithin === undefined) return undefined;
  const { from, to } = answer.requested;
  const edges = spec === undefined ? [] : operationById(spec, answer.requested.operation).parameters;
  const isHeld = (role: 'from' | 'to'): boolean =>
    edges.some((parameter) => parameter.role === role && parameter.edge === 'inclusive');
  const range = {
    from: Math.max(isHeld('from') ? from - 1 : from, to - maxIntervals * length - 1),
    to: isHeld('to') ? to + length + 1 : to,
  };
  return startsWithin(range, { length, phase, alive, now: answer.nowWithin.from });
}

/** The grid of a pool's intervals, its life and the time, in Unix seconds; the phase is undefined if nothing shows it. */
type Grid = Readonly<Record<'length' | 'alive' | 'now', number>> & { readonly phase: number | undefined };

/** Lists the starts strictly inside a range whose intervals are over at `now` and within the pool's life. */
export function startsWithin(
  { from, to }: { readonly from: number; readonly to: number },
  { length, phase: shown, alive, now }: Grid,
): ExpectedStarts | undefined {
  const earliest = Math.max(from + 1, alive);
  const latest = Math.min(to - 1, now - settlingSeconds) - length;
  // As many seconds as an interval has hold the start of one, whatever the phase.
  if (shown === undefined && latest - earliest < length) return undefined;
  const phase = shown ?? 0;
  const first = earliest + intervalPhase(phase - earliest, length);
  const last = latest - intervalPhase(latest - phase, length);
  return first <= last ? { first, last, length } : undefined;
}

/** Returns the required starts that rows in order of time lack, by a walk along both: there may be hundreds of thousands. */
export function missingStarts(
  rows: readonly { readonly start: number }[],
  { first, last, length }: ExpectedStarts,
): number[] {
  const missing: number[] = [];
  let at = firstIndexFrom(rows, first);
  for (let start = first; start <= last; start += length) {
    while ((rows[at]?.start ?? last) < start) at++;
    if (rows[at]?.start !== start) missing.push(start);
  }
  return missing;
}
