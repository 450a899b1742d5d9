import { once } from '../reading/once.ts';
import type { Answer } from '../reading/reading.ts';
import { lastTries } from '../relations/series.ts';
import { trialCredential } from '../rules/error-cases.ts';
import { ruleFacts, ruleGroup } from '../rules/facts.ts';
import type { Need, Rule } from '../rules/rule.ts';
import type { AppliedRule } from './apply-rule.ts';
import { findRows } from './extent.ts';

/** More than this share of an answer's rows: what is left of it is no evidence. */
const most = 0.5;

/** The breaches of one rule, and the rows of each answer that they lie in. */
type Found = AppliedRule & { readonly rows: () => ReadonlyMap<Answer, ReadonlySet<number>> };

/** Returns the rule whose breaches hide another one's evidence; undefined if there is none. */
export type HiddenBy = (rule: Pick<Rule, 'id' | 'needs'>) => string | undefined;

/**
 * Names the rule that all answers to one of a rule's needs break, a must before a should: the reason why the latter
 * found nothing to judge. Names nothing if there are no such answers, or some of them are sound.
 */
export function findHiding(answers: readonly Answer[], appliedRules: readonly AppliedRule[]): HiddenBy {
  const full = once(() => lastTries(answers).filter((answer) => !isEmpty(answer)));
  const found = appliedRules
    .filter(({ breaches }) => breaches.length > 0)
    .toSorted((a, b) => Number(a.rule.level === 'should') - Number(b.rule.level === 'should'))
    .map((appliedRule): Found => ({ ...appliedRule, rows: once(() => findRows(appliedRule.breaches)) }));
  if (found.length === 0) return () => undefined;
  return ({ id, needs }) => {
    const met = needs.map((need) => full().filter((answer) => meets(answer, need)));
    const hidden = found.find((candidate) => {
      const spoils = spoiling(candidate, id);
      return met.some((answers) => answers.length > 0 && answers.every(spoils));
    });
    return hidden?.rule.id;
  };
}

/** A list without rows is sound, and evidence of nothing. */
function isEmpty({ success, broken, misshapen, records }: Answer): boolean {
  return success && broken === undefined && misshapen.length + records.length === 0;
}

/** Returns whether an answer is to the request of a need, as far as operation, interval and credential tell. */
export function meets({ requested, entitled, exchange }: Answer, need: Need): boolean {
  if (requested?.role !== need.role || need.errorCase || need.method || need.plainHttp) return false;
  if (need.interval !== undefined && requested.rung !== need.interval) return false;
  const { credential } = exchange.request;
  if (need.unkeyed) return credential === 'none';
  return need.trial ? credential === trialCredential(need.trial) : entitled;
}

/**
 * Returns whether a rule's breaches leave nothing of an answer to another rule: it is broken as a whole, in most rows
 * or in the header that its group reads. One wrong Date takes the clock from all answers; bodies hide nothing of heads.
 */
function spoiling({ rule, breaches, rows }: Found, hidden: string): (answer: Answer) => boolean {
  const isOfHeads = ruleFacts({ id: hidden })?.readsHeads === true;
  if (!isOfHeads && breaches.some(({ pointer }) => pointer === 'header:date')) return () => true;
  const isOfOneGroup = ruleGroup(rule.id) === ruleGroup(hidden);
  const isWhole = (pointer: string): boolean =>
    pointer === 'status' ||
    (pointer === '' && !isOfHeads) ||
    pointer === 'header:date' ||
    (isOfOneGroup && pointer.startsWith('header:'));
  const whole = new Set(breaches.filter(({ pointer }) => isWhole(pointer)).map(({ answer }) => answer));
  const isMostly = (answer: Answer): boolean =>
    !isOfHeads && (rows().get(answer)?.size ?? 0) > most * answer.records.length;
  return (answer) => whole.has(answer) || isMostly(answer);
}
