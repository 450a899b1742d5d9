import type { Breach } from '../law/breach.ts';
import type { Rule } from '../law/rule.ts';
import type { Answer } from '../reading/reading.ts';

export const untimed = 'no Date header that can be used';

/** The result of applying one rule to the evidence. */
export type AppliedRule = {
  readonly rule: Rule;
  readonly judged: ReadonlySet<Answer>;
  readonly breaches: readonly Breach[];
  readonly undecided: readonly string[];
  /** Some of what was left undecided could have been judged: it is not all of something that has ceased. */
  readonly open: boolean;
  /** Evidence moved while it was fetched: asking again may decide. */
  readonly race: boolean;
  /** Only an answer with a Date header that can be used would have shown it something to judge. */
  readonly isUntimed?: true;
  /** Words for how the target withholds the evidence that would decide the rule. */
  readonly silence?: string;
  /** The rule itself broke down: ours, never the target's fault. */
  readonly crash?: string;
};
