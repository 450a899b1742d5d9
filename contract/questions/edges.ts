import type { Evidence } from '../evidence.ts';
import { phaseOf } from '../interval.ts';
import type { HistoryAnswer } from '../reading.ts';
import { lengthOf, poolOf } from '../series.ts';
import { settlingSeconds } from '../tolerances.ts';

/** Ways of reading a range's edges, each as a test of a candle's interval. */
const memberships: Readonly<
  Record<
    string,
    (start: number, end: number, from: number, to: number, length: number, phase: number) => boolean
  >
> = {
  'floored from <= end <= to': (_start, end, from, to, length, phase) =>
    floor(from, length, phase) <= end && end <= to,
  'from <= start < to': (start, _end, from, to) => from <= start && start < to,
  'the interval meets [from, to]': (start, end, from, to) => start <= to && end > from,
  'from <= start <= to': (start, _end, from, to) => from <= start && start <= to,
  'floored from <= start, end <= to': (start, end, from, to, length, phase) =>
    floor(from, length, phase) <= start && end <= to,
  'from <= start, end <= to': (start, end, from, to) => from <= start && end <= to,
};

function floor(seconds: number, length: number, phase: number): number {
  return seconds - phaseOf(seconds - phase, length);
}

/** The readings of the edges that every history so far fits: those present at both edges, and those absent. */
export function membershipAnswer({ histories, conventions }: Evidence): string | undefined {
  const telling = histories.filter((each) => each.candles.length > 1);
  if (telling.length === 0) return undefined;
  const fitting = Object.entries(memberships).filter(([, isMember]) =>
    telling.every((answer) => {
      const phase = conventions.phase.get(answer.asked.interval) ?? 0;
      const { from, to } = answer.asked;
      const length = lengthOf(answer);
      const early = conventions.endsEarly ?? 0;
      return edges(answer, conventions).every(
        ({ start, isThere }) => isMember(start, start + length - early, from, to, length, phase) === isThere,
      );
    }),
  );
  if (fitting.length === 0) return describeEdges(telling);
  return fitting.map(([name]) => name).join('; or ');
}

/** The outermost candles that are there, and the intervals just outside that are not; the pool's birth and the present tell nothing. */
function edges(
  answer: HistoryAnswer,
  { alive }: Evidence['conventions'],
): { start: number; isThere: boolean }[] {
  const candles = answer.inTime;
  const length = lengthOf(answer);
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return [];
  const isPast = (start: number): boolean => start + length + settlingSeconds < (answer.serverNow ?? 0);
  const isBirth = first.start + length === alive.get(poolOf(answer));
  const early = [
    { start: first.start, isThere: true },
    { start: first.start - length, isThere: false },
  ].slice(0, isBirth ? 0 : 2);
  const late = [
    { start: last.start, isThere: true },
    { start: last.start + length, isThere: false },
  ];
  return [...early, ...late].filter(({ start }) => isPast(start));
}

function describeEdges(histories: readonly HistoryAnswer[]): string {
  const seen = histories.map((answer) => {
    const candles = answer.inTime;
    return `first start − from = ${(candles[0]?.start ?? 0) - answer.asked.from} s, last start − to = ${(candles.at(-1)?.start ?? 0) - answer.asked.to} s`;
  });
  return `none of the usual readings; ${[...new Set(seen)].slice(0, 3).join('; ')}`;
}
