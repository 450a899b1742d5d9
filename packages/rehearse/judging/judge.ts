import type { Verdict } from '@candleproof/law/judge/verdict';
import { plural } from '@candleproof/reports/words/format';
import { isGood } from '../client-exchange.ts';
import { clientQuestions, clientRules } from '../law/catalogue.ts';
import type { ClientBreach, ClientRule, Play } from '../law/client-rule.ts';
import { staysWithinItsQuota } from '../law/waits.ts';
import type { ClientFinding, JudgedClientRule, PlayedScenario } from '../rehearsal.ts';
import type { ClientScenario } from '../scenarios/scenario.ts';

type Judged = { readonly rule: JudgedClientRule; readonly finding?: ClientFinding };

/** Judges a play by all rules, and answers all questions. */
export function judgePlay(play: Play): Pick<PlayedScenario, 'rules' | 'findings' | 'observations'> {
  const judged = clientRules.map((rule) => judgeRule(rule, play));
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
  for (const outcome of check(play)) {
    if ('undecided' in outcome) reason ??= outcome.undecided;
    else if ('judged' in outcome) judged.add(outcome.judged.number);
    else breaches.push(outcome.breach);
  }
  for (const { exchange } of breaches) judged.add(exchange.number);
  const outcome = breaches.length > 0 ? 'failed' : judged.size > 0 ? 'passed' : 'unexercised';
  const rule = { ...article, outcome, evidence: judged.size } as const;
  const [first] = breaches;
  if (first) return { rule, finding: makeFinding(article, breaches, first) };
  return { rule: outcome === 'unexercised' ? { ...rule, reason: reason ?? 'nothing to judge' } : rule };
}

