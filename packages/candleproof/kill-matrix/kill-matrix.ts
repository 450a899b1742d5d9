import type { Spec } from '@candleproof/document/spec/spec';
import { provenObjective } from '@candleproof/law/planning/confidence';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import type { Fault } from '@candleproof/reference-service/faults/fault';
import { FAULTS } from '@candleproof/reference-service/faults/registry';
import { UNBUILT } from '@candleproof/reference-service/faults/unbuilt';
import {
  type BlindSpot,
  type HealthyRuns,
  isFoundAsClaimed,
  type Kill,
  type KillMatrix,
  type Limit,
  type MatrixRule,
  type Scene,
  type Witness,
} from '@candleproof/reports/kill-matrix/facts';
import { openStage, type Stage } from './stage.ts';

export type MatrixOptions = {
  readonly spec: Spec;
  readonly faults: readonly Fault[];
  readonly version: string;
  /** Further budgets with which faults that one check shows are tried. */
  readonly budgets: readonly number[];
  readonly onProgress?: (done: number, all: number, fault: string) => void;
};

const healthyPlays = 3;

/** Makes the kill matrix: turns on every fault in its simplest scene, and records which rules find it. */
export async function makeKillMatrix(options: MatrixOptions): Promise<KillMatrix> {
  const startedAt = new Date().toISOString();
  const kills: Kill[] = [];
  const healthy: Witness[][] = [];
  const shown = options.faults.filter((fault) => fault.shows !== 'many samples');
  for (const [scene, faults] of Map.groupBy(shown, (fault) => fault.shows)) {
    const stage = await openStage(scene as Exclude<Scene, 'many samples'>, options.spec);
    try {
      for (const fault of faults) {
        options.onProgress?.(kills.length, shown.length, `${fault.number} ${fault.id}`);
        kills.push(await tryFault(stage, fault, options.budgets));
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
    versions: { candleproof: options.version, catalogue: catalogueVersion },
    kills: kills.sort((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true })),
    unbuilt: [
      ...UNBUILT,
      ...options.faults.filter((fault) => fault.shows === 'many samples').map(toBlindSpot),
    ],
    ...(options.faults.length === FAULTS.length && { rules: listRuleCases(kills) }),
    healthy: summarizeHealthyRuns(healthy),
  };
}

/** Summarizes healthy runs. The bound is exact for independent runs; every run has its seed. */
function summarizeHealthyRuns(witnesses: readonly (readonly Witness[])[]): HealthyRuns {
  const runs = witnesses.length;
  const accusedRuns = witnesses.filter((witness) => witness.length > 0).length;
  return {
    runs,
    accusedRuns,
    accused: witnesses.flat().map(({ id }) => id),
    atMost: 1 - provenObjective(runs - accusedRuns, runs),
  };
}

/** Lists for every rule the faults that it finds, first those that claim to break it. */
function listRuleCases(kills: readonly Kill[]): MatrixRule[] {
  const names = (some: readonly Witness[], id: string): boolean => some.some((witness) => witness.id === id);
  return catalogue.rules.map(({ id, level, noFaultReason: reason }) => {
    const telling = kills.filter(({ foundBy }) => names(foundBy, id));
    const [targeted, others] = [true, false].map((wanted) =>
      telling.filter(({ breaks }) => names(breaks, id) === wanted),
    );
    const faults = [...(targeted ?? []), ...(others ?? [])].map(({ number }) => number);
    return { id, level, faults, ...(reason !== undefined && faults.length === 0 && { reason }) };
  });
}

async function tryFault(stage: Stage, fault: Fault, budgets: readonly number[]): Promise<Kill> {
  const { id, number, class: kind, title, shows: scene } = fault;
  const seed = stage.findSeed(fault.drawn);
  const breaks = listClaims(fault);
  const { witnesses: foundBy, requests, milliseconds } = await stage.play([id], { seed });
  return {
    ...{ id, number, class: kind, title, scene, breaks, foundBy, requests, milliseconds },
    ...(seed !== 1 && { seed }),
    ...(scene === 'one check' && { budgets: await tryBudgets(stage, fault, budgets) }),
    ...(fault.sizes && { limit: await findLimit(stage, fault, fault.sizes, breaks) }),
  };
}

/** Tries budgets with the first seed, as users do not know the seed that shows a fault. */
async function tryBudgets(
  stage: Stage,
  { id }: Fault,
  budgets: readonly number[],
): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = {};
  for (const budget of budgets) found[budget] = (await stage.play([id], { budget })).witnesses.length > 0;
  return found;
}

/** Finds the smallest size of a fault that the rules it breaks detect. */
async function findLimit(
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

/** Lists the rules and questions that a fault claims to break or alter, with their levels; skips unknown ids. */
export function listClaims({ breaks, alters = [] }: Pick<Fault, 'breaks' | 'alters'>): Witness[] {
  return [...breaks, ...alters].flatMap((id): Witness[] => {
    const rule = catalogue.rules.find((rule) => rule.id === id);
    if (rule) return [{ id, level: rule.level }];
    return catalogue.questions.some((question) => question.id === id) ? [{ id, level: 'observe' }] : [];
  });
}

/** Returns the blind spot of a fault that needs more samples than a check has requests. */
export function toBlindSpot({ id, number, title, reason = '' }: Fault): BlindSpot {
  return { id, number, title, reason };
}
