import type { NamedInterval } from './roles.ts';

/** The lengths that the law asks for, shortest first; a document's own intervals stand for them. */
export const rungNames = ['minutes', 'hour', 'day', 'week'] as const;
export type Rung = (typeof rungNames)[number];

export type Rungs = Readonly<Partial<Record<Rung, NamedInterval>>>;

/** Seconds that each is meant to have, and between which an interval may stand for it. */
const wanted: Readonly<
  Record<Rung, { readonly seconds: number; readonly from: number; readonly to: number }>
> = {
  minutes: { seconds: 300, from: 60, to: 1800 },
  hour: { seconds: 3600, from: 3600, to: 6 * 3600 },
  day: { seconds: 86_400, from: 43_200, to: 3 * 86_400 },
  week: { seconds: 604_800, from: 604_800, to: 604_800 },
};

/** The interval nearest to each length by its ratio; none where the document has nothing like it. */
export function rungsOf(intervals: readonly NamedInterval[]): Rungs {
  const found: Partial<Record<Rung, NamedInterval>> = {};
  for (const rung of rungNames) {
    const { seconds, from, to } = wanted[rung];
    const [nearest] = intervals
      .filter((each) => each.seconds >= from && each.seconds <= to)
      .sort((a, b) => ratio(a.seconds, seconds) - ratio(b.seconds, seconds));
    if (nearest) found[rung] = nearest;
  }
  return found;
}

function ratio(a: number, b: number): number {
  return Math.abs(Math.log(a / b));
}

/** Seconds of the interval that stands for a length, or of the length itself where the document has none like it. */
export function rungSeconds(rungs: Rungs, rung: Rung): number {
  return rungs[rung]?.seconds ?? wanted[rung].seconds;
}
