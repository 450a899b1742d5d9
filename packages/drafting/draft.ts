import type { RowShape } from '@candleproof/document/layout/layout';
import type { DraftAnswer } from './draft-answer.ts';
import type { DraftParameter } from './request-times.ts';

/** An API as one answer and its URL show it, with the guesses and the missing parts. */
export type ApiDraft = Pick<DraftAnswer, 'schema' | 'rows'> & {
  /** The address, with the values of a body as parameters. */
  readonly url: URL;
  /** The JSON body of a POST. */
  readonly body?: unknown;
  /** Path as a template. */
  readonly path: string;
  readonly parameters: readonly DraftParameter[];
  readonly layout: RowShape;
  /** Seconds by which the texts of rows are ahead of UTC. */
  readonly ahead: number;
  /** The server's time in Unix seconds, if it is known. */
  readonly now?: number;
  /** Seconds between the rows; NaN if they show none. */
  readonly step: number;
  readonly gaps: 'none' | 'idle';
  /** The most rows of an answer, by interval if answers hold the newest rows alone. */
  readonly maxRows?: number | Readonly<Record<string, number>>;
  readonly key?: DraftKey;
  /** Further headers, each with its text, or with the name of a variable that holds it. */
  readonly headers?: readonly DraftHeader[];
  readonly pool?: string;
  /** Guesses, each with its evidence. */
  readonly guesses: readonly string[];
  /** Questions whose answers would let a check find more. */
  readonly questions: readonly string[];
  /** Questions about parts that a check needs, each with what would answer it. */
  readonly missing: readonly string[];
};

/** The place of a key in requests, and the text before it. */
export type DraftKey = {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly prefix: string;
};

/** A header of each request: its text, or the scheme of a secret in its place. */
export type DraftHeader = {
  readonly name: string;
  readonly text: string;
  readonly scheme?: string;
};

/** An interval that is tried by one of its spellings; NaN if its rows decide. A long range shows the most rows, too. */
export type TriedInterval = {
  readonly name: string;
  readonly seconds: number;
  readonly isLong: boolean;
};

/** An answer to a further request, with its HTTP status and body, if any. */
export type ProbeAnswer = {
  readonly status?: number | undefined;
  readonly body: unknown;
  /** The server's time in Unix seconds, if it is known. */
  readonly now?: number | undefined;
};
