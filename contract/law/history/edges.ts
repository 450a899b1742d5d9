import { intervalPhase } from '../../document/interval.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { settlingSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, poolKey } from '../../relations/series.ts';
import { alternative } from '../observed-values.ts';

/** Interpretations of a range's edges, each as a test of a candle's interval. */
const memberships: Readonly<
  Record<
    string,
    (start: number, end: number, from: number, to: number, length: number, phase: number) => boolean
  >
> = {
  'floored from <= end <= to': (_start, end, from, to, length, phase) =>
    floor(from, length, phase) <= end && end <= to,
  'from <= start < to': (start, _end, from, to) => from <= start && start < to,
  'the interval meets [from, to]': (start, _end, from, to, length) => start <= to && start + length > from,
  'from <= start <= to': (start, _end, from, to) => from <= start && start <= to,
  'floored from <= start, end <= to': (start, end, from, to, length, phase) =>
    floor(from, length, phase) <= start && end <= to,
  'from <= start, end <= to': (start, end, from, to) => from <= start && end <= to,
};

function floor(seconds: number, length: number, phase: number): number {
  return seconds - intervalPhase(seconds - phase, length);
}

/** Lists the interpretations that fit every history so far, by candles present and absent at both edges. */
export function membershipAnswer({ histories, conventions }: Evidence): string | undefined {
  const telling = histories.filter(({ candles, requested }) => candles.length > 1 && !requested.openRange);
  if (telling.length === 0) return undefined;
  const fitting = Object.entries(memberships).filter(([, isMember]) =>
    telling.every((answer) => {
      const phase = conventions.phase.get(answer.requested.length) ?? 0;
      const { from, to } = answer.requested;
      const length = intervalLength(answer);
      const early = conventions.endsEarly ?? 0;
      return edges(answer, conventions).every(
        ({ start, isThere }) => isMember(start, start + length - early, from, to, length, phase) === isThere,
      );
    }),
  );
  if (fitting.length === 0) return describeEdges(telling, conventions);
  return fitting.map(([name]) => name).join(alternative);
}

/**
 * Returns the outermost candles, and the absent intervals just outside although the pool existed and the interval is over.
 * Where candles are missing inside, one may be missing at the edge for the same reason.
 */
function edges(
  answer: HistoryAnswer,
  { alive }: Evidence['conventions'],
): { start: number; isThere: boolean }[] {
  const candles = answer.inTime;
  const length = intervalLength(answer);
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return [];
  const birth = alive.get(poolKey(answer)) ?? Number.POSITIVE_INFINITY;
  const isPast = (start: number): boolean => start + length + settlingSeconds < (answer.serverNow ?? 0);
  const isWhole = last.start - first.start === (candles.length - 1) * length;
  const beside = isWhole ? [first.start - length, last.start + length] : [];
  return [
    ...[first, last].map(({ start }) => ({ start, isThere: true })),
    ...beside.filter((start) => start >= birth).map((start) => ({ start, isThere: false })),
  ].filter(({ start }) => isPast(start));
}

/** Names an edge in whole intervals, since seconds differ in every range. A pool born within the range has no first edge. */
function describeEdges(histories: readonly HistoryAnswer[], { alive }: Evidence['conventions']): string {
  const old = histories.filter((history) => history.requested.from >= (alive.get(poolKey(history)) ?? 0));
  const past = old.filter(({ requested, serverNow }) => requested.to + settlingSeconds < (serverNow ?? 0));
  const early = apart(old, ({ requested, inTime }) => (inTime[0]?.start ?? Number.NaN) - requested.from);
  const late = apart(past, ({ requested, inTime }) => requested.to - (inTime.at(-1)?.start ?? Number.NaN));
  return `none of the usual readings: first start ${early} intervals after from, last start ${late} before to`;
}

function apart(histories: readonly HistoryAnswer[], pick: (answer: HistoryAnswer) => number): string {
  const seen = new Set(histories.map((history) => Math.floor(pick(history) / intervalLength(history))));
  return (
    [...seen]
      .sort((a, b) => a - b)
      .slice(0, 5)
      .join(' or ') || 'some'
  );
}
