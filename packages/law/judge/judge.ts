import type { OperationId, Spec } from '@candleproof/document/spec/spec';
import { concerns, explain } from '../diagnosis/explain.ts';
import type { Explanation } from '../diagnosis/explanation.ts';
import type { Recording } from '../reading/exchange.ts';
import type { Answer, Readings } from '../reading/reading.ts';
import { type Evidence, gatherEvidence } from '../relations/evidence.ts';
import { type Catalogue, catalogue, rankConsequence } from '../rules/catalogue.ts';
import { levelRank } from '../rules/facts.ts';
import { applicableLaw, listInapplicable, rulesReaching } from '../rules/law-of.ts';
import type { Question } from '../rules/rule.ts';
import { type AppliedRule, applyRule, nothingJudged, untimed } from './apply-rule.ts';
import { collectFindings, leadWith } from './findings.ts';
import { findHiding, type HiddenBy } from './hidden-evidence.ts';
import { reachVerdict } from './reach-verdict.ts';
import { sampleCandles } from './sample.ts';
import { listTransients } from './transient.ts';
import type { Finding, Judgement, Observation, Outcome, RuleResult } from './verdict.ts';
import { countRead } from './withheld.ts';

export type JudgeOptions = {
  /** The part of the catalogue to judge by; all of it by default. */
  readonly catalogue?: Catalogue;
  /** The command line that requests one rule's evidence again. */
  readonly replay: (rule: string) => string;
  /** The readings of exchanges that were judged before. */
  readonly readings?: Readings;
  /** The requests were drawn at random: that one of them gave nothing to judge says nothing of the target. */
  readonly isDrawn?: boolean;
  /** Breaches of one rule that are kept one by one, the rest being counted. */
  readonly mostBreaches?: number;
};

/** The applied rules of a recording, and their findings. */
export type Examined = Pick<Judgement, 'findings'> & {
  readonly appliedRules: readonly AppliedRule[];
  readonly evidence: Evidence;
};

/** A judgement with the applied rules behind it, from which requests can be repeated. */
export type Judged = Judgement & Examined;

/** Judges a recording by the spec and the catalogue. Pure: the same recording gives the same judgement. */
export function judge(spec: Spec, recording: Recording, options: JudgeOptions): Judged {
  const examined = examine(spec, recording, options);
  const { evidence, appliedRules } = examined;
  const whole = options.catalogue ?? catalogue;
  const law = applicableLaw(spec, whole);
  const hiddenBy = findHiding(evidence.answers, appliedRules);
  const broken = new Set(examined.findings.map(({ rule }) => rule));
  const observations = observe(law.questions, evidence, broken);
  const explanations = explain(evidence, appliedRules);
  const sample = examined.findings.length === 0 ? sampleCandles(evidence) : undefined;
  return {
    ...reachVerdict(evidence, appliedRules, new Set(), options.isDrawn),
    rules: [
      ...appliedRules.map((appliedRule) => toResult(appliedRule, hiddenBy)),
      ...law.questions.map((question) => questionResult(question, observations)),
    ],
    observations,
    read: { ...countRead(evidence), ...(sample && { sample }) },
    ...(law.rules.length + law.questions.length < whole.rules.length + whole.questions.length && {
      notOfApi: listInapplicable(spec, whole),
    }),
    transient: listTransients(evidence),
    ...examined,
    ...(explanations.length > 0 && {
      explanations,
      findings: examined.findings.map((finding) => putPartFirst(finding, explanations, evidence)),
    }),
  };
}

/** Applies the rules without questions or a verdict, as to answers that are judged one by one. */
export function examine(spec: Spec, recording: Recording, options: JudgeOptions): Examined {
  const evidence = gatherEvidence(spec, recording, options.readings);
  const law = applicableLaw(spec, options.catalogue ?? catalogue);
  const reaching = rulesReaching(law, evidence);
  const appliedRules = law.rules.map((rule) =>
    reaching.has(rule) ? applyRule(rule, evidence, options.mostBreaches) : nothingJudged(rule),
  );
  const breached = appliedRules.filter(({ breaches }) => breaches.length > 0);
  const findings = breached.flatMap((appliedRule) => collectFindings(appliedRule, evidence, options.replay));
  return {
    evidence,
    appliedRules,
    findings: orderFindings(findings),
  };
}

