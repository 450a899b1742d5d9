import type { CandleRole, OperationRole, Role, Rung } from '../document/roles.ts';
import type { Level, MissingKind } from '../judge/verdict.ts';
import type { Candle } from '../reading/candle.ts';
import { quoteValue } from '../reading/describe.ts';
import type { Answer, CandleAnswer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { ErrorCase } from './error-cases.ts';
import type { Consequence, RowDamage } from './facts.ts';
import type { Trial } from './trials.ts';

/**
 * `recent`: some intervals up to now. `closed week`: one whole week whose candles no longer change; its halves overlap
 * by three hours in the middle, where neither begins or ends on a boundary. `one candle` ends where that week begins, and
 * `instant` lies inside of it: from a boundary of days to the next, and to itself. `before the first row`: the interval
 * before the oldest row of the recent range, which is empty where that row holds the pool's birth. The last two hold no
 * candle on any honest target.
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
 * Evidence that a rule asks for, in terms that any target can meet. Equal needs of several rules are met by one
 * request; the planner turns them into URLs.
 */
export type Need = {
  readonly role: OperationRole;
  /** For the candle operations; one pool unless `everyPool`. */
  readonly interval?: Rung;
  /** Lengths of which a run takes one in place of `interval`, drawn by its seed: several runs see all of them. */
  readonly turns?: readonly Rung[];
  readonly range?: Range;
  /** Left out of the request where undefined. */
  readonly inverted?: boolean;
  /** The same request written in another way: parameters in reverse, a value percent-encoded. */
  readonly speltOtherwise?: true;
  readonly everyPool?: true;
  /** Send no key. */
  readonly unkeyed?: true;
  /** Over a connection that carried nothing before. */
  readonly freshConnection?: true;
  /** With a key that is none of ours, with ours where it does not belong, or with our second one. */
  readonly trial?: Trial;
  /** Wrong on purpose; which of the cases a run asks is drawn by its seed. */
  readonly errorCase?: ErrorCase;
  /** GET where left out. */
  readonly method?: 'POST';
  /** Over plain HTTP, and therefore without a key. */
  readonly plainHttp?: true;
  /** Only where somebody requested a thorough run. */
  readonly thoroughly?: true;
  /** Once more after the other needs of the same pool: equal answers prove that nothing moved in between. */
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
  /** Rows of the same answer that it stands for, its own included; one where left out. */
  readonly times?: number;
  /** Which way of breaking the rule it is, where a rule tells several apart, and a sentence that says it. */
  readonly kind?: MissingKind;
  readonly sentence?: string;
};

/**
 * What a check tells: an answer it has judged, a breach in one, or that evidence was there and left it open; `dead` where
 * there is nothing to judge: the fault has ceased, or did not come about; `silent` where the target itself keeps back what
 * would decide, so that a run that judges nothing else by the rule is inconclusive.
 */
export type Sight =
  | { readonly judged: Answer }
  | { readonly breach: Breach }
  | { readonly undecided: string; readonly race?: boolean; readonly dead?: true; readonly silent?: true };

/** What a rule may rest on: what has the role in a document, one of its records or its first server. */
export type Ground = Role | 'to' | 'interval' | 'candle' | 'token' | 'server';

/** What rules and questions have in common. */
type Article = {
  /** `group/what-holds`. */
  readonly id: string;
  /** Section of the API's document; empty for good practice that it does not speak of. */
  readonly section: string;
  /** What a user of the API loses where a rule does not hold, or what rests on the answer to a question. */
  readonly why: string;
  /** The formula, its tolerances and the cases it leaves alone, where the statement does not say all. */
  readonly exactly?: string;
  readonly restsOn?: readonly Ground[];
  readonly needs: readonly Need[];
  /** What a document must have for it to be of its API, beyond what the needs say. */
  readonly uses?: readonly Role[];
  /** First and last edition that it belongs to; a stricter rule takes the id over in the edition after. */
  readonly since?: number;
  readonly until?: number;
};

/** One statement of the law. */
export type Rule = Article & {
  readonly level: Exclude<Level, 'observe'>;
  readonly statement: string;
  /** Operations whose answers it reads besides those that it needs. */
  readonly alsoReads?: readonly OperationRole[];
  /** Where they are not those of its group: see facts.ts. */
  readonly consequence?: Consequence;
  readonly damage?: RowDamage;
  readonly readsOneAnswer?: boolean;
  /** A breach stands for all closed rows of its answer, of which it shows one. */
  readonly isOfWholeAnswers?: true;
  /** A breach says that the row is made up, or that its prices are: nothing else in it needs another reason. */
  readonly explains?: 'row' | 'values';
  /** A must that rests on a sentence of our own document alone: for another's API it is a should. */
  readonly restsOnOurs?: true;
  /** Why no fault of a service makes it speak, where none can: tests of the rule alone prove it then. */
  readonly unspoken?: string;
  /** Pure: the same evidence gives the same sights. */
  readonly check: (evidence: Evidence) => Iterable<Sight>;
};

/** A question that the document leaves open: requested of every run, never failed. */
export type Question = Article & {
  readonly question: string;
  /** Undefined where the evidence does not show. */
  readonly answer: (evidence: Evidence) => string | undefined;
  /** The answer lists several things, `name …, name …`; a smaller run sees fewer of them. */
  readonly hasParts?: true;
};

/** What a test says of an answer: that the rule holds, how it is broken, or why that stays open; undefined of others. */
export type AnswerVerdict =
  | 'holds'
  | { readonly expected: string; readonly actual: string }
  | { readonly undecided: string; readonly dead?: true }
  | undefined;

/** A check of answers one by one, at one pointer. */
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

/** What was expected where a candle breaks a rule. */
export type CandleTest<Of extends CandleAnswer = CandleAnswer> = (
  candle: Candle,
  answer: Of,
  evidence: Evidence,
) => FoundValues | undefined;

/** What was expected where a rule is broken, and what was there instead, if not simply the field that the rule is about. */
export type FoundValues =
  | string
  | { readonly expected: string; readonly actual: string; readonly field?: CandleRole };

/** A check that looks at each candle of each answer; the test says what it expected where a candle breaks the rule. */
export function eachCandle(role: CandleRole, test: CandleTest): Rule['check'] {
  return eachCandleOf(({ candleAnswers }) => candleAnswers, role, test);
}

/** The same for some of the answers. */
export function eachCandleOf<Of extends CandleAnswer>(
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

/** The candles that break a rule. A plain loop: it runs for every rule over every candle. */
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

/** A breach at one field of one candle, with that candle to be drawn. */
export function candleBreach(answer: Answer, candle: Candle, role: CandleRole, found: FoundValues): Breach {
  if (typeof found === 'string')
    return fieldBreach(answer, candle, candle.reading.fields[role] ?? role, found);
  const { expected, actual, field = role } = found;
  return { ...fieldBreach(answer, candle, candle.reading.fields[field] ?? field, expected), actual };
}

/** The same at a field by its name: one that means nothing to us may differ too. */
export function fieldBreach(answer: Answer, candle: Candle, name: string, expected: string): Breach {
  const actual = quoteValue(candle.record[name]);
  return { answer, pointer: pointerTo(answer, candle, name), expected, actual, candles: [candle] };
}

/** JSON pointer to a candle's field within its answer. */
export function pointerTo(answer: Answer, candle: Candle, field: string): string {
  return `${pointerToRow(answer, candle.row)}/${field}`;
}

/** JSON pointer to a record within its answer. */
export function pointerToRow({ rowsAt, isList }: Answer, row: number): string {
  return isList ? `${rowsAt}/${row}` : rowsAt;
}
