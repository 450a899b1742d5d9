/** The cheapest way that shows a fault. */
export type Scene = 'one check' | 'two checks' | 'tiny key' | 'moved clock' | 'second key' | 'many samples';

/** A rule that found a fault, or a question whose answer it changed. */
export type Witness = { readonly id: string; readonly level: 'must' | 'should' | 'observe' };

/** The result of one fault. */
export type Kill = {
  readonly id: string;
  /** Its number in the catalogue, such as F31. */
  readonly number: string;
  readonly class: string;
  readonly title: string;
  readonly scene: Scene;
  /** The rules that it breaks and the questions whose answers it changes, with their levels. */
  readonly breaks: readonly Witness[];
  /** The rules that found it, the strictest first; empty if it survived. */
  readonly foundBy: readonly Witness[];
  /** Seed of a check that draws the faulty request which shows it; absent if any check requests enough. */
  readonly seed?: number;
  readonly requests: number;
  readonly milliseconds: number;
  /** Maps a number of requests to true if they found it; only for faults that one check can show. */
  readonly budgets?: Readonly<Record<string, boolean>>;
  /** The smallest size that is found, if the fault has sizes. */
  readonly limit?: Limit;
};

/** A limit of detection. */
export type Limit = {
  readonly unit: string;
  readonly usual: number;
  /** The mildest size that was found; null if none was. */
  readonly smallest: number | null;
  /** The rules that found it at that size; the limit is theirs. */
  readonly foundBy: readonly Witness[];
};

/** A fault that no run can reveal, and the reason. */
export type BlindSpot = {
  readonly id: string;
  /** Its number in the catalogue, if it has one; another form of it may be shown. */
  readonly number?: string;
  readonly title: string;
  readonly reason: string;
};

/** A rule of level must or should, and the faults that it found, or the reason why no fault can break it. */
export type MatrixRule = Witness & {
  /** Numbers such as F31: those that say they break it first. */
  readonly faults: readonly string[];
  readonly reason?: string;
};

/** Runs of the healthy service, and the rules and questions that accused it. */
export type HealthyRuns = {
  readonly runs: number;
  readonly accusedRuns: number;
  readonly accused: readonly string[];
  /** Share of such runs that may be accused at most, by what was seen, at 95 % confidence: 0 to 1. */
  readonly atMost: number;
};

/** The proof of a release: every fault against the judge, and the healthy service in the same runs. */
export type KillMatrix = {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly versions: { readonly candleproof: string; readonly catalogue: string };
  readonly kills: readonly Kill[];
  readonly unbuilt: readonly BlindSpot[];
  /** Every rule of must and should; absent if not all faults were played. */
  readonly rules?: readonly MatrixRule[];
  /** In the same scenes. */
  readonly healthy: HealthyRuns;
};

/** The number of faults that were found, out of some. */
export type FoundShare = { readonly found: number; readonly all: number };

/** Counts the faults that were found. */
export function countFound(kills: readonly Kill[]): FoundShare {
  return { found: kills.filter((kill) => kill.foundBy.length > 0).length, all: kills.length };
}

/**
 * The effect of a fault on a pipeline. `red`: a failed must. `strict`: a failed should, red with --strict alone.
 * `noted`: another answer than the baseline's. `unseen`: nothing.
 */
export type Effect = 'red' | 'strict' | 'noted' | 'unseen';

const effectOfLevel = { must: 'red', should: 'strict', observe: 'noted' } as const;

/** Returns the effect of a fault by the strictest rule that found it. */
function killEffect({ foundBy: [strictest] }: Pick<Kill, 'foundBy'>): Effect {
  return strictest ? effectOfLevel[strictest.level] : 'unseen';
}

/** Counts faults by their effect. */
export function countByEffect(kills: readonly Kill[]): Readonly<Record<Effect, number>> {
  const counts = { red: 0, strict: 0, noted: 0, unseen: 0 };
  for (const kill of kills) counts[killEffect(kill)]++;
  return counts;
}

/** Returns whether a rule that the fault breaks found it, at the level of the catalogue. */
export function isFoundAsClaimed({ breaks, foundBy }: Pick<Kill, 'breaks' | 'foundBy'>): boolean {
  return foundBy.some(({ id, level }) =>
    breaks.some((witness) => witness.id === id && witness.level === level),
  );
}

/** Returns the rules that no fault triggered, those without a reason first. */
export function unprovenRules(rules: readonly MatrixRule[]): MatrixRule[] {
  const unproven = rules.filter(({ faults }) => faults.length === 0);
  return unproven.toSorted((a, b) => Number(a.reason !== undefined) - Number(b.reason !== undefined));
}

/** Returns whether every fault is found as claimed, every unproven rule has a reason and no healthy run is accused. */
export function isProven({ kills, healthy, rules = [] }: KillMatrix): boolean {
  const isExplained = unprovenRules(rules).every(({ reason }) => reason !== undefined);
  return isExplained && healthy.accusedRuns === 0 && kills.every(isFoundAsClaimed);
}

/** The share found with each budget, of the faults that one check can show. */
export function killCurve(
  kills: readonly Kill[],
): readonly { readonly budget: number; readonly share: FoundShare }[] {
  const measured = kills.flatMap(({ budgets }) => (budgets ? [budgets] : []));
  const named = [...new Set(measured.flatMap((found) => Object.keys(found).map(Number)))].toSorted(
    (a, b) => a - b,
  );
  return named.map((budget) => ({
    budget,
    share: { found: measured.filter((found) => found[budget]).length, all: measured.length },
  }));
}
