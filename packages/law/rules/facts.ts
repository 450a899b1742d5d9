/** The costs of a broken rule to users of the API, the worst first: silent errors before those that show at once. */
export const consequences = [
  'prices',
  'access',
  'amounts',
  'rows',
  'latest',
  'form',
  'tokens',
  'quota',
  'headers',
] as const;

export type Consequence = (typeof consequences)[number];

/**
 * The damage that a breach does to the rows of a history. impossible: a candle that contradicts itself. duplicate,
 * misplaced: rows that overlap, or are out of order or off the grid. copy: of another row or pool. changed: reported
 * differently from one answer to the next. gap: intervals without a row. rollup: a candle and its parts disagree.
 * unreadable: a value that cannot be read. none: an open candle is not yet history, and the order of rows damages none.
 */
export type RowDamage =
  | 'impossible'
  | 'duplicate'
  | 'misplaced'
  | 'copy'
  | 'changed'
  | 'gap'
  | 'rollup'
  | 'unreadable'
  | 'none';

/** A damaged range of a history; the part of a line of damage.ndjson that every source of rows has. */
export type DamagedRange<Kind extends string, Certainty extends string> = {
  /** Name of the interval: `5m`, `1h`. */
  readonly interval: string;
  /** Unix seconds: from the start of the first affected row to the end of the last, exclusive. */
  readonly from: number;
  readonly to: number;
  /** The same times in ISO 8601, UTC. */
  readonly fromIso: string;
  readonly toIso: string;
  readonly kind: Kind;
  readonly certainty: Certainty;
  /** Broken rules; empty unless it is a breach. */
  readonly rules: readonly string[];
  /** Expected and actual values of the first row. */
  readonly detail: string;
  /** Intervals that disagree; any of them may be wrong. */
  readonly suspects?: readonly string[];
};

/** Facts that hold for every rule of a group, unless a rule states its own. */
export type Facts = {
  readonly consequence: Consequence;
  readonly damage: RowDamage;
  /** Its rules read the status and headers of any answer, not the rows. */
  readonly readsHeads?: true;
  /** Its rules judge one answer after the other and need no convention that only other answers show. */
  readonly readsOneAnswer?: boolean;
  /** Its rules judge candles that are over, which takes the server's time to know. */
  readonly judgesThePast?: true;
};

const groups: Readonly<Record<string, Facts>> = {
  transport: { consequence: 'headers', damage: 'none', readsHeads: true },
  authentication: { consequence: 'access', damage: 'none', readsHeads: true },
  errors: { consequence: 'headers', damage: 'none', readsHeads: true },
  tokens: { consequence: 'tokens', damage: 'none', readsOneAnswer: true },
  candle: { consequence: 'rows', damage: 'impossible', readsOneAnswer: true },
  history: { consequence: 'rows', damage: 'none', judgesThePast: true },
  latest: { consequence: 'latest', damage: 'none' },
  rollup: { consequence: 'prices', damage: 'rollup', judgesThePast: true },
  inversion: { consequence: 'prices', damage: 'none' },
  quota: { consequence: 'quota', damage: 'none', readsHeads: true },
};

/** Returns the group of a rule or question: `candle` of `candle/high-is-highest`. */
export function ruleGroup(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/** A rule as far as its facts are concerned. */
type Stated = Partial<Pick<Facts, 'consequence' | 'damage' | 'readsOneAnswer'>> & { readonly id: string };

/** Returns the facts of a rule, else those of its group, else undefined. */
export function ruleFacts(rule: Stated): Facts | undefined {
  const group = groups[ruleGroup(rule.id)];
  if (!group) return undefined;
  const { consequence = group.consequence, damage = group.damage, readsOneAnswer } = rule;
  return { ...group, consequence, damage, readsOneAnswer: readsOneAnswer ?? group.readsOneAnswer === true };
}

/** must: stated by the document or forced by its definitions. should: HTTP, arithmetic, good practice. observe: left open. */
export type Level = 'must' | 'should' | 'observe';

/** Ranks of the levels, the gravest first. */
export const levelRank: Readonly<Record<Level, number>> = { must: 0, should: 1, observe: 2 };

/** The rules that are singled out by who judges other evidence than a run, or words one finding apart; each by its id. */

/** Broken by a lost row. */
export const completeRule = 'history/complete';

/** Broken by a changed past. */
export const staysRule = 'history/closed-candles-stay';

/** An open candle keeps its open, also in answers that are minutes apart. */
export const growsRule = 'latest/only-grows';

/** Stands where a rule's id does for prices that leap between answers which are minutes apart: no run sees that. */
export const leapName = 'latest/price-leap';

/** Broken by an empty list of tokens. */
export const filledRule = 'tokens/list-is-filled';

/** Broken by a wrong server clock. */
export const dateRule = 'transport/date-is-the-time';

/** Broken by requests without an answer. */
export const answeredRule = 'transport/proper-requests-are-answered';
