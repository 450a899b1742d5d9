import { type Load, peakRate, totalSeconds } from './bill.ts';

export type ScenarioId = 'smoke' | 'average' | 'stress' | 'spike' | 'soak' | 'breakpoint';

export type Scenario = Load & { readonly purpose: string };

/** Makes a stage from requests a second and whole seconds. */
function stage(perSecond: number, seconds: number): Load['stages'][number] {
  return { perMinute: perSecond * 60, seconds };
}

/** Load scenarios. Every one fits into a tenth of a monthly quota of 10,000 requests. */
export const scenarios: Readonly<Record<ScenarioId, Scenario>> = {
  smoke: {
    purpose: 'does it work at all under the least load',
    startPerMinute: 60,
    stages: [stage(1, 60)],
  },
  average: {
    purpose: 'an ordinary day: up, hold, down',
    startPerMinute: 0,
    stages: [stage(4, 15), stage(4, 100), stage(0, 15)],
  },
  stress: {
    purpose: 'well above the ordinary',
    startPerMinute: 240,
    stages: [stage(20, 20), stage(20, 25), stage(0, 10)],
  },
  spike: {
    purpose: 'a sudden crowd, and whether it recovers',
    startPerMinute: 120,
    stages: [stage(2, 15), stage(40, 0), stage(40, 15), stage(2, 0), stage(2, 30)],
  },
  soak: {
    purpose: 'a quarter of an hour without rest: leaks and drift',
    startPerMinute: 60,
    stages: [stage(1, 900)],
  },
  breakpoint: {
    purpose: 'more and more, until something gives way',
    startPerMinute: 60,
    stages: [stage(40, 45)],
  },
};

export type Changes = {
  /** Highest rate in requests a second; others change in proportion. */
  readonly rate?: number;
  /** Total seconds; stages change in proportion. */
  readonly duration?: number;
  /** Multiplies every rate. */
  readonly scale?: number;
};

/** Returns a changed scenario, with rates rounded per minute and whole seconds. */
export function adjustLoad(load: Load, { rate, duration, scale = 1 }: Changes): Load {
  const factor = (rate === undefined ? 1 : rate / peakRate(load)) * scale;
  const stretch = duration === undefined ? 1 : duration / totalSeconds(load);
  const perMinute = (rate: number): number => Math.round(rate * factor);
  let [reported, kept] = [0, 0];
  const stages = load.stages.map((stage) => {
    // Rounds ends instead of lengths, so that stages add up to the total.
    reported += stage.seconds * stretch;
    const seconds = Math.round(reported) - kept;
    kept += seconds;
    return { perMinute: perMinute(stage.perMinute), seconds };
  });
  return { startPerMinute: perMinute(load.startPerMinute), stages };
}
