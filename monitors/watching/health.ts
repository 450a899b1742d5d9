import type { TargetCoverage } from '../alerting/coverage-conditions.ts';
import type { PortAnswer, PortRoute } from '../slots/port.ts';

export type HealthFacts = {
  /** By a steady clock, in ms. */
  steady(): number;
  /** When the monitor last ticked, by the same; undefined before the first time. */
  lastTick(): number | undefined;
  /** Longest that two ticks may lie apart, in ms. */
  readonly mostAge: number;
  /** The time until which each target was judged. */
  readonly coverage?: () => readonly Pick<TargetCoverage, 'target' | 'seen' | 'blindSince'>[];
  /** Rejects if the results store cannot be written. */
  tryStore(): Promise<void>;
};

/** Returns whether a path asks whether the monitor can do its work. */
export function isReadiness(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/**
 * `/healthz` and `/readyz`: 200 while the monitor ticks and can write what it sees, else 503. Beside it, until when each
 * target was judged, and since when it is not: a monitor that lives may see nothing. `/livez`: 503 only if it does not
 * tick although it could write: one that waits for room must not be restarted. Of one that ticks it asks nothing of the
 * store, since a write may wait for the disk.
 */
export function healthRoute(facts: HealthFacts): PortRoute {
  return async (path) => {
    const isLiveness = path === '/livez';
    if (!isLiveness && !isReadiness(path)) return undefined;
    const last = facts.lastTick();
    const age = last === undefined ? undefined : facts.steady() - last;
    const lastTickAgeSeconds = age === undefined ? null : age / 1000;
    const isTicking = age !== undefined && age <= facts.mostAge;
    if (isLiveness && isTicking) return toAnswer(true, { lastTickAgeSeconds });
    const storeWritable = await facts.tryStore().then(
      () => true,
      () => false,
    );
    const healthy = isTicking && storeWritable;
    const targets = Object.fromEntries(
      (facts.coverage?.() ?? []).map(({ target, seen, blindSince }) => [
        target,
        { lastJudged: formatInstant(seen.judged), blindSince: formatInstant(blindSince) },
      ]),
    );
    const isWell = isLiveness ? !storeWritable : healthy;
    return toAnswer(isWell, { healthy, lastTickAgeSeconds, storeWritable, targets });
  };
}

function toAnswer(isWell: boolean, facts: object): PortAnswer {
  return { status: isWell ? 200 : 503, type: 'application/json', body: `${JSON.stringify(facts)}\n` };
}

function formatInstant(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
