import { intervalName } from '@candleproof/document/spec/interval';
import type { AppliedRule } from '../judge/apply-rule.ts';
import { findField, findRows } from '../judge/extent.ts';
import { groupBreaches } from '../judge/findings.ts';
import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import { rankConsequence } from '../rules/catalogue.ts';
import { levelRank } from '../rules/facts.ts';
import type { Defect } from '../rules/rule.ts';
import { findDefect, type ShownDefect } from './defects.ts';
import { explainValues } from './explain-values.ts';
import type { Candidate, Explanation } from './explanation.ts';
import { type BrokenRule, foldFindings, type RuleDefect } from './folded-findings.ts';
import { explainOtherAnswers } from './other-answers.ts';
import { explainPriceOrder } from './price-order.ts';
import { explainShifts, shiftRank } from './shifted-starts.ts';
import { explainShownValues } from './shown-values.ts';

/**
 * Explains the findings of a run by as few defects as account for them: first answers and rows that cannot be used, then values
 * that other parts of the data contradict, then all else that breaches show by themselves. A rule whose breaches leave open what
 * is wrong has no explanation.
 */
export function explain(evidence: Evidence, appliedRules: readonly AppliedRule[]): Explanation[] {
  const broken = appliedRules
    .filter(({ breaches }) => breaches.length > 0)
    .map((applied): BrokenRule => ({ applied, findings: groupBreaches(applied) }));
  if (broken.length === 0) return [];
  const defects = broken
    .toSorted((a, b) => rankRule(a) - rankRule(b))
    .flatMap((one): RuleDefect[] => {
      const shown = findDefect(one.applied, evidence);
      const isOffAll =
        shown?.defect === 'off by a factor' && broken.some(({ applied }) => applied.rule.id === pairRule);
      return shown && !isOffAll ? [{ ...one, shown }] : [];
    });
  const found = listFindings(broken);
  const described = defects.map((one) => describeDefect(one, broken));
  const grave = described.filter(({ rank }) => rank > shiftRank);
  const spoilt = new Set(grave.flatMap(({ findings }) => findings));
  // Answers and rows that cannot be used show nothing else.
  const usable = found.filter(({ fingerprint }) => !spoilt.has(fingerprint));
  return chooseFewest(
    [
      ...explainValues(evidence, usable).map((one): Candidate => ({ ...one, own: one.findings, rank: 0 })),
      ...explainShifts(usable, evidence),
      ...explainOtherAnswers(found, evidence),
      ...explainPriceOrder(appliedRules, evidence),
      ...broken.flatMap(({ applied }) => explainShownValues(applied, evidence)),
      ...described,
    ],
    new Set(broken.flatMap(({ findings }) => [...findings.keys()])),
  );
}

/** Chooses explanations, each time the one that accounts for most of the findings that are left, until none is. */
function chooseFewest(candidates: readonly Candidate[], left: Set<string>): Explanation[] {
  const isLeft = (name: string): boolean => left.has(name);
  const open = candidates.filter(({ own }) => own.some(isLeft));
  const weigh = ({ findings, rank }: Candidate): number => findings.filter(isLeft).length + 1e6 * rank;
  const [best] = open.toSorted((a, b) => weigh(b) - weigh(a));
  if (!best) return [];
  const { own: _own, rank: _rank, ...explanation } = best;
  const findings = best.findings.filter(isLeft);
  for (const name of findings) left.delete(name);
  return [
    { ...explanation, findings },
    ...chooseFewest(
      open.filter((one) => one !== best),
      left,
    ),
  ];
}

/** Ranks broken rules by level, then by consequence. */
function rankRule({ applied: { rule } }: BrokenRule): number {
  return 100 * levelRank[rule.level] + rankConsequence(rule.id);
}

function listFindings(broken: readonly BrokenRule[]) {
  return broken.flatMap(({ applied, findings }) =>
    [...findings].flatMap(([fingerprint, breaches]) => {
      const [first] = breaches;
      return first ? [{ fingerprint, rule: applied.rule.id, field: findField(first), breaches }] : [];
    }),
  );
}

/**
 * Defects of whole answers and rows, which spoil all that is compared with them, the gravest first. Those of rows do so where they
 * hold for most rows of their answers: a few are a symptom of something else.
 */
const disabling: readonly (readonly [Defect, 'answers' | 'rows'])[] = [
  ['let in', 'answers'],
  ['unreadable', 'answers'],
  ['unanswered', 'answers'],
  ['wrong shape', 'answers'],
  ['made up', 'answers'],
  ['other unit', 'rows'],
  ['exchanged', 'rows'],
  ['wrong length', 'rows'],
  ['misplaced', 'rows'],
  ['two kinds', 'answers'],
  ['other pool', 'rows'],
  ['missing', 'rows'],
  ['wrong type', 'rows'],
  ['wrong form', 'rows'],
  ['out of range', 'rows'],
  ['copied', 'rows'],
];

/** The least share of the rows of an answer that are broken where a defect is no symptom of another one. */
const leastBroken = 0.5;

/** Returns the place of a defect among those that make their answers, or most of their rows, unusable for others; or 0. */
function rankDisabling({ defect, breaches, fields, isOfWholeAnswers }: ShownDefect): number {
  const at = disabling.findIndex(([name]) => name === defect);
  const by = disabling[at]?.[1];
  if (by === undefined || (by === 'rows' && fields.length === 0)) return 0;
  if (by === 'rows' && !isOfWholeAnswers) {
    const rows = [...findRows(breaches)];
    const wrong = rows.reduce((total, [, named]) => total + named.size, 0);
    if (wrong < leastBroken * rows.reduce((total, [{ records }]) => total + records.length, 0)) return 0;
  }
  return disabling.length - at;
}

function describeDefect(own: RuleDefect, broken: readonly BrokenRule[]): Candidate {
  const { sentence, fields, where, defect } = own.shown;
  const others = broken.filter((one) => one.applied !== own.applied);
  const rank = rankDisabling(own.shown);
  const findings = [...own.findings.keys()];
  return {
    ...{ sentence, fields, where, transformation: { kind: defect }, own: findings, rank },
    findings: [...findings, ...foldFindings(own, others, rank > 0)],
  };
}

/** If pairs of rows have no constant, prices are not off by one factor. */
const pairRule = 'inversion/first-and-last-are-inverse';

/** Returns whether an exchange holds candles of the part that an explanation names. */
export function concerns(
  { interval, inverted }: Explanation,
  exchange: number,
  { answers, spec }: Evidence,
): boolean {
  const { length, inverted: isTurned = false }: Partial<Answer['requested']> =
    answers.find(({ index }) => index === exchange)?.requested ?? {};
  if (length === undefined) return false;
  const isOfInterval = interval === undefined || interval === intervalName(spec.intervals, length);
  return isOfInterval && (inverted === undefined || inverted === isTurned);
}
