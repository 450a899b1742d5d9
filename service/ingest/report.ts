import type { ChangeCounts } from '../store/stored-market.ts';

/** A refused line with the reason; lines are counted from 1. */
export type RefusedLine = { readonly line: number; readonly reason: string };

/** Counts of lines by outcome. New lines are accepted. Every non-blank line counts once. */
export type IngestReport = {
  readonly accepted: { readonly tokens: number; readonly pools: number; readonly observations: number };
  /** Lines that repeat stored values. */
  readonly unchanged: number;
  /** Lines that replace stored values. */
  readonly corrected: number;
  readonly refused: {
    readonly count: number;
    /** The first refused lines, up to the requested number. */
    readonly lines: readonly RefusedLine[];
  };
};

type Kind = keyof IngestReport['accepted'];

const KINDS = ['tokens', 'pools', 'observations'] as const satisfies Kind[];

/** Counts lines by outcome. */
export class IngestCounts {
  readonly #accepted: Record<Kind, number> = { tokens: 0, pools: 0, observations: 0 };
  readonly #refused: RefusedLine[] = [];
  #unchanged = 0;
  #corrected = 0;

  count(counts: ChangeCounts): void {
    for (const kind of KINDS) {
      this.#accepted[kind] += counts[kind].added;
      this.#unchanged += counts[kind].unchanged;
      this.#corrected += counts[kind].corrected;
    }
  }

  refuse(line: number, reason: string): void {
    this.#refused.push({ line, reason });
  }

  /** Adds the counts to an earlier report. Keeps at most `most` refused lines. */
  addTo(earlier: IngestReport, most: number): IngestReport {
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
