import type { JudgedRun } from '../conformance/run/run.ts';
import type { Spec } from '../contract/document/spec.ts';
import { applyBaseline, type Baseline } from '../contract/judge/baseline.ts';
import { updateBaseline } from '../contract/judge/baseline-update.ts';
import { type Judged, judge } from '../contract/judge/judge.ts';
import { edition } from '../contract/law/catalogue.ts';
import type { Scene, Witness } from '../results/kill-matrix.ts';
import { type RunningService, startService } from '../service/start.ts';
import { checkService, targetOf } from './check-service.ts';
import { seedThatSends } from './drawn-seed.ts';

/** What the judge said of a service with some faults in force. */
export type Played = {
  readonly witnesses: readonly Witness[];
  readonly requests: number;
  readonly milliseconds: number;
};

/** How a check is made: with how many requests, and with which draws of the seed; 48 and the first one if left out. */
export type Terms = { readonly budget?: number; readonly seed?: number };

/** A service on which faults are switched on one at a time, judged in the way that a scene asks for. */
export type Stage = {
  play(faults: readonly string[], terms?: Terms): Promise<Played>;
  /** The first seed with which a check shows a fault that needs this faulty request; 1 where it needs none. */
  seedFor(drawn: string | undefined): number;
  close(): Promise<void>;
};

/** What a scene does beyond one check. */
type Direction = {
  /** Instants (Unix ms) at which checks begin; their evidence is judged together. */
  readonly instants: readonly number[];
  /** Monthly limit of the key of one play; many requests where it is left out. */
  readonly limit?: number;
  /** A second key is at hand. */
  readonly hasOtherKey?: boolean;
};

const noon = Date.parse('2026-03-11T15:32:20Z');
/** A month of the quota ends between the two, an hour and a day too. */
const monthEnd = Date.parse('2026-04-01T00:00:00Z');
const generous = 1_000_000;
const day = '2026-03-11';

const directions: Readonly<Record<Exclude<Scene, 'many samples'>, Direction>> = {
  'one check': { instants: [noon] },
  // Later by more than a minute: a new observation has come, and the candles of before are settled.
  'two checks': { instants: [noon, noon + 8 * 60_000] },
  'tiny key': { instants: [noon], limit: 12 },
  'moved clock': { instants: [monthEnd - 200_000, monthEnd + 200_000] },
  'second key': { instants: [noon], hasOtherKey: true },
};

/** Opens the stage of a scene; what the healthy service answers to open questions is pinned before a seed's first play. */
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
      const own = { ...service, apiKey: key };
      outcomes.push(await checkService(own, optionsOf(service, spec, direction, terms)));
    }
    const [first] = outcomes as [JudgedRun];
    const exchanges = outcomes.flatMap((outcome) => outcome.recording.exchanges);
    const together = { ...first.recording, exchanges };
    const judged = outcomes.length === 1 ? first.judged : judge(spec, together, { replay: () => '' });
    return { judged, requests: exchanges.length };
  };
  const pins = new Map<number, Baseline>();
  const pinned = async (seed: number): Promise<Baseline> => {
    const known =
      pins.get(seed) ?? updateBaseline((await judgeOnce({ seed })).judged, nothingKnown, day).baseline;
    pins.set(seed, known);
    return known;
  };
  return {
    play: async (faults, terms = {}) => {
      const baseline = await pinned(terms.seed ?? 1);
      const began = performance.now();
      service.switchFaults(faults);
      try {
        const { judged, requests } = await judgeOnce(terms);
        const witnesses = witnessesOf(applyBaseline(judged, baseline, day));
        return { witnesses, requests, milliseconds: performance.now() - began };
      } finally {
        service.switchFaults([]);
      }
    },
    seedFor: (drawn) => (drawn === undefined ? 1 : seedThatSends(spec, drawn, targetOf(service))),
    close: () => service.close(),
  };
}

const nothingKnown: Baseline = { target: 'local', catalogue: edition, known: [], observations: {} };

function optionsOf(
  service: RunningService,
  spec: Spec,
  { hasOtherKey }: Direction,
  terms: Terms,
): Parameters<typeof checkService>[1] {
  const otherKey = hasOtherKey && service.issueKey({ monthlyLimit: generous, hardCap: false });
  return { spec, ...terms, ...(otherKey && { otherKey }) };
}

const strictness = { must: 0, should: 1, observe: 2 };

/** Rules with a finding and questions whose answer is another, each once, the strictest first. */
function witnessesOf({ findings, observations }: Judged): Witness[] {
  const found = new Map<string, Witness>();
  for (const { rule: id, level, known } of findings) if (!known) found.set(id, { id, level });
  for (const { id, changed } of observations) if (changed) found.set(id, { id, level: 'observe' });
  return [...found.values()].sort((a, b) => strictness[a.level] - strictness[b.level]);
}
