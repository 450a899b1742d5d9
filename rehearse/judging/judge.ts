import type { Verdict } from '../../contract/judge/verdict.ts';
import { clientRules } from '../law/catalogue.ts';
import { clientQuestions } from '../law/client-questions.ts';
import type { ClientBreach, ClientRule } from '../law/client-rule.ts';
import type { Play } from '../law/play.ts';
import type { ClientFinding, JudgedClientRule, JudgedExpectation, PlayedScenario } from '../rehearsal.ts';
import type { ClientScenario } from '../scenarios/scenario.ts';

type Judged = { readonly rule: JudgedClientRule; readonly finding?: ClientFinding };

/** What the rules and questions say of a play. */
export function judgePlay(play: Play): Pick<PlayedScenario, 'rules' | 'findings' | 'observations'> {
  const judged = clientRules.map((each) => judgeRule(each, play));
  const findings = judged.flatMap(({ finding }) => finding ?? []);
  return {
    rules: judged.map(({ rule }) => rule),
    findings: findings.toSorted(
      (one, other) => Number(one.level === 'should') - Number(other.level === 'should'),
    ),
    observations: clientQuestions.flatMap(({ id, question, answer }) => {
      const found = answer(play);
      return found === undefined ? [] : [{ id, question, answer: found }];
    }),
  };
}

function judgeRule({ check, ...article }: ClientRule, play: Play): Judged {
  const judged = new Set<number>();
  const breaches: ClientBreach[] = [];
  let reason: string | undefined;
  for (const sight of check(play)) {
    if ('undecided' in sight) reason ??= sight.undecided;
    else if ('judged' in sight) judged.add(sight.judged.number);
    else breaches.push(sight.breach);
  }
  for (const { exchange } of breaches) judged.add(exchange.number);
  const outcome = breaches.length > 0 ? 'failed' : judged.size > 0 ? 'passed' : 'unexercised';
  const rule = { ...article, outcome, evidence: judged.size } as const;
  const [first] = breaches;
  if (first) return { rule, finding: findingOf(article, breaches, first) };
  return { rule: outcome === 'unexercised' ? { ...rule, reason: reason ?? 'nothing to judge' } : rule };
}

function findingOf(
  { id, level }: Pick<ClientRule, 'id' | 'level'>,
  breaches: readonly ClientBreach[],
  { expected, actual, exchange, since }: ClientBreach,
): ClientFinding {
  return {
    rule: id,
    level,
    count: breaches.length,
    expected,
    actual,
    exchange: exchange.number,
    ...(since && { since: since.number }),
  };
}

/** What became of a scenario, with the reason in a few words. */
export function verdictOf(
  { kind }: ClientScenario,
  play: Play,
  findings: readonly ClientFinding[],
  expectations: readonly JudgedExpectation[],
): { readonly verdict: Verdict; readonly reason: string } {
  const broken = findings.filter(({ level }) => level === 'must');
  const unmet = expectations.filter(({ outcome }) => outcome === 'failed');
  const [open] = expectations.filter(({ outcome }) => outcome === 'unexercised');
  if (broken.length > 0 || unmet.length > 0) {
    const words = [
      ...broken.map(({ rule }) => `breaks ${rule}`),
      ...unmet.map(({ what }) => `not as expected: ${what}`),
    ];
    return { verdict: 'nonconformant', reason: words.join('; ') };
  }
  if (play.exchanges.length === 0) return { verdict: 'inconclusive', reason: 'the client sent nothing' };
  if (open) return { verdict: 'inconclusive', reason: `${open.what} stays open: ${open.actual}` };
  if (kind === 'trouble' && play.isUnmet)
    return {
      verdict: 'inconclusive',
      reason: 'the client never met the trouble: it begins with the second request',
    };
  const shoulds =
    findings.length === 0 ? '' : `; ${findings.map(({ rule }) => `should: ${rule}`).join('; ')}`;
  const undecided =
    kind === 'wrong data' && expectations.length === 0
      ? '; the wrong data decides nothing without --expect'
      : '';
  return { verdict: 'conformant', reason: `no must is broken${shoulds}${undecided}` };
}

const orders: readonly Verdict[] = ['nonconformant', 'inconclusive', 'conformant'];

/** The worst of them decides. */
export function verdictOfAll(scenarios: readonly Pick<PlayedScenario, 'id' | 'verdict' | 'reason'>[]): {
  readonly verdict: Verdict;
  readonly reason: string;
} {
  const verdict = orders.find((each) => scenarios.some((one) => one.verdict === each)) ?? 'inconclusive';
  const [first, ...rest] = scenarios.filter((each) => each.verdict === verdict);
  if (!first) return { verdict, reason: 'no scenario was played' };
  if (verdict === 'conformant')
    return { verdict, reason: `no must is broken in ${scenarios.length} of ${scenarios.length} scenarios` };
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
  return { verdict, reason: `${first.id}: ${first.reason}${more}` };
}
