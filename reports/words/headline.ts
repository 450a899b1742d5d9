import type { RuleResult, Run } from '../../contract/judge/verdict.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { findConsequence } from './consequence.ts';
import { plural, tallyRules } from './tally.ts';
import { verdictWords } from './wording.ts';

/** Names that a line holds; of more it holds the first ones. */
const few = 3;
const first = 2;

/**
 * Returns the headline of a run in every format: its verdict, and failed shoulds beside a verdict that no must
 * decides, such as `Conformant; 2 shoulds fail: history/aligned, tokens/ids-are-unique`.
 */
export function headline(run: Run): string {
  return [verdictWords[run.verdict], ...failedShoulds(run)].join('; ');
}

/** The part of the headline that follows the verdict; empty where there is none. */
export function failedShoulds({ verdict, rules }: Run): string[] {
  const failed = verdict === 'nonconformant' ? [] : rules.filter(isFailedShould);
  if (failed.length === 0) return [];
  return [
    `${plural(failed.length, 'should')} ${failed.length === 1 ? 'fails' : 'fail'}: ${listRules(failed)}`,
  ];
}

/**
 * Says beside a verdict what was read for it, what was declared of the target, what it does not cover, and what the run
 * cost beyond the key's limit; a sentence each.
 */
export function remarks(run: Run): string[] {
  return [
    ...readRemark(run),
    ...poolsRemark(run),
    ...gapsRemark(run),
    ...budgetRemark(run),
    ...choiceRemark(run),
    ...apiRemark(run),
    ...limitRemark(run),
  ];
}

function readRemark({ read }: Run): string[] {
  if (!read) return [];
  const { candles, answers, unreadable } = read;
  const sum = `Read ${plural(candles, 'candle')} in ${plural(answers, 'answer')}`;
  if (candles === 0) return ['Read no candle.'];
  return unreadable === 0
    ? [`${sum}; all starts and prices read.`]
    : [`${sum}; ${thousands(unreadable)} of them without a readable start or prices.`];
}

/** Names unknown pools, unless the verdict rests on them and names them already. */
function poolsRemark({ read, reasonCode }: Run): string[] {
  const { unknownPools = [] } = read ?? {};
  if (unknownPools.length === 0 || reasonCode === 'rows-withheld') return [];
  return [`The target refuses every request for ${unknownPools.join(', ')}: check the ids.`];
}

function gapsRemark({ target }: Run): string[] {
  return target.gaps === 'idle'
    ? ['Declared with gaps: idle, so intervals that nobody observed may be missing.']
    : [];
}

function isFailedShould({ level, outcome }: RuleResult): boolean {
  return level === 'should' && outcome === 'failed';
}

/**
 * Words what the budget left out; first what a reader of a green verdict takes for granted: that nobody gets in
 * without a key.
 */
function budgetRemark({ rules, requests }: Run): string[] {
  const left = rules.filter(({ level, beyondBudget }) => level === 'must' && beyondBudget);
  if (left.length === 0) return [];
  const isDoor = ({ id }: RuleResult): boolean => findConsequence(id) === 'access';
  const ordered = left.toSorted((a, b) => Number(isDoor(b)) - Number(isDoor(a)));
  return [`Not exercised within ${plural(requests.budget, 'request')}: ${listRules(ordered, 'must')}.`];
}

/** Words what the document lacks, which has neither passed nor failed. */
function apiRemark({ notOfApi: ids = [] }: Run): string[] {
  if (ids.length === 0) return [];
  const groups = [...new Set(ids.map((id) => id.split('/', 1)[0] ?? ''))];
  return [`${thousands(ids.length)} rules and questions are not of this API: ${groups.join(', ')}.`];
}

function choiceRemark({ rules, unchosen: count = 0 }: Run): string[] {
  const { total } = tallyRules(rules, 'must');
  return count > 0
    ? [`Only ${thousands(total)} of ${plural(total + count, 'must')} were chosen to be judged.`]
    : [];
}

function limitRemark({ quota }: Run): string[] {
  if (!quota || quota.additional === 0) return [];
  return [`The key is ${plural(quota.additional, 'request')} beyond its limit of ${thousands(quota.limit)}.`];
}

function listRules(rules: readonly RuleResult[], noun?: string): string {
  const ids = rules.map(({ id }) => id);
  if (ids.length <= few) return ids.join(', ');
  const rest = ids.length - first;
  return `${ids.slice(0, first).join(', ')} and ${thousands(rest)} more${noun === undefined ? '' : ` ${noun}s`}`;
}
