import type { AppliedRule } from '../judge/apply-rule.ts';
import { groupBreaches } from '../judge/findings.ts';
import { describeShared } from '../judge/pattern.ts';
import { median } from '../reading/statistics.ts';
import { arithmetic } from '../reading/tolerances.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from '../rules/breach.ts';
import type { Candidate, Explanation } from './explain.ts';
import { leastFitting } from './find-transformation.ts';

/** Fewer breaches show no reason. */
const fewestBreaches = 2;

/**
 * Explains the breaches of a rule by what they say of themselves: all actual values are the same formula, as `which is …` names
 * it, or the same number of times the expected ones.
 */
export function explainShownValues(
  { rule, breaches, ...applied }: AppliedRule,
  evidence: Evidence,
): Candidate[] {
  if (rule.shows || breaches.length < fewestBreaches) return [];
  const shown = findFormula(breaches) ?? findFactor(breaches);
  if (!shown) return [];
  const where = describeShared({ rule, judged: applied.judged }, breaches, evidence) ?? '';
  const findings = [...groupBreaches({ rule, breaches, ...applied }).keys()];
  const fields = [...new Set(breaches.map(({ pointer }) => pointer.slice(pointer.lastIndexOf('/') + 1)))];
  const { transformation, words } = shown;
  const sentence = `${rule.broken}, ${words}${where === '' ? '' : `, ${where}`}`;
  return [{ ...{ sentence, fields, where, transformation, findings }, own: findings, rank: 0 }];
}

type Shown = Pick<Explanation, 'transformation'> & { readonly words: string };

/** Returns the formula that most actual values are said to be. */
function findFormula(breaches: readonly Breach[]): Shown | undefined {
  const named = breaches.flatMap(({ actual }) => /, which is ([^,;]+)/.exec(actual)?.[1] ?? []);
  const [value, ...others] = new Set(named);
  if (value === undefined || others.length > 0 || named.length < leastFitting * breaches.length)
    return undefined;
  return { transformation: { kind: 'formula', value }, words: `but ${value}` };
}

/** Returns the number of times that all actual values are of the expected ones. */
function findFactor(breaches: readonly Breach[]): Shown | undefined {
  const ratios = breaches.map(({ actual, expected }) => readNumber(actual) / readNumber(expected));
  const factor = Number(median(ratios).toPrecision(6));
  const isFar = Math.abs(factor - 1) > 1000 * arithmetic && Number.isFinite(factor) && factor !== 0;
  // Expected values are written with fewer digits than actual ones.
  const isNear = (ratio: number): boolean =>
    Math.abs(ratio / factor - 1) <= Math.abs(factor - 1) * writtenShare;
  if (!isFar || !ratios.every(isNear)) return undefined;
  return { transformation: { kind: 'factor', factor }, words: `but ${factor} times that` };
}

/** The share of its effect by which a factor may differ from breach to breach. */
const writtenShare = 1e-4;

/** Reads a value that a breach begins with; NaN for bounds and words. */
function readNumber(text: string): number {
  return Number(/^-?\d[\d.e+-]*(?=$|[ ,;])/.exec(text)?.[0] ?? Number.NaN);
}
