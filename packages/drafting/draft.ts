import type { RowShape } from '@candleproof/document/layout/layout';
import type { DraftAnswer } from './draft-answer.ts';
import type { DraftParameter } from './request-times.ts';

/** An API as one answer and its URL show it, with the guesses and the missing parts. */
export type ApiDraft = Pick<DraftAnswer, 'schema' | 'rows'> & {
  readonly url: URL;
  /** Path as a template. */
  readonly path: string;
  readonly parameters: readonly DraftParameter[];
  readonly layout: RowShape;
  /** Seconds between the rows; NaN if they show none. */
  readonly step: number;
  readonly gaps: 'none' | 'idle';
  /** The most rows of an answer, by interval if answers hold the newest rows alone. */
  readonly maxRows?: number | Readonly<Record<string, number>>;
  /** The header of the key, and the text before it. */
  readonly key?: { readonly name: string; readonly prefix: string };
  readonly pool?: string;
  /** Guesses, each with its evidence. */
  readonly guesses: readonly string[];
  /** Questions that nothing answers so far. */
  readonly questions: readonly string[];
  /** Parts that a check needs and the URL does not show. */
  readonly missing: readonly string[];
};

/** An interval that is tried by one of its spellings; NaN if its rows decide. A long range shows the most rows, too. */
export type TriedInterval = { readonly name: string; readonly seconds: number; readonly isLong: boolean };

/** An answer to a further request, with its HTTP status and body, if any. */
export type ProbeAnswer = { readonly status?: number | undefined; readonly body: unknown };