function makeFinding(
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

type Decided = Pick<PlayedScenario, 'rules' | 'findings' | 'expectations'>;

/** Decides the verdict of a scenario, with a short reason; `stderr` is the client's. */
export function decideVerdict(
  scenario: ClientScenario,
  play: Play,
  decided: Decided,
  stderr = '',
): Pick<PlayedScenario, 'verdict' | 'reason' | 'unasked'> {
  const { findings, expectations } = decided;
  const broken = findings.filter(({ level }) => level === 'must');
  const unmet = expectations.filter(({ outcome }) => outcome === 'failed');
  if (broken.length > 0 || unmet.length > 0) {
    const words = [
      ...broken.map(({ rule }) => `breaks ${rule}`),
      ...unmet.map(({ what }) => `not as expected: ${what}`),
    ];
    return { verdict: 'nonconformant', reason: words.join('; ') };
  }
  const undecided = explainUndecided(scenario, play, decided, stderr);
  if (undecided) return { verdict: 'inconclusive', ...undecided };
  const shoulds =
    findings.length === 0 ? '' : `; ${findings.map(({ rule }) => `should: ${rule}`).join('; ')}`;
  return { verdict: 'conformant', reason: `no must is broken${shoulds}` };
}

function explainUndecided(
  scenario: ClientScenario,
  play: Play,
  decided: Decided,
  stderr: string,
): Pick<PlayedScenario, 'reason' | 'unasked'> | undefined {
  const { kind } = scenario;
  const [open] = decided.expectations.filter(({ outcome }) => outcome === 'unexercised');
  if (play.exchanges.length === 0) return { reason: explainSilence(stderr) };
  if (open) return { reason: `${open.what} was not tested: ${open.actual}` };
  if (kind === 'trouble' && play.isUnmet)
    return {
      reason: `the client never met the trouble: it begins with the second request${adviseTime(play)}`,
    };
  if (kind === 'control' && !play.exchanges.some(isGood)) {
    const statuses = new Set(play.exchanges.map(({ status }) => status));
    const mend = statuses.has(401) ? ': the key is in CANDLEPROOF_API_KEY' : '';
    return { reason: `no request was answered well, but with ${[...statuses].join(', ')}${mend}` };
  }
  if (decided.expectations.length > 0) return undefined;
  if (kind === 'wrong data') return { reason: 'state with --expect what the client must do', unasked: true };
  return explainUnjudged(scenario, play, decided);
}

/** Returns the reason for which nothing was received, as far as the client's stderr shows one. */
function explainSilence(stderr: string): string {
  if (!/certifi|x509/i.test(stderr)) return 'the client sent nothing to CANDLEPROOF_BASE_URL';
  const mend =
    'have it trust the file in SSL_CERT_FILE, a Java client by its trust store, or rehearse with --http';
  return `the client sent nothing, as it does not trust the certificate: ${mend}`;
}

/**
 * Returns the reason if none of the rules that a trouble tests was judged. What it means that a client ended by itself is
 * for an expectation to say.
 */
function explainUnjudged(
  { about = [] }: ClientScenario,
  play: Play,
  { rules }: Decided,
): Pick<PlayedScenario, 'reason' | 'unasked'> | undefined {
  const meant = rules.filter(({ id }) => about.includes(id));
  const [first] = meant;
  if (!first || meant.some(({ outcome }) => outcome !== 'unexercised')) return undefined;
  const isAllowed = !play.noOverage && about.every((id) => id === staysWithinItsQuota.id);
  const mend = isAllowed ? '' : `; state with --expect what it must do${adviseTime(play)}`;
  const isUnasked = isAllowed || play.end.how !== 'cut';
  return {
    reason: `${first.id} was not tested: ${first.reason}${mend}`,
    ...(isUnasked && { unasked: true }),
  };
}

/** Words the time that a client of this pace needs to meet a trouble and recover, if it was cut off sooner. */
function adviseTime({ pace, trouble, isUnmet, end, ended }: Play): string {
  if (!trouble && !isUnmet) return '';
  const pause = pace ?? ended;
  const seconds = Math.ceil((2 * pause + (trouble?.ended ?? 0) - (trouble?.began ?? 0)) / 1000);
  return end.how === 'cut' && seconds * 1000 > ended ? `, or --for ${seconds} or more` : '';
}

const orders: readonly Verdict[] = ['nonconformant', 'inconclusive', 'conformant'];

type Counted = Pick<PlayedScenario, 'id' | 'verdict' | 'reason' | 'unasked'>;

/** Returns the worst verdict. A scenario that lacks a flag counts only if it was selected, or if all scenarios do. */
export function decideOverallVerdict(
  scenarios: readonly Counted[],
  areChosen: boolean,
): { readonly verdict: Verdict; readonly reason: string } {
  const called = scenarios.filter((scenario) => areChosen || !scenario.unasked);
  const counted = called.length > 0 ? called : scenarios;
  const verdict = orders.find((order) => counted.some((one) => one.verdict === order)) ?? 'inconclusive';
  const [first, ...rest] = counted.filter((scenario) => scenario.verdict === verdict);
  if (!first) return { verdict, reason: 'no scenario was played' };
  if (verdict === 'conformant') {
    const left = scenarios.length - counted.length;
    const reason =
      left > 0
        ? `${left} undecided without --expect or --no-overage`
        : `no must is broken in ${plural(scenarios.length, 'scenario')}`;
    return { verdict, reason };
  }
  if (rest.length === 0) return { verdict, reason: `${first.id}: ${first.reason}` };
  const count = (other: Verdict): number => scenarios.filter((scenario) => scenario.verdict === other).length;
  const [failed, open] = [count('nonconformant'), count('inconclusive')];
  const parts = [`${failed} failed`, `${open} decided nothing`];
  const [worst = '', other] = verdict === 'nonconformant' ? parts : parts.toReversed();
  const rated = worst.replace(' ', ` of ${scenarios.length} scenarios `);
  return { verdict, reason: `${rated}; ${other?.replace(/^0 /, 'none ')}` };
}
