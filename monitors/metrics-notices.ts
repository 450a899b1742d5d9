import type { Sight } from './alerting/sight.ts';
import type { Exhaustion } from './conditions.ts';
import { counter, type Family, ours, type Point, points, seconds } from './metrics-family.ts';
import type { Figures } from './metrics-state.ts';

/** What is told beside the objectives. */
export type Noticeable = Pick<Figures, 'restated' | 'foreign' | 'limitChanges'> & {
  readonly sights: readonly Pick<Sight, 'target' | 'seen' | 'blindSince'>[];
  readonly exhaustions: readonly Exhaustion[];
};

export function noticeFamilies(noticeable: Noticeable): Family[] {
  const { sights, exhaustions, restated, foreign, limitChanges } = noticeable;
  const counted = (counts: ReadonlyMap<string, number>, label: 'target' | 'key'): Point[] =>
    [...counts].flatMap(([name, count]) => points({ [label]: name }, count));
  return [
    ours(
      'last_judged_timestamp_seconds',
      'Planned instant of the newest slot in which the target was judged',
      sights.flatMap(({ target, seen }) => points({ target }, seconds(seen.judged))),
    ),
    ours(
      'blind',
      'Whether the last slots of the target all brought no judgement',
      sights.flatMap(({ target, blindSince }) => points({ target }, Number(blindSince !== undefined))),
    ),
    counter(
      'restatements',
      'Closed candles that changed after having been seen',
      counted(restated, 'target'),
    ),
    counter('foreign_requests', 'Requests with the key that are not ours', counted(foreign, 'key')),
    counter(
      'limit_changes',
      'Times that the limit of the key became another one',
      counted(limitChanges, 'key'),
    ),
    ours(
      'quota_exhaustion_timestamp_seconds',
      'When only the reserve of the key is left at the present pace; absent where its reset comes first',
      exhaustions.flatMap(({ key, at }) => points({ key }, seconds(at))),
    ),
  ];
}
