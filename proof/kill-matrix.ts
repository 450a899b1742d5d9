import type { Spec } from '../contract/document/spec.ts';
import { catalogue, edition } from '../contract/law/catalogue.ts';
import { provenObjective } from '../planning/confidence.ts';
import {
  type HealthyRuns,
  isFoundAsClaimed,
  type Kill,
  type KillMatrix,
  type Limit,
  type MatrixRule,
  type Scene,
  type Witness,
} from '../results/kill-matrix.ts';
import type { Fault } from '../service/faults/fault.ts';
import { FAULTS } from '../service/faults/registry.ts';
import { UNBUILT } from '../service/faults/unbuilt.ts';
import { blindSpotOf, claimsOf } from './claims.ts';
import { openStage, type Stage } from './stage.ts';

export type MatrixOptions = {
  readonly spec: Spec;
  readonly faults: readonly Fault[];
  readonly version: string;
  /** Budgets at which what one check can show is tried again. */
  readonly budgets: readonly number[];
  readonly onProgress?: (done: number, all: number, fault: string) => void;
};

/** Plays of the healthy service on each stage. */
const healthyPlays = 3;

/** Switches the faults on one at a time, each where it can be seen with the least, and tells what found it. */
export async function killMatrix(options: MatrixOptions): Promise<KillMatrix> {
  const startedAt = new Date().toISOString();
  const kills: Kill[] = [];
  const healthy: Witness[][] = [];
  const shown = options.faults.filter((fault) => fault.shows !== 'many samples');
  for (const [scene, faults] of Map.groupBy(shown, (each) => each.shows)) {
    const stage = await openStage(scene as Exclude<Scene, 'many samples'>, options.spec);
    try {
      for (const fault of faults) {
        options.onProgress?.(kills.length, shown.length, `${fault.number} ${fault.id}`);
        kills.push(await kill(stage, fault, options.budgets));
      }
      for (let seed = 1; seed <= healthyPlays; seed++)
        healthy.push([...(await stage.play([], { seed })).witnesses]);
    } finally {
      await stage.close();
    }
  }
  return {
    startedAt,
    finishedAt: new Date().toISOString(),
    versions: { candleproof: options.version, catalogue: edition },
    kills: kills.sort((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true })),
    unbuilt: [
      ...UNBUILT,
      ...options.faults.filter((fault) => fault.shows === 'many samples').map(blindSpotOf),
    ],
    ...(options.faults.length === FAULTS.length && { rules: ruleCases(kills) }),
    healthy: healthyRuns(healthy),
  };
}

/** The bound is the exact one of a count of independent runs; each has a seed of its own. */
function healthyRuns(witnesses: readonly (readonly Witness[])[]): HealthyRuns {
  const runs = witnesses.length;
  const accusedRuns = witnesses.filter((witness) => witness.length > 0).length;
  return {
    runs,
    accusedRuns,
    accused: witnesses.flat().map(({ id }) => id),
    atMost: 1 - provenObjective(runs - accusedRuns, runs),
  };
}

/** Which faults make each rule speak, those first that name it among what they break. */
function ruleCases(kills: readonly Kill[]): MatrixRule[] {
  const names = (some: readonly Witness[], id: string): boolean => some.some((each) => each.id === id);
  return catalogue.rules.map(({ id, level, unspoken: reason }) => {
    const telling = kills.filter(({ foundBy }) => names(foundBy, id));
    const [own, others] = [true, false].map((isOwn) =>
      telling.filter(({ breaks }) => names(breaks, id) === isOwn),
    );
    const faults = [...(own ?? []), ...(others ?? [])].map(({ number }) => number);
    return { id, level, faults, ...(reason !== undefined && faults.length === 0 && { reason }) };
  });
}

async function kill(stage: Stage, fault: Fault, budgets: readonly number[]): Promise<Kill> {
  const { id, number, class: kind, title, shows: scene } = fault;
  const seed = stage.seedFor(fault.drawn);
  const breaks = claimsOf(fault);
  const { witnesses: foundBy, requests, milliseconds } = await stage.play([id], { seed });
  return {
    ...{ id, number, class: kind, title, scene, breaks, foundBy, requests, milliseconds },
    ...(seed !== 1 && { seed }),
    ...(scene === 'one check' && { budgets: await foundWithin(stage, fault, budgets) }),
    ...(fault.sizes && { limit: await limitOf(stage, fault, fault.sizes, breaks) }),
  };
}

/** With the first seed, whatever it draws: a budget is no use where the seed must be known. */
async function foundWithin(
  stage: Stage,
  { id }: Fault,
  budgets: readonly number[],
): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = {};
  for (const budget of budgets) found[budget] = (await stage.play([id], { budget })).witnesses.length > 0;
  return found;
}

/** The mildest size that is found by what the fault breaks: it is that rule's limit. */
async function limitOf(
  stage: Stage,
  { id }: Fault,
  { unit, usual, scale }: NonNullable<Fault['sizes']>,
  breaks: readonly Witness[],
): Promise<Limit> {
  for (const size of scale) {
    const { witnesses } = await stage.play([`${id}:${size}`]);
    const foundBy = witnesses.filter((witness) => isFoundAsClaimed({ breaks, foundBy: [witness] }));
    if (foundBy.length > 0) return { unit, usual, smallest: size, foundBy };
  }
  return { unit, usual, smallest: null, foundBy: [] };
}
