import type { TargetCoverage } from '../alerting/coverage.ts';
import type { PortRoute } from './port.ts';

export type HealthFacts = {
  /** By a clock that nobody sets, in ms. */
  steady(): number;
  /** When the monitor last ticked, by the same; undefined before the first time. */
  lastTick(): number | undefined;
  /** Longest that two ticks may lie apart, in ms. */
  readonly mostAge: number;
  /** Until when each target was judged. */
  readonly coverage?: () => readonly Pick<TargetCoverage, 'target' | 'seen' | 'blindSince'>[];
  /** Rejects where the results store cannot be written. */
  tryStore(): Promise<void>;
};

/**
 * `/healthz`: 200 while the monitor ticks and can write what it sees, else 503. Beside it, until when each target was
 * judged, and since when it is not: a monitor that lives may see nothing.
 */
export function healthRoute(facts: HealthFacts): PortRoute {
  return async (path) => {
    if (path !== '/healthz') return undefined;
    const last = facts.lastTick();
    const age = last === undefined ? undefined : facts.steady() - last;
    const storeWritable = await facts.tryStore().then(
      () => true,
      () => false,
    );
    const healthy = age !== undefined && age <= facts.mostAge && storeWritable;
    const targets = Object.fromEntries(
      (facts.coverage?.() ?? []).map(({ target, seen, blindSince }) => [
        target,
        { lastJudged: instant(seen.judged), blindSince: instant(blindSince) },
      ]),
    );
    const lastTickAgeSeconds = age === undefined ? null : age / 1000;
    const body = { healthy, lastTickAgeSeconds, storeWritable, targets };
    return { status: healthy ? 200 : 503, type: 'application/json', body: `${JSON.stringify(body)}\n` };
  };
}

function instant(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
