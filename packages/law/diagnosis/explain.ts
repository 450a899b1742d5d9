import { intervalName } from '@candleproof/document/spec/interval';
import type { CandleRole } from '@candleproof/document/spec/roles';
import type { Evidence } from '../relations/evidence.ts';
import { staysRule } from '../rules/history/overlap.ts';
import { compareSides, listComparisons, type PartComparison } from './comparisons.ts';
import { type Broken, listFollowing, type PartChange, prices } from './following.ts';
import { holdsPart, isSamePart } from './scopes.ts';
import { fits, type Transformation } from './transformations.ts';
import { wordExplanation } from './words.ts';
import { findWrongFields, listSamples, type WrongField } from './wrong-fields.ts';

/** A part of the data that is wrong, what was done to its values, and the findings that follow. */
export type Explanation = {
  readonly sentence: string;
  /** The interval and direction that are wrong; left out where all of them are. */
  readonly interval?: string;
  readonly inverted?: boolean;
  readonly fields: readonly CandleRole[];
  readonly transformation: Transformation;
  /** Rows in which it shows, of those that other parts of the data show. */
  readonly rows: { readonly wrong: number; readonly of: number };
  /** Fingerprints of the findings. */
  readonly findings: readonly string[];
};

/** Rules whose breaches may follow from a value that another part of the data contradicts. */
const ofValues = /^(rollup|inversion|candle)\//;

/**
 * Explains breaches of values between intervals and directions by what was done to the values of one part. Where nothing
 * shows which part is wrong, or what was done to it, there is no explanation.
 */
export function explain(evidence: Evidence, broken: readonly Broken[]): Explanation[] {
  const ofOurs = broken.filter(({ rule, field }) => ofValues.test(rule) && field !== undefined);
  if (ofOurs.length === 0) return [];
  const changing = broken.flatMap(({ rule, field }) => (rule === staysRule ? [field] : []));
  // Between answers that change from one to the next, any two differ by some number.
  const isLasting = ({ field, transformation }: WrongField): boolean =>
    transformation.kind !== 'factor' || !changing.some((other) => changesWith(field, other));
  const latest = [...compareSides(evidence, 'latest')];
  const changes = groupAlike(findWrongFields(listComparisons(evidence)).filter(isLasting)).map(
    (fields): ExplainedChange => ({
      ...{ wrong: fields, scope: fields[0].scope },
      fields: fields.map(({ field }) => field),
      isOfLatest: fields.every((one) => holdsForLatest(one, latest)),
    }),
  );
  return changes
    .map((change) => describe(change, listFollowing(change, changes, ofOurs), evidence))
    .filter(({ findings }) => findings.length > 0)
    .sort((a, b) => b.findings.length - a.findings.length);
}

/** Returns whether a field is another one, or both are prices: of those that change a breach names the first. */
function changesWith(field: CandleRole, other: CandleRole | undefined): boolean {
  return field === other || (prices.includes(field) && prices.includes(other));
}

type Alike = readonly [WrongField, ...WrongField[]];

/** Groups fields of one part that were changed alike, or that have each other's place. */
function groupAlike(all: readonly WrongField[]): Alike[] {
  const [first, ...others] = all;
  if (!first) return [];
  const together = others.filter((other) => isAlike(first, other));
  return [[first, ...together], ...groupAlike(others.filter((other) => !together.includes(other)))];
}

function isAlike(one: WrongField, other: WrongField): boolean {
  if (!isSamePart(one.scope, other.scope) || one.occasion !== other.occasion) return false;
  const [a, b] = [one.transformation, other.transformation];
  if (JSON.stringify(a) === JSON.stringify(b)) return true;
  return a.kind === 'column' && b.kind === 'column' && a.column === other.field && b.column === one.field;
}

/** Returns whether the same was done to the latest candles of a part as to its histories. */
function holdsForLatest(
  { field, scope, transformation }: WrongField,
  latest: readonly PartComparison[],
): boolean {
  const ofPart = latest.filter(({ one }) => holdsPart(scope, one));
  const samples = ofPart.flatMap((comparison) => listSamples(comparison, field));
  return samples.length > 0 && samples.every(({ sample }) => fits(transformation, field, sample));
}

type ExplainedChange = PartChange & { readonly wrong: Alike };

function describe(
  { wrong: [first], scope, fields }: ExplainedChange,
  findings: readonly string[],
  { spec }: Evidence,
): Explanation {
  const { transformation, compared, of } = first;
  const { length, inverted } = scope;
  return {
    sentence: wordExplanation({ ...first, fields, candle: compared[0].candle }, spec),
    ...(length !== undefined && { interval: intervalName(spec.intervals, length) }),
    ...(inverted !== undefined && { inverted }),
    ...{ fields, transformation, findings },
    rows: { wrong: compared.length, of },
  };
}

/** Returns whether an exchange holds candles of the part that an explanation names. */
export function concerns(
  { interval, inverted }: Explanation,
  exchange: number,
  { answers, spec }: Evidence,
): boolean {
  const { length, inverted: isTurned = false } =
    answers.find(({ index }) => index === exchange)?.requested ?? {};
  if (length === undefined) return false;
  const isOfInterval = interval === undefined || interval === intervalName(spec.intervals, length);
  return isOfInterval && (inverted === undefined || inverted === isTurned);
}
