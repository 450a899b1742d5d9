import type { OperationRole, Role, Rung } from '@candleproof/document/spec/roles';
import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from './breach.ts';
import type { ErrorCase, Trial } from './error-cases.ts';
import type { Consequence, Level, RowDamage } from './facts.ts';

/**
 * One result of a check: an answer that it judged, a breach in one, or evidence that left it open. `dead` if there is
 * nothing to judge: the fault has ceased, or did not come about. `silent` if the target withholds the evidence that
 * would decide, so that a run which judges nothing else by the rule is inconclusive.
 */
export type CheckOutcome =
  | { readonly judged: Answer }
  | { readonly breach: Breach }
  | { readonly undecided: string; readonly race?: boolean; readonly dead?: true; readonly silent?: true };

/** A part of a document that a rule may rest on: a role, one of its records or its first server. */
export type Ground = Role | 'to' | 'interval' | 'candle' | 'token' | 'server';

/**
 * `recent`: some intervals up to now; `since the week`: all since the end of the newest whole week; `all`: since 1970.
 * `closed week`: one whole week whose candles no longer change; its halves overlap by three hours in the middle, off every
 * boundary, and `some minutes` lie in its first half. `before the week` holds the whole weeks before, up to where that week
 * begins; `long ago` is the first day of these. `instant` lies inside the closed week, from a boundary of days to itself.
 * `around the first row`: a week before and after the oldest row of the weeks. The last two contain no candle on any
 * honest target.
 */
export type Range =
  | 'recent'
  | 'since the week'
  | 'all'
  | 'closed week'
  | 'first half'
  | 'second half'
  | 'some minutes'
  | 'before the week'
  | 'long ago'
  | 'instant'
  | 'around the first row'
  | 'before any pool'
  | 'after now';

/**
 * Evidence that a rule needs, in terms that any target can meet. One request meets equal needs of several rules;
 * the planner turns needs into URLs.
 */
export type Need = {
  readonly role: OperationRole;
  /** For candle operations. */
  readonly interval?: Rung;
  /** Lengths that do as well for a document without `interval`, best first. */
  readonly orElse?: readonly Rung[];
  readonly range?: Range;
  /** Omitted from the request if undefined. */
  readonly inverted?: boolean;
  /** The same request in another spelling: parameters in reverse order, the path or all values percent-encoded. */
  readonly speltOtherwise?: true;
  /** By default the first one. `last`: if there are several, since its prices may be of another magnitude. */
  readonly pools?: 'each' | 'last';
  /** Sends no key. */
  readonly unkeyed?: true;
  /** Over a new connection. */
  readonly freshConnection?: true;
  /** With an invalid key, with a valid one in the wrong place, or with the second key. */
  readonly trial?: Trial;
  /** Faulty on purpose; a run draws the cases by its seed. */
  readonly errorCase?: ErrorCase;
  /** Default: GET. */
  readonly method?: 'POST';
  /** Over plain HTTP, and therefore without a key. */
  readonly plainHttp?: true;
  /** Only in a thorough run. */
  readonly thoroughly?: true;
  /** Repeated after the other needs of the same pool: equal answers prove that nothing changed in between. */
  readonly again?: true;
};

/** Properties that rules and questions share. */
type Article = {
  /** `group/what-holds`. */
  readonly id: string;
  /** Section of the API's document; empty for good practice beyond it. */
  readonly section: string;
  /** The loss to a user of the API if a rule is broken, or the use of a question's answer. */
  readonly why: string;
  /** The formula, its tolerances and exceptions, if the statement is not exact. */
  readonly exactly?: string;
  readonly restsOn?: readonly Ground[];
  readonly needs: readonly Need[];
  /** Roles that a document must have for the rule to apply, beyond those of its needs. */
  readonly uses?: readonly Role[];
};

/** A defect of data or answers that a breach of a rule shows by itself. */
export type Defect =
  | 'unanswered'
  | 'failed'
  | 'refused'
  | 'let in'
  | 'answered'
  | 'led elsewhere'
  | 'disclosed'
  | 'mislabeled'
  | 'unreadable'
  | 'wrong shape'
  | 'wrong type'
  | 'wrong form'
  | 'missing'
  | 'repeated'
  | 'out of order'
  | 'out of range'
  | 'outside the range'
  | 'misplaced'
  | 'wrong length'
  | 'exchanged'
  | 'two kinds'
  | 'other unit'
  | 'other rate'
  | 'other pool'
  | 'worthless'
  | 'copied'
  | 'made up'
  | 'not inverted'
  | 'rounded'
  | 'off by a factor'
  | 'changing'
  | 'unchanged'
  | 'stale'
  | 'going back'
  | 'miscounted';

/** One rule of the catalogue. */
export type Rule = Article & {
  readonly level: Exclude<Level, 'observe'>;
  readonly statement: string;
  /** Words for its failure, which make sense without the statement: `Prices are zero or negative`. */
  readonly broken: string;
  /** Operations whose answers it reads besides those that it needs. */
  readonly alsoReads?: readonly OperationRole[];
  /** Facts that differ from those of the group: see facts.ts. */
  readonly consequence?: Consequence;
  readonly damage?: RowDamage;
  readonly readsOneAnswer?: boolean;
  /** A breach represents all closed rows of its answer, of which it shows one. */
  readonly isOfWholeAnswers?: true;
  /** Each broken field or header is reported by itself, whatever was requested: a known failing names it. */
  readonly namesFields?: true;
  /** The defect that each breach shows; left out if a breach leaves open which value is wrong, or how. */
  readonly shows?: Defect;
  /** A breach says that the row is made up, or that its prices are: nothing else in it needs another reason. */
  readonly explains?: 'row' | 'values';
  /** A must that rests only on a sentence of openapi.yaml: for another API it is a should. */
  readonly restsOnOurs?: true;
  /** The reason why no fault of a service can break it; tests of the rule alone prove it then. */
  readonly noFaultReason?: string;
  /** Pure: the same evidence gives the same results. */
  readonly check: (evidence: Evidence) => Iterable<CheckOutcome>;
};

/** A question that the document leaves open: answered by every run, never failed. */
export type Question = Article & {
  readonly question: string;
  /** Returns undefined if the evidence does not show the answer. */
  readonly answer: (evidence: Evidence) => string | undefined;
  /** The answer lists several parts, `name …, name …`; a smaller run may see fewer of them. */
  readonly hasParts?: true;
  /** Rules whose breach leaves no answer: it would be learnt from what is broken, and differ from run to run. */
  readonly unlessBroken?: readonly string[];
};
