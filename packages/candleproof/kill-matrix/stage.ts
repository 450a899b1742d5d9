import { makePlan, usualSize } from '@candleproof/check/plan/plan';
import type { JudgedRun } from '@candleproof/check/run/run';
import type { Spec } from '@candleproof/document/spec/spec';
import { applyBaseline, type Baseline } from '@candleproof/law/judge/baseline';
import { updateBaseline } from '@candleproof/law/judge/baseline-update';
import { type Judged, judge } from '@candleproof/law/judge/judge';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { type RunningService, startService } from '@candleproof/reference-service/start';
import type { Scene, Witness } from '@candleproof/reports/kill-matrix/facts';
import { checkService, describeTarget } from './check-service.ts';

/** The judge's result for a service with some faults. */
export type Played = {
  readonly witnesses: readonly Witness[];
  readonly requests: number;
  readonly milliseconds: number;
};

/** Budget and seed of a check; 48 and 1 by default. */
export type Terms = { readonly budget?: number; readonly seed?: number };

/** A service whose faults are switched on one at a time and judged as a scene requires. */
export type Stage = {
  play(faults: readonly string[], terms?: Terms): Promise<Played>;
  /** Returns the first seed with which a check sends the faulty request that a fault needs; 1 if it needs none. */
  findSeed(drawn: string | undefined): number;
  close(): Promise<void>;
};

/** The checks that a scene takes. */
export type Scenery = {
  /** Start times (Unix ms) of checks whose evidence is judged together. */
  readonly instants: readonly number[];
  /** Monthly limit of the key for one play; large by default. */
  readonly limit?: number;
  /** True if there is a second key. */
  readonly hasOtherKey?: boolean;
};

/** The time (Unix ms) of a check. */
export const noon = Date.parse('2026-03-11T15:32:20Z');

/** End of a quota month, a day and an hour. */
const monthEnd = Date.parse('2026-04-01T00:00:00Z');
/** A monthly limit that no check reaches. */
export const generous = 1_000_000;
/** The day against which baselines are read. */
export const day = '2026-03-11';

/** The checks that show faults, by scene. */
export const directions: Readonly<Record<Exclude<Scene, 'many samples'>, Scenery>> = {
  'one check': { instants: [noon] },
  // More than a minute apart, so that there is a new observation and earlier candles are settled.
  'two checks': { instants: [noon, noon + 8 * 60_000] },
  'tiny key': { instants: [noon], limit: 12 },
  'moved clock': { instants: [monthEnd - 200_000, monthEnd + 200_000] },
  'second key': { instants: [noon], hasOtherKey: true },
};

/** Opens the stage of a scene. Pins the healthy service's answers to questions before a seed's first play. */
export async function openStage(
  scene: keyof typeof directions,
  spec: Spec,
  start = startService,
): Promise<Stage> {
  const direction = directions[scene];
  let now = noon;
  let since = performance.now();
  const service = await start({
    seed: 3,
    historyDays: 30,
    now: () => now + performance.now() - since,
    quota: { limit: generous },
  });
  const judgeOnce = async (terms: Terms): Promise<{ judged: Judged; requests: number }> => {
    const key = service.issueKey({ monthlyLimit: direction.limit ?? generous, hardCap: false });
    const outcomes: JudgedRun[] = [];
    for (const instant of direction.instants) {
      now = instant;
      since = performance.now();
      const stranger = { ...service, apiKey: key };
      outcomes.push(await checkService(stranger, makeOptions(service, spec, direction, terms)));
    }
    const [first] = outcomes as [JudgedRun];
    const exchanges = outcomes.flatMap((outcome) => outcome.recording.exchanges);
    const together = { ...first.recording, exchanges };
    const judged = outcomes.length === 1 ? first.judged : judge(spec, together, { replay: () => '' });
    return { judged, requests: exchanges.length };
  };
  const pins = new Map<number, Baseline>();
  const pinnedBaseline = async (seed: number): Promise<Baseline> => {
    const known =
      pins.get(seed) ?? updateBaseline((await judgeOnce({ seed })).judged, nothingKnown, day).baseline;
    pins.set(seed, known);
    return known;
  };
  return {
    play: async (faults, terms = {}) => {
      const baseline = await pinnedBaseline(terms.seed ?? 1);
      const began = performance.now();
      service.switchFaults(faults);
      try {
        const { judged, requests } = await judgeOnce(terms);
        const witnesses = listWitnesses(applyBaseline(judged, baseline, day));
        return { witnesses, requests, milliseconds: performance.now() - began };
      } finally {
        service.switchFaults([]);
      }
    },
    findSeed: (drawn) => (drawn === undefined ? 1 : findSeed(spec, drawn, describeTarget(service))),
    close: () => service.close(),
  };
}

export const nothingKnown: Baseline = { target: 'local', known: [], observations: {} };

function makeOptions(
  service: RunningService,
  spec: Spec,
  { hasOtherKey }: Scenery,
  terms: Terms,
): Parameters<typeof checkService>[1] {
  const otherKey = hasOtherKey && service.issueKey({ monthlyLimit: generous, hardCap: false });
  return { spec, ...terms, ...(otherKey && { otherKey }) };
}

const strictness = { must: 0, should: 1, observe: 2 };

/** Lists rules with a finding and questions with a changed answer, strictest first. */
export function listWitnesses({ findings, observations }: Judged): Witness[] {
  const found = new Map<string, Witness>();
  for (const { rule: id, level, known } of findings) if (!known) found.set(id, { id, level });
  for (const { id, changed } of observations) if (changed) found.set(id, { id, level: 'observe' });
  return [...found.values()].sort((a, b) => strictness[a.level] - strictness[b.level]);
}

const seedsAtMost = 400;

/**
 * Finds the first seed with which a check of the usual size sends a faulty request or tries a key, of which it draws
 * only a few. Throws if there is none.
 */
export function findSeed(spec: Spec, drawn: string, target: TargetFacts): number {
  for (let seed = 1; seed <= seedsAtMost; seed++) {
    const { requests } = makePlan(spec, catalogue, target, usualSize, { seed });
    if (requests.some(({ need }) => [need.errorCase, need.trial].some((choice) => choice === drawn)))
      return seed;
  }
  throw new Error(
    `no seed up to ${seedsAtMost} sends "${drawn}": is it one of packages/law/rules/error-cases.ts or trials.ts?`,
  );
}
