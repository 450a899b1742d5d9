import type { ChangeCounts } from '../store/market-change.ts';

/** Why a line was refused; lines are counted from 1. */
export type RefusedLine = { readonly line: number; readonly reason: string };

/** What became of the lines. Accepted are those that were new; every line that is not blank counts once. */
export type IngestReport = {
  readonly accepted: { readonly tokens: number; readonly pools: number; readonly observations: number };
  /** Said before in the same words. */
  readonly unchanged: number;
  /** Said before in other words: the later ones hold. */
  readonly corrected: number;
  readonly refused: {
    readonly count: number;
    /** The first of them, no more than were requested. */
    readonly lines: readonly RefusedLine[];
  };
};

type Kind = keyof IngestReport['accepted'];

const KINDS = ['tokens', 'pools', 'observations'] as const satisfies Kind[];

/** Counts what became of the lines, one batch after the other. */
export class IngestCounts {
  readonly #accepted: Record<Kind, number> = { tokens: 0, pools: 0, observations: 0 };
  readonly #refused: RefusedLine[] = [];
  #unchanged = 0;
  #corrected = 0;

  noteAll(counts: ChangeCounts): void {
    for (const kind of KINDS) {
      this.#accepted[kind] += counts[kind].added;
      this.#unchanged += counts[kind].unchanged;
      this.#corrected += counts[kind].corrected;
    }
  }

  refuse(line: number, reason: string): void {
    this.#refused.push({ line, reason });
  }

  /** The count so far on top of an earlier one, of whose and whose own refused lines at most `most` are kept. */
  onTopOf(earlier: IngestReport, most: number): IngestReport {
    const { accepted, unchanged, corrected, refused } = earlier;
    const own = this.#refused.toSorted((a, b) => a.line - b.line);
    return {
      accepted: {
        tokens: accepted.tokens + this.#accepted.tokens,
        pools: accepted.pools + this.#accepted.pools,
        observations: accepted.observations + this.#accepted.observations,
      },
      unchanged: unchanged + this.#unchanged,
      corrected: corrected + this.#corrected,
      refused: { count: refused.count + own.length, lines: [...refused.lines, ...own].slice(0, most) },
    };
  }
}

/** The report before the first line. */
export const NOTHING_YET: IngestReport = {
  accepted: { tokens: 0, pools: 0, observations: 0 },
  unchanged: 0,
  corrected: 0,
  refused: { count: 0, lines: [] },
};
