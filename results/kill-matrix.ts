/** The least that can show a fault. */
export type Scene = 'one check' | 'two checks' | 'tiny key' | 'moved clock' | 'second key' | 'many samples';

/** A rule that found a fault, or a question whose answer it changed. */
export type Witness = { readonly id: string; readonly level: 'must' | 'should' | 'observe' };

/** What became of one fault. */
export type Kill = {
  readonly id: string;
  /** Its number in the catalogue, such as F31. */
  readonly number: string;
  readonly class: string;
  readonly title: string;
  readonly scene: Scene;
  /** The rules that it breaks and the questions whose answers it changes, each at its own level. */
  readonly breaks: readonly Witness[];
  /** Those that found it, the strictest first; none where it lived. */
  readonly foundBy: readonly Witness[];
  /** Seed of a check that draws the faulty request which shows it; left out where any check asks enough. */
  readonly seed?: number;
  readonly requests: number;
  readonly milliseconds: number;
  /** Was it found with no more requests than these? Only for what one check can show. */
  readonly budgets?: Readonly<Record<string, boolean>>;
  /** Where the fault has sizes. */
  readonly limit?: Limit;
};

/** A limit of detection. */
export type Limit = {
  readonly unit: string;
  readonly usual: number;
  /** The mildest of the sizes that were tried and found; null where none was. */
  readonly smallest: number | null;
  /** What found it at that size; the limit is theirs. */
  readonly foundBy: readonly Witness[];
};

/** A fault that nobody is shown, and why. */
export type BlindSpot = {
  readonly id: string;
  /** Its number in the catalogue, where it has one; another form of it may be shown. */
  readonly number?: string;
  readonly title: string;
  readonly reason: string;
};

/** The proof of a release: every fault against the judge, and the healthy service in the same runs. */
export type KillMatrix = {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly versions: { readonly candleproof: string; readonly catalogue: number };
  readonly kills: readonly Kill[];
  readonly unbuilt: readonly BlindSpot[];
  /** Runs of the healthy service in the same scenes, and the findings that accused it. */
  readonly healthy: { readonly runs: number; readonly accused: readonly string[] };
};

/** How many of some faults were found. */
export type Share = { readonly found: number; readonly all: number };

export function shareFound(kills: readonly Kill[]): Share {
  return { found: kills.filter((each) => each.foundBy.length > 0).length, all: kills.length };
}

/** Was it found by what it breaks, at the level that the catalogue gives it? */
export function isFoundAsClaimed({ breaks, foundBy }: Pick<Kill, 'breaks' | 'foundBy'>): boolean {
  return foundBy.some(({ id, level }) => breaks.some((each) => each.id === id && each.level === level));
}

/** The share found with each budget, of the faults that one check can show. */
export function killCurve(
  kills: readonly Kill[],
): readonly { readonly budget: number; readonly share: Share }[] {
  const measured = kills.flatMap(({ budgets }) => (budgets ? [budgets] : []));
  const named = [...new Set(measured.flatMap((each) => Object.keys(each).map(Number)))].toSorted(
    (a, b) => a - b,
  );
  return named.map((budget) => ({
    budget,
    share: { found: measured.filter((each) => each[budget]).length, all: measured.length },
  }));
}
