import type { DocumentStep } from './document-nodes.ts';
import type { DraftSchema } from './draft-envelope.ts';

/** A change of one part of the document. */
export type OverlayAction = { readonly at: readonly DocumentStep[]; readonly update: DraftSchema };

/** The roles of an answer's parts. */
export type MarkedFields = {
  readonly actions: readonly OverlayAction[];
  readonly guesses: readonly string[];
  readonly questions: readonly string[];
  readonly isSingle: boolean;
  readonly unit?: string | undefined;
  readonly rows?: number;
  /** Rows without trades came, and none is missing. */
  readonly isGapless?: boolean;
};
