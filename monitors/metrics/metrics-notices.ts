import type { TargetCoverage } from '../alerting/coverage-conditions.ts';
import type { Exhaustion } from '../probes/key-conditions.ts';
import type { EventRecord } from '../results/results-store.ts';
import { counter, gaugeFamily, type MetricsFamily, type Point, points, seconds } from './metrics-family.ts';

/** Notices that belong to no objective. */
export type Noticeable = {
  readonly happened: EventCounts;
  readonly coverage: readonly Pick<TargetCoverage, 'target' | 'seen' | 'blindSince'>[];
  readonly exhaustions: readonly Exhaustion[];
};

/** Counts the events that were reported since this process began. */
export class EventCounts {
  /** By target: closed candles that changed. */
  readonly restated = new Map<string, number>();
  /** By key: requests of others, and how often its limit became another one. */
  readonly foreign = new Map<string, number>();
  readonly limitChanges = new Map<string, number>();

  take(events: readonly EventRecord[]): void {
    for (const { kind, target = '', key = '', detail } of events) {
      if (kind === 'restatement') add(this.restated, target, 1);
      if (kind === 'foreign-use') add(this.foreign, key, Number(detail.n));
      if (kind === 'limit-changed') add(this.limitChanges, key, 1);
    }
  }
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Returns the families of coverage, exhaustion and events. */
export function noticeFamilies({ coverage: sights, exhaustions, happened }: Noticeable): MetricsFamily[] {
  const { restated, foreign, limitChanges } = happened;
  const countPoints = (counts: ReadonlyMap<string, number>, label: 'target' | 'key'): Point[] =>
    [...counts].flatMap(([name, count]) => points({ [label]: name }, count));
  return [
    gaugeFamily(
      'last_judged_timestamp_seconds',
      'Planned instant of the newest slot in which the target was judged',
      sights.flatMap(({ target, seen }) => points({ target }, seconds(seen.judged))),
    ),
    gaugeFamily(
      'blind',
      'Whether the last slots of the target all brought no judgement',
      sights.flatMap(({ target, blindSince }) => points({ target }, Number(blindSince !== undefined))),
    ),
    counter(
      'restatements',
      'Closed candles that changed after having been seen',
      countPoints(restated, 'target'),
    ),
    counter('foreign_requests', 'Requests with the key that are not ours', countPoints(foreign, 'key')),
    counter(
      'limit_changes',
      'Times that the limit of the key became another one',
      countPoints(limitChanges, 'key'),
    ),
    gaugeFamily(
      'quota_exhaustion_timestamp_seconds',
      'When only the reserve of the key is left at the present pace; absent where its reset comes first',
      exhaustions.flatMap(({ key, at }) => points({ key }, seconds(at))),
    ),
  ];
}
