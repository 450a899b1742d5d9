import type {
  CoveredShare,
  Outcome,
  RecordedEntries,
  RuleResult,
  Run,
  Verdict,
} from '@candleproof/law/judge/verdict';
import { capitalize, formatPercent, thousands } from '@candleproof/law/reading/words';
import { findConsequence } from '@candleproof/law/rules/catalogue';
import type { Level } from '@candleproof/law/rules/facts';
import { formatTimes, plural } from './format.ts';
import { describeOperation, outcomes, outcomeWords } from './wording.ts';

/** The monthly allowance of the document's example (§8), assumed if no answer reports the key's. */
const exampleMonth = 10_000;

export type RuleTally = { readonly total: number; readonly by: Readonly<Record<Outcome, number>> };

/** Counts the rules of one level by outcome. */
export function tallyRules(rules: readonly RuleResult[], level: Level): RuleTally {
  return tallyOutcomes(rules.filter((rule) => rule.level === level).map((rule) => rule.outcome));
}

/** Counts any outcomes. */
export function tallyOutcomes(all: readonly Outcome[]): RuleTally {
  const by = { passed: 0, failed: 0, known: 0, surprised: 0, inconclusive: 0, unexercised: 0 };
  for (const outcome of all) by[outcome] += 1;
  return { total: all.length, by };
}

/** The musts of a run: all that apply, and of them the judged, failed, known, and those that its caller left out. */
export type MustCounts = ReturnType<typeof countMusts>;

/** Counts the musts of a run. */
export function countMusts({ rules, unchosen = 0 }: Pick<Run, 'rules' | 'unchosen'>) {
  const { total, by } = tallyRules(rules, 'must');
  const beyond = rules.filter(({ level, beyondBudget }) => level === 'must' && beyondBudget).length;
  return {
    of: total + unchosen,
    judged: total - by.unexercised - by.inconclusive,
    failed: by.failed,
    known: by.known,
    /** By flags or by the budget. */
    leftOut: unchosen + beyond,
  };
}

/** `61 of 62 judged, 1 known failing`: what a verdict without a failed must leaves open. */
export function formatShare({ judged, of, known }: MustCounts): string {
  const hidden = known > 0 ? `, ${plural(known, 'known failing')}` : '';
  return `${thousands(judged)} of ${thousands(of)} judged${hidden}`;
}

/** The outcome whose mark a verdict has: a must that fails knowingly, or was left out by choice, is no tick. */
export function verdictOutcome(verdict: Verdict, { known, leftOut }: MustCounts): Outcome {
  if (verdict === 'nonconformant') return 'failed';
  if (verdict === 'inconclusive') return 'inconclusive';
  return known > 0 ? 'known' : leftOut > 0 ? 'unexercised' : 'passed';
}

/** `58 passed, 3 failed, 4 not tested`. */
export function formatCounts(rules: readonly RuleResult[], level: Level): string {
  const { by } = tallyRules(rules, level);
  const reported = outcomes.filter((outcome) => outcome !== 'passed' && by[outcome] > 0);
  return [
    `${by.passed} passed`,
    ...reported.map((outcome) => `${by[outcome]} ${outcomeWords[outcome]}`),
  ].join(', ');
}

type WithQuota = Pick<Run, 'quota'> & { readonly target: Pick<Run['target'], 'keyless'> };

/** `75 requests, 48 of them with the key, 0.48 % of its month of 10,000 (budget 87)`; a judged recording has sent none. */
export function formatRequests(run: WithQuota & Pick<Run, 'requests' | 'notOfApi'>): string {
  const { sent, budget, keyed = sent } = run.requests;
  if (budget === 0) return 'none sent: this judges a recording';
  const hasQuota = run.quota !== undefined || !run.notOfApi?.some((id) => findConsequence(id) === 'quota');
  const share = hasQuota ? `, ${formatQuotaShare(run)}` : '';
  const own = keyed < sent && keyed > 0 ? `, ${thousands(keyed)} of them with the key` : '';
  return `${plural(sent, 'request')}${own}${share} (budget ${thousands(budget)})`;
}

/** `pairs covered: 523 of 632; triples 53 %; night 2 of 3: 630 of 632, 84 %`; undefined for a run that varied none. */
export function formatCoverage({ coverage }: Pick<Run, 'coverage'>): string | undefined {
  if (!coverage || coverage.pairs.possible === 0) return undefined;
  const { pairs, triples, nights } = coverage;
  const own = `pairs covered: ${formatCovered(pairs)}; triples ${formatPart(triples)}`;
  if (!nights) return own;
  const together = `pairs ${formatCovered(nights.pairs)}, triples ${formatPart(nights.triples)}`;
  return `${own}; night ${nights.night} of ${nights.of}, which together cover ${together}`;
}

function formatCovered({ covered, possible }: CoveredShare): string {
  return `${thousands(covered)} of ${thousands(possible)}`;
}

function formatPart({ covered, possible }: CoveredShare): string {
  return `${Math.floor((100 * covered) / possible)} %`;
}

