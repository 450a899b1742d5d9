import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from '../rules/breach.ts';
import { namePlace } from '../rules/breach.ts';
import { ruleFacts } from '../rules/facts.ts';
import type { CheckOutcome, Rule } from '../rules/rule.ts';

/**
 * Applies a rule to the evidence; `mostBreaches` are kept one by one, the rest counted. A must of the past that finds
 * nothing to judge is tried again as if there had been a Date. A rule that throws yields a result with its crash.
 */
export function applyRule(rule: Rule, evidence: Evidence, mostBreaches?: number): AppliedRule {
  const appliedRule = applyOnce(rule, evidence, mostBreaches);
  if (!evidence.ifClocked || appliedRule.judged.size > 0) return appliedRule;
  if (rule.level !== 'must' || !ruleFacts(rule)?.judgesThePast) return appliedRule;
  return applyOnce(rule, evidence.ifClocked()).judged.size > 0
    ? { ...appliedRule, isUntimed: true }
    : appliedRule;
}

/** Returns the result of a rule that has nothing to judge, as most rules have nothing in one answer. */
export function nothingJudged(rule: Rule): AppliedRule {
  return { rule, ...nothing };
}

const nothing: Omit<AppliedRule, 'rule'> = {
  judged: new Set(),
  breaches: [],
  undecided: [],
  open: false,
  race: false,
};

function applyOnce(rule: Rule, evidence: Evidence, mostBreaches?: number): AppliedRule {
  let collected: Collected | undefined;
  try {
    for (const outcome of rule.check(evidence)) {
      collected ??= new Collected(mostBreaches);
      collected.add(outcome);
    }
  } catch (error) {
    const crash = `the rule itself failed: ${error instanceof Error ? error.message : error}`;
    return { rule, ...nothing, crash };
  }
  return collected ? collected.toAppliedRule(rule) : nothingJudged(rule);
}

/** Collects what one rule's check yields. */
class Collected {
  readonly #judged = new Set<Answer>();
  readonly #undecided: string[] = [];
  readonly #breaches: BoundedBreaches;
  #race = false;
  #open = false;
  #silence: string | undefined;

  constructor(mostBreaches: number | undefined) {
    this.#breaches = new BoundedBreaches(mostBreaches);
  }

  add(outcome: CheckOutcome): void {
    if ('judged' in outcome) this.#judged.add(outcome.judged);
    else if ('breach' in outcome) {
      this.#judged.add(outcome.breach.answer);
      this.#breaches.add(outcome.breach);
    } else {
      this.#undecided.push(outcome.undecided);
      this.#race ||= outcome.race === true;
      this.#open ||= outcome.dead !== true;
      if (outcome.silent) this.#silence ??= outcome.undecided;
    }
  }

  toAppliedRule(rule: Rule): AppliedRule {
    const [judged, breaches, undecided] = [this.#judged, this.#breaches.all, this.#undecided];
    const silence = this.#silence !== undefined && { silence: this.#silence };
    return { rule, judged, breaches, undecided, open: this.#open, race: this.#race, ...silence };
  }
}

/** Returns whether no answer could test a rule, and nothing else kept it open. */
export function lacksEvidence({ judged, undecided, crash, isUntimed }: AppliedRule): boolean {
  return judged.size === 0 && undecided.length === 0 && crash === undefined && !isUntimed;
}

/** Breaches of one rule that are kept one by one, so that a target with a million broken rows fills no memory. */
const defaultMost = 10_000;

/** Holds the breaches of a rule; beyond the most, breaches alike in one answer are counted. */
class BoundedBreaches {
  readonly all: Breach[] = [];
  readonly #most: number;
  #counted: Map<Answer, Map<string, Breach & { times: number }>> | undefined;

  constructor(most = defaultMost) {
    this.#most = most;
  }

  add(breach: Breach): void {
    if (this.all.length < this.#most) this.all.push(breach);
    else this.#count(breach);
  }

  #count(breach: Breach): void {
    const { answer, times = 1 } = breach;
    this.#counted ??= new Map();
    const places = this.#counted.get(answer) ?? new Map<string, Breach & { times: number }>();
    this.#counted.set(answer, places);
    const place = namePlace(breach);
    const known = places.get(place);
    if (known) known.times += times;
    else {
      const counted = { ...breach, times };
      places.set(place, counted);
      this.all.push(counted);
    }
  }
}

export const untimed = 'no Date header that can be used';
/** The result of applying one rule to the evidence. */
export type AppliedRule = {
  readonly rule: Rule;
  readonly judged: ReadonlySet<Answer>;
  readonly breaches: readonly Breach[];
  readonly undecided: readonly string[];
  /** Some of what was left undecided could have been judged: it is not all of something that has ceased. */
  readonly open: boolean;
  /** Evidence moved while it was fetched: another request may decide. */
  readonly race: boolean;
  /** Only an answer with a Date header that can be used would have shown it something to judge. */
  readonly isUntimed?: true;
  /** Words for how the target withholds the evidence that would decide the rule. */
  readonly silence?: string;
  /** The rule itself broke down: ours, never the target's fault. */
  readonly crash?: string;
};
