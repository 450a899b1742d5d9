import type { CandleRole, OperationRole, Role, Rung } from '../document/roles.ts';
import type { Level, MissingKind, Picture } from '../judge/verdict.ts';
import type { Candle } from '../reading/candle.ts';
import { quoteValue } from '../reading/describe.ts';
import type { Answer, CandleAnswer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { ErrorCase } from './error-cases.ts';
import type { Consequence, RowDamage } from './facts.ts';
import type { Trial } from './trials.ts';

/**
 * `recent`: some intervals up to now. `closed week`: one whole week whose candles no longer change; its halves overlap
 * by three hours in the middle, off every boundary. `one candle` ends where that week begins, and `instant` lies inside
 * it: from a boundary of days to the next, and to itself. `before the first row`: the interval before the oldest row of
 * the recent range, which is empty where that row holds the pool's birth. The last two contain no candle on any honest
 * target.
 */
export type Range =
  | 'recent'
  | 'closed week'
  | 'first half'
  | 'second half'
  | 'one candle'
  | 'instant'
  | 'before the first row'
  | 'before any pool'
  | 'after now';

/**
 * Evidence that a rule needs, in terms that any target can meet. One request meets equal needs of several rules;
 * the planner turns needs into URLs.
 */
export type Need = {
  readonly role: OperationRole;
  /** For candle operations; one pool unless `everyPool`. */
  readonly interval?: Rung;
  /** Lengths from which a run draws one in place of `interval` by its seed: several runs cover all of them. */
  readonly turns?: readonly Rung[];
  readonly range?: Range;
  /** Left out of the request where undefined. */
  readonly inverted?: boolean;
  /** The same request in another spelling: parameters in reverse order, a value percent-encoded. */
  readonly speltOtherwise?: true;
  readonly everyPool?: true;
  /** Sends no key. */
  readonly unkeyed?: true;
  /** Over a new connection. */
  readonly freshConnection?: true;
  /** With an invalid key, with a valid one in the wrong place, or with the second key. */
  readonly trial?: Trial;
  /** Faulty on purpose; a run draws the cases by its seed. */
  readonly errorCase?: ErrorCase;
  /** GET where absent. */
  readonly method?: 'POST';
  /** Over plain HTTP, and therefore without a key. */
  readonly plainHttp?: true;
  /** Only in a thorough run. */
  readonly thoroughly?: true;
  /** Repeated after the other needs of the same pool: equal answers prove that nothing changed in between. */
  readonly again?: true;
};

/** One place where a rule is broken. */
export type Breach = {
  readonly answer: Answer;
  /** JSON pointer into the body, `header:name` or `status`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** The candles concerned, for a report to draw. */
  readonly candles?: readonly Candle[];
  /** Evidence to draw besides them; `other` are candles of another answer. */
  readonly picture?: Omit<Picture, 'other'> & {
    readonly other?: { readonly name: string; readonly own: string; readonly candles: readonly Candle[] };
  };
  /** Rows of the same answer that it stands for, including its own; one where absent. */
  readonly times?: number;
  /** The kind of breach, where a rule distinguishes several, and a sentence for it. */
  readonly kind?: MissingKind;
  readonly sentence?: string;
};

/**
 * One result of a check: an answer that it judged, a breach in one, or evidence that left it open. `dead` where there is
 * nothing to judge: the fault has ceased, or did not come about. `silent` where the target withholds the evidence that
 * would decide, so that a run which judges nothing else by the rule is inconclusive.
 */
export type Sight =
  | { readonly judged: Answer }
  | { readonly breach: Breach }
  | { readonly undecided: string; readonly race?: boolean; readonly dead?: true; readonly silent?: true };

/** A part of a document that a rule may rest on: a role, one of its records or its first server. */
export type Ground = Role | 'to' | 'interval' | 'candle' | 'token' | 'server';

/** Properties that rules and questions share. */
type Article = {
  /** `group/what-holds`. */
  readonly id: string;
  /** Section of the API's document; empty for good practice beyond it. */
  readonly section: string;
  /** The loss to a user of the API where a rule is broken, or the use of a question's answer. */
  readonly why: string;
  /** The formula, its tolerances and exceptions, where the statement is not exact. */
  readonly exactly?: string;
  readonly restsOn?: readonly Ground[];
  readonly needs: readonly Need[];
  /** Roles that a document must have for the rule to apply, beyond those of its needs. */
  readonly uses?: readonly Role[];
  /** The first and last edition that contain it; a stricter rule takes over the id in the next edition. */
  readonly since?: number;
  readonly until?: number;
};

/** One rule of the catalogue. */
export type Rule = Article & {
  readonly level: Exclude<Level, 'observe'>;
  readonly statement: string;
  /** Words for its failure, which stand without the statement: `Prices are zero or negative`. */
  readonly broken: string;
  /** Operations whose answers it reads besides those that it needs. */
  readonly alsoReads?: readonly OperationRole[];
  /** Facts that differ from those of the group: see facts.ts. */
  readonly consequence?: Consequence;
  readonly damage?: RowDamage;
  readonly readsOneAnswer?: boolean;
  /** A breach stands for all closed rows of its answer, of which it shows one. */
  readonly isOfWholeAnswers?: true;
  /** A breach says that the row is made up, or that its prices are: nothing else in it needs another reason. */
  readonly explains?: 'row' | 'values';
  /** A must that rests on a sentence of our own document alone: for another's API it is a should. */
  readonly restsOnOurs?: true;
  /** The reason why no fault of a service can break it; tests of the rule alone prove it then. */
  readonly unspoken?: string;
  /** Pure: the same evidence gives the same results. */
  readonly check: (evidence: Evidence) => Iterable<Sight>;
};

/** A question that the document leaves open: answered by every run, never failed. */
export type Question = Article & {
  readonly question: string;
  /** Undefined where the evidence does not show it. */
  readonly answer: (evidence: Evidence) => string | undefined;
  /** The answer lists several parts, `name …, name …`; a smaller run may see fewer of them. */
  readonly hasParts?: true;
};

/** A test's verdict on an answer: the rule holds, is broken, or stays open for a reason; undefined where it does not apply. */
export type AnswerVerdict =
  | 'holds'
  | Pick<Breach, 'expected' | 'actual' | 'picture'>
  | { readonly undecided: string; readonly dead?: true }
  | undefined;

/** Makes a check that judges answers one by one, at one pointer. */
export function eachAnswer<Of extends Answer>(
  pick: (evidence: Evidence) => Iterable<Of>,
  pointer: string,
  test: (answer: Of, evidence: Evidence) => AnswerVerdict,
): Rule['check'] {
  return function* check(evidence) {
    for (const answer of pick(evidence)) {
      const verdict = test(answer, evidence);
      if (verdict === 'holds') yield { judged: answer };
      else if (verdict && 'undecided' in verdict) yield verdict;
      else if (verdict) yield { breach: { answer, pointer, ...verdict } };
    }
  };
}

/** Returns the expectation that a candle breaks; undefined where the rule holds. */
export type CandleTest<Of extends CandleAnswer = CandleAnswer> = (
  candle: Candle,
  answer: Of,
  evidence: Evidence,
) => FoundValues | undefined;

/** The expected value, and the actual one where it is not simply the field that the rule is about. */
export type FoundValues =
  | string
  | { readonly expected: string; readonly actual: string; readonly field?: CandleRole };

/** Makes a check that tests every candle of every answer. */
export function eachCandle(role: CandleRole, test: CandleTest): Rule['check'] {
  return eachSelectedCandle(({ candleAnswers }) => candleAnswers, role, test);
}

/** Makes a check that tests every candle of some answers. */
export function eachSelectedCandle<Of extends CandleAnswer>(
  pick: (evidence: Evidence) => readonly Of[],
  role: CandleRole,
  test: CandleTest<Of>,
): Rule['check'] {
  return function* check(evidence) {
    for (const answer of pick(evidence)) {
      yield { judged: answer };
      for (const [candle, found] of broken(answer, evidence, test)) {
        yield { breach: candleBreach(answer, candle, role, found) };
      }
    }
  };
}

/** Lists the candles that break a rule. A plain loop, since it runs for every rule over every candle. */
function broken<Of extends CandleAnswer>(
  answer: Of,
  evidence: Evidence,
  test: CandleTest<Of>,
): [Candle, FoundValues][] {
  const { candles } = answer;
  const found: [Candle, FoundValues][] = [];
  for (let index = 0; index < candles.length; index++) {
    const candle = candles[index] as Candle;
    const expectation = test(candle, answer, evidence);
    if (expectation !== undefined) found.push([candle, expectation]);
  }
  return found;
}

/** Makes a breach at one field of one candle, which a report draws. */
export function candleBreach(answer: Answer, candle: Candle, role: CandleRole, found: FoundValues): Breach {
  if (typeof found === 'string')
    return fieldBreach(answer, candle, candle.reading.fields[role] ?? role, found);
  const { expected, actual, field = role } = found;
  return { ...fieldBreach(answer, candle, candle.reading.fields[field] ?? field, expected), actual };
}

/** Makes a breach at a field by its document name, since undocumented fields may differ too. */
export function fieldBreach(answer: Answer, candle: Candle, name: string, expected: string): Breach {
  const actual = quoteValue(candle.record[name]);
  return { answer, pointer: fieldPointer(answer, candle, name), expected, actual, candles: [candle] };
}

/** Returns the JSON pointer to a candle's field within its answer. */
function fieldPointer(answer: Answer, candle: Candle, field: string): string {
  return `${rowPointer(answer, candle.row)}/${field}`;
}

/** Returns the JSON pointer to a record within its answer. */
export function rowPointer({ rowsAt, isList }: Answer, row: number): string {
  return isList ? `${rowsAt}/${row}` : rowsAt;
}
