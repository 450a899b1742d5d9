import type { AppliedRule } from '../judge/apply-rule.ts';
import { groupBreaches } from '../judge/findings.ts';
import { describeShared } from '../judge/pattern.ts';
import type { Candle } from '../reading/candle.ts';
import { median } from '../reading/statistics.ts';
import { arithmetic } from '../reading/tolerances.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from '../rules/breach.ts';
import type { Candidate, Explanation } from './explanation.ts';
import { minFittingShare } from './find-transformation.ts';
import { addPlace } from './words.ts';

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
  if (rule.shows) return [];
  const shown =
    findFormula(breaches) ??
    (breaches.length < fewestBreaches
      ? undefined
      : (findDifference(breaches) ?? findRounding(breaches) ?? findFactor(breaches)));
  if (!shown) return [];
  const where = describeShared({ rule, judged: applied.judged }, breaches, evidence) ?? '';
  const findings = [...groupBreaches({ rule, breaches, ...applied }).keys()];
  const fields = [...new Set(breaches.map(({ pointer }) => pointer.slice(pointer.lastIndexOf('/') + 1)))];
  const { transformation, words } = shown;
  const sentence = addPlace(`${rule.broken}, ${words}`, where);
  return [{ ...{ sentence, fields, where, transformation, findings }, own: findings, rank: 0 }];
}

type Shown = Pick<Explanation, 'transformation'> & { readonly words: string };

/** Returns the formula that most actual values are said to be. */
function findFormula(breaches: readonly Breach[]): Shown | undefined {
  const named = breaches.flatMap(({ actual }) => /, which is ([^,;]+)/.exec(actual)?.[1] ?? []);
  const [value, ...others] = new Set(named);
  if (value === undefined || others.length > 0 || named.length < minFittingShare * breaches.length)
    return undefined;
  return { transformation: { kind: 'formula', value }, words: `but ${value}` };
}

/** Candles of one price that show by how much an average is off. */
const fewestQuiet = 5;

/** Returns by how much all averages of candles of one price differ from that price, if it is the same number. */
function findDifference(breaches: readonly Breach[]): Shown | undefined {
  const quiet = breaches.flatMap(({ candles: [first] = [], pointer }) =>
    first && first.low === first.high && pointer.endsWith(`/${first.reading.fields.average}`) ? [first] : [],
  );
  const by = Number(median(quiet.map(({ avg, low }) => avg - low)).toPrecision(6));
  const isOff = ({ avg, low }: Candle): boolean => Math.abs(avg - low - by) <= arithmetic * Math.abs(avg);
  if (quiet.length < fewestQuiet || by === 0 || !quiet.every(isOff)) return undefined;
  const words = `by ${Math.abs(by)} too ${by > 0 ? 'high' : 'low'} where there is one price`;
  return { transformation: { kind: 'difference', by }, words };
}

/** Returns whether all actual values differ from the expected ones in the last digits that a double holds. */
function findRounding(breaches: readonly Breach[]): Shown | undefined {
  const isNear = ({ actual, expected }: Breach): boolean => {
    const [one, other] = [readNumber(actual), readNumber(expected)];
    return Math.abs(one - other) <= doubleShare * Math.abs(other);
  };
  if (!breaches.every(isNear)) return undefined;
  const words = 'by the last digits, as where floating-point numbers are added';
  return { transformation: { kind: 'rounded', digits: doubleDigits }, words };
}

/** Digits that a double holds, and the share by which sums of doubles may be off. */
const doubleDigits = 15;
const doubleShare = 1e-12;

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