/** `44 of 61 entries judged, 17 skipped: other host 12, no response 5` */
export function formatEntries({ recorded, judged, skipped }: RecordedEntries): string {
  const reasons = skipped.map(({ reason, count }) => `${reason} ${thousands(count)}`).join(', ');
  const rest = reasons === '' ? '' : `, ${thousands(recorded - judged)} skipped: ${reasons}`;
  return `${thousands(judged)} of ${thousands(recorded)} entries judged${rest}`;
}

/** Words the requests with the key as a share of the key's month, or of the document's example if no answer reported one. */
function formatQuotaShare({ requests, quota, target }: WithQuota & Pick<Run, 'requests'>): string {
  const { sent, keyed = sent } = requests;
  if (target.keyless && !quota?.limit) return 'no key needed, so no quota is spent';
  if (quota && isUnknown(quota)) return 'the key was refused, so its quota is unknown';
  if (!quota)
    return `${formatPercent(keyed / exampleMonth)} of a month of ${thousands(exampleMonth)}, assumed as in the document’s example`;
  if (quota.limit === 0) return 'from a key whose month allows none';
  return `${formatPercent(keyed / quota.limit)} of the key’s month of ${thousands(quota.limit)}`;
}

/** Returns whether the counts are all zero: an accepted key would have been charged, so no key was counted. */
function isUnknown({ limit, remaining, additional }: NonNullable<Run['quota']>): boolean {
  return limit === 0 && remaining === 0 && additional === 0;
}

/** `9,968 of 10,000 left`, `0 of 20 left, 45 beyond the limit`; undefined if no key was counted. */
export function formatKeyQuota({ quota }: Pick<Run, 'quota'>): string | undefined {
  if (!quota || isUnknown(quota)) return undefined;
  const { limit, remaining, additional } = quota;
  const beyond = additional > 0 ? `, ${thousands(additional)} beyond the limit` : '';
  return `${thousands(remaining)} of ${thousands(limit)} left${beyond}`;
}

/**
 * `1 of 59 judged musts failed, 3 of 62 not judged`: the two shares with which every report counts the rules of a
 * level.
 */
function formatJudged(rules: readonly RuleResult[], level: Extract<Level, 'must' | 'should'>): string {
  const { total, by } = tallyRules(rules, level);
  const open = by.unexercised + by.inconclusive;
  return `${thousands(by.failed)} of ${plural(total - open, `judged ${level}`)} failed, ${thousands(open)} of ${thousands(total)} not judged`;
}

/** Explains the verdict in one sentence. */
export function verdictSentence(run: Run): string {
  if (run.verdict === 'nonconformant') {
    const failed = `${formatJudged(run.rules, 'must')}.`;
    const worst = run.findings.find(({ level, known }) => level === 'must' && !known);
    return worst?.sentence === undefined ? failed : `${failed} ${worst.sentence}`;
  }
  if (run.verdict === 'inconclusive') return `${capitalize(run.reason ?? 'The target could not be judged')}.`;
  const { judged, of, known } = countMusts(run);
  const held = judged < of ? `All ${plural(judged, 'must')} that could be tested hold` : 'Every must holds';
  return known > 0 ? `${held}, but for ${known} that the baseline knows.` : `${held}.`;
}

/** Groups rules by their section of the document, in its order. */
export function groupBySection<Rule extends Pick<RuleResult, 'section'>>(
  rules: readonly Rule[],
): [section: string, rules: Rule[]][] {
  return [...Map.groupBy(rules, ({ section }) => section)].sort(([a], [b]) => compareSections(a, b));
}

/** Sorts `2.2` before `2.10`, that before `4`, and rules without a section last. */
function compareSections(a: string, b: string): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1;
  const [ours, others] = [a.split('.'), b.split('.')];
  const apart = ours.findIndex((part, depth) => part !== others[depth]);
  if (apart < 0) return ours.length - others.length;
  return Number(ours[apart]) - Number(others[apart] ?? -1) || (a < b ? -1 : 1);
}

/** Groups unjudged rules under the reason that they share. */
export function groupUnjudged(rules: readonly RuleResult[]): Map<string, RuleResult[]> {
  const open = rules.filter(
    ({ level, outcome }) => level !== 'observe' && (outcome === 'unexercised' || outcome === 'inconclusive'),
  );
  return Map.groupBy(open, (ruleResult) => ruleResult.reason ?? 'no reason was given');
}

/** `status 503 in 2 of 9 requests at GET /tokens, answered when sent again`; undefined if nothing failed temporarily. */
export function describeTransients({ transient }: Run): string | undefined {
  if (transient.length === 0) return undefined;
  const reported = transient.map(
    ({ failure, count, of, ...at }) =>
      `${failure} ${of === undefined ? formatTimes(count) : `in ${thousands(count)} of ${plural(of, 'request')}`} at ${describeOperation(at).request}`,
  );
  return `${reported.join(', ')}, answered when sent again`;
}
