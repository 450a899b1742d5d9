import type { Defect } from '../rules/rule.ts';
import type { Transformation } from './transformations.ts';
import type { Witnesses } from './witnesses.ts';

/** A part of the data or the answers that is wrong, how it is, and the findings that follow. */
export type Explanation = {
  readonly sentence: string;
  /** The interval and direction that are wrong; left out where all of them are, or where it lies elsewhere. */
  readonly interval?: string;
  readonly inverted?: boolean;
  /** Names of the fields or headers that are wrong; none if whole rows or answers are. */
  readonly fields: readonly string[];
  /** The change of the values, or the defect that each breach shows. */
  readonly transformation:
    | Transformation
    | { readonly kind: Defect }
    | { readonly kind: 'formula'; readonly value: string }
    | { readonly kind: 'left out' | 'outside' }
    | { readonly kind: 'difference'; readonly by: number }
    | { readonly kind: 'shifted'; readonly seconds: number }
    | { readonly kind: 'other answer'; readonly parameter: string };
  /** Words for what sets the wrong rows and answers apart; empty if nothing does. */
  readonly where: string;
  /** Rows in which a transformation shows, of those that other parts of the data show. */
  readonly rows?: { readonly wrong: number; readonly of: number };
  /** The parts that speak for it, where parts of the data were compared. */
  readonly witnesses?: Witnesses;
  /** Fingerprints of the findings. */
  readonly findings: readonly string[];
};

/** A possible explanation, the findings that it must still account for to be one, and its rank before all others, or 0. */
export type Candidate = Explanation & { readonly own: readonly string[]; readonly rank: number };
