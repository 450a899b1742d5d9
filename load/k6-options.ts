import type { Options } from 'k6/options';
import { type CounterFamily, valueName } from './counters.ts';
import type { LoadPlan } from './load-plan.ts';

/** An open model: requests leave when they are due, whatever became of those before. */
export function optionsFor(
  { trial: { load }, vus, timeoutMs }: LoadPlan,
  families: readonly CounterFamily[],
): Options {
  return {
    scenarios: {
      load: {
        executor: 'ramping-arrival-rate',
        startRate: load.startPerMinute,
        timeUnit: '1m',
        preAllocatedVUs: vus,
        maxVUs: vus,
        stages: load.stages.map(({ perMinute, seconds }) => ({ target: perMinute, duration: `${seconds}s` })),
        gracefulStop: `${Math.ceil(timeoutMs / 1000) + 1}s`,
      },
    },
    summaryTrendStats: ['avg', 'min', 'med', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'max'],
    // k6 keeps the values of a tag apart for those that a threshold names, be it an empty one.
    thresholds: Object.fromEntries(
      families.flatMap((family) => family.values.map((value) => [valueName(family, value), []])),
    ),
    batch: 1,
  };
}