function toResult(appliedRule: AppliedRule, hiddenBy: HiddenBy): RuleResult {
  const { rule, judged, undecided, crash, isUntimed } = appliedRule;
  const { id, section, level, statement, why } = rule;
  const outcome = decideOutcome(appliedRule);
  const reasons = isUntimed ? [...undecided, untimed] : undecided;
  const reported = crash ?? [...new Set(reasons)].join('; ');
  const isOpen = reported === '' && outcome === 'unexercised';
  const hidden = isOpen ? hiddenBy(rule) : undefined;
  const reason = isOpen ? explainUnexercised(hidden) : reported;
  return {
    id,
    section,
    level,
    statement,
    why,
    outcome,
    evidence: judged.size,
    operations: listOperations(judged),
    ...(reason && { reason }),
    ...(hidden !== undefined && { hiddenBy: hidden }),
  };
}

/** The reason of a rule that no answer was evidence for. */
export const withoutEvidence = 'not testable by these answers';

function explainUnexercised(hidden: string | undefined): string {
  return hidden === undefined ? withoutEvidence : `the answers that it needs break ${hidden}`;
}

function listOperations(judged: ReadonlySet<Answer>): OperationId[] {
  const named = new Set<OperationId>();
  for (const { requested } of judged) if (requested) named.add(requested.operation);
  return [...named].sort();
}

function decideOutcome({ judged, breaches, open, crash, silence }: AppliedRule): Outcome {
  if (breaches.length > 0) return 'failed';
  if (crash || silence !== undefined) return 'inconclusive';
  if (judged.size > 0) return 'passed';
  return open ? 'inconclusive' : 'unexercised';
}

/** Answers the questions that the document leaves open; those that broken rules leave without an answer are omitted. */
export function observe(
  questions: readonly Question[],
  evidence: Evidence,
  broken: ReadonlySet<string>,
): Observation[] {
  return questions
    .filter(({ unlessBroken = [] }) => !unlessBroken.some((rule) => broken.has(rule)))
    .flatMap((question) => answerQuestion(question, evidence));
}

function answerQuestion({ id, question, answer }: Question, evidence: Evidence): Observation[] {
  let reported: string | undefined;
  try {
    reported = answer(evidence);
  } catch {
    // A question that breaks down has no answer: ours to mend, nothing of the target's.
  }
  return reported === undefined ? [] : [{ id, question, answer: reported, changed: false }];
}

/** Returns the result of a question: passed if one of the observations answers it. */
export function questionResult(
  { id, section, why, question }: Question,
  observations: readonly Observation[],
): RuleResult {
  const isAnswered = observations.some((observation) => observation.id === id);
  return {
    ...{ id, section, level: 'observe', statement: question, why },
    outcome: isAnswered ? 'passed' : 'unexercised',
    evidence: isAnswered ? 1 : 0,
    operations: [],
    ...(!isAnswered && { reason: 'no answer reported' }),
  };
}

/** Puts an example from the part that is wrong first: the others show what disagrees with it. */
function putPartFirst(finding: Finding, explanations: readonly Explanation[], evidence: Evidence): Finding {
  const explanation = explanations.find(({ findings }) => findings.includes(finding.fingerprint));
  const first =
    explanation && finding.examples.find(({ exchange }) => concerns(explanation, exchange, evidence));
  if (!first || first === finding.examples[0]) return finding;
  return {
    ...finding,
    ...leadWith(first),
    examples: [first, ...finding.examples.filter((one) => one !== first)],
  };
}

/**
 * Puts findings in the order that numbers them in every report and for a replay: musts first, new before known, the
 * worst consequence first.
 */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const rank = ({ level, known }: Finding): number => 2 * levelRank[level] + (known ? 1 : 0);
  return findings.toSorted((a, b) => rank(a) - rank(b) || rankConsequence(a.rule) - rankConsequence(b.rule));
}
