import { intervalName } from '@candleproof/document/spec/interval';
import type { CandleRole } from '@candleproof/document/spec/roles';
import { arithmetic } from '../reading/tolerances.ts';
import type { Evidence } from '../relations/evidence.ts';
import { staysRule } from '../rules/facts.ts';
import { intervalsAgreeRule } from '../rules/latest/latest-agreement.ts';
import { type ComparedField, compareSides, listComparisons, type PartComparison } from './comparisons.ts';
import type { Explanation } from './explanation.ts';
import { type Broken, listFollowing, type PartChange, prices } from './following.ts';
import { readField } from './formulas.ts';
import { type FormulaField, findFormulas } from './own-values.ts';
import { isWithin, priceOrderRules } from './price-order.ts';
import { holdsPart, isSamePart } from './scopes.ts';
import { fits } from './transformations.ts';
import { gatherWitnesses } from './witnesses.ts';
import { nameField, wordExplanation, wordFormula } from './words.ts';
import { findWrongFields, listSamples, type WrongField } from './wrong-fields.ts';

/** Rules whose breaches may follow from a value that another part of the data contradicts. */
const ofValues = /^(rollup|inversion|candle|latest)\//;

/**
 * Explains breaches of values between intervals and directions by what was done to the values of one part. Where nothing
 * shows which part is wrong, or what was done to it, there is no explanation.
 */
export function explainValues(evidence: Evidence, broken: readonly Broken[]): Explanation[] {
  const ofOurs = broken.filter(({ rule, field }) => ofValues.test(rule) && field !== undefined);
  if (ofOurs.length === 0) return [];
  const ofFields = broken.filter(({ field }) => field !== undefined);
  const changing = broken.flatMap(({ rule, field }) => (rule === staysRule ? [field] : []));
  // Between answers that change from one to the next, any two differ by some number.
  const isLasting = ({ field, transformation }: WrongField): boolean =>
    transformation.kind !== 'factor' || !changing.some((other) => changesWith(field, other));
  const latest = [...compareSides(evidence, 'latest')];
  const byFormula = findFormulas(new Set(ofOurs.flatMap(({ field }) => field ?? [])), evidence);
  const comparisons = listComparisons(evidence);
  const changes = groupAlike(joinExchanged(findWrongFields(comparisons).filter(isLasting))).map(
    (fields): ExplainedChange => ({
      ...{ wrong: fields, scope: fields[0].scope },
      fields: fields.map(({ field }) => field),
      isOfLatest:
        fields.every((one) => holdsForLatest(one, latest)) || fields.every((one) => setsRight(one, ofOurs)),
    }),
  );
  const described = changes.map((change) =>
    describe(change, listFollowing(change, changes, ofFields), comparisons, evidence),
  );
  return [...described, ...groupFormulas(byFormula).map((all) => describeFormula(all, ofFields, evidence))]
    .filter(({ findings }) => findings.length > 0)
    .sort((a, b) => b.findings.length - a.findings.length);
}

/** Returns whether a field is another one, or both are prices: of those that change a breach names the first. */
function changesWith(field: CandleRole, other: CandleRole | undefined): boolean {
  return field === other || (prices.includes(field) && prices.includes(other));
}

/**
 * Longer candles of which open and close are exchanged, as those of their parts are, open where the last part does and close where
 * the first one does.
 */
function joinExchanged(all: readonly WrongField[]): WrongField[] {
  const isPart = ({ transformation }: WrongField, at: number): boolean =>
    transformation.kind === 'part' && transformation.at === at;
  const open = all.find((one) => one.field === 'open' && isPart(one, -1));
  const close = all.find((one) => one.field === 'close' && isPart(one, 0));
  if (!open || !close) return [...all];
  const others = all.filter((one) => one !== open && one !== close);
  return [
    { ...open, scope: {}, transformation: { kind: 'column', column: 'close' } },
    { ...close, scope: {}, transformation: { kind: 'column', column: 'open' } },
    ...others,
  ];
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

/**
 * Returns whether latest candles of neighboring intervals agree once a factor is undone in one of them: those that began together
 * are equal, and else the longer one holds the shorter.
 */
function setsRight({ field, scope, transformation }: WrongField, broken: readonly Broken[]): boolean {
  if (transformation.kind !== 'factor' || scope.inverted !== undefined) return false;
  const { factor } = transformation;
  const pairs = broken
    .filter((one) => one.rule === intervalsAgreeRule && one.field === field)
    .flatMap(({ breaches }) => breaches.map(({ candles = [] }) => candles));
  return (
    pairs.length > 0 &&
    pairs.every(([shorter, longer]) => {
      if (!shorter || !longer) return false;
      const [less, more] = [shorter, longer].map(
        (candle) => readField(candle, field) / (candle.reading.length === scope.length ? factor : 1),
      ) as [number, number];
      return shorter.start === longer.start ? Math.abs(less / more - 1) <= arithmetic : less <= more;
    })
  );
}

type SameFormula = readonly [FormulaField, ...FormulaField[]];

/** Groups fields of one part that hold what is worded alike. */
function groupFormulas(all: readonly FormulaField[]): SameFormula[] {
  const groups = Map.groupBy(all, ({ formula, scope }) => `${formula.words} ${JSON.stringify(scope)}`);
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []));
}

function describeFormula(
  all: SameFormula,
  broken: readonly Broken[],
  { spec, answers }: Evidence,
): Explanation {
  const [{ formula, scope, isOfLatest, rows }] = all;
  const { length, inverted } = scope;
  const change: PartChange = { fields: all.map(({ field }) => field), scope, isOfLatest };
  const candle = answers.find(({ candles }) => candles.length > 0)?.candles[0];
  const fields = change.fields.map((field) => (candle ? nameField(candle, field) : field));
  return {
    sentence: wordFormula(fields, scope, formula.words, spec),
    ...(length !== undefined && { interval: intervalName(spec.intervals, length) }),
    ...(inverted !== undefined && { inverted }),
    ...{ fields, where: '', findings: listFollowing(change, [change], broken.filter(mayShow(change))) },
    transformation: { kind: 'formula', value: formula.words },
    rows: { wrong: rows, of: rows },
  };
}

/**
 * Returns a test of whether a finding may come from wrong values of some fields. In a market without a pause every candle opens at
 * the close before: an open within low and high is not what puts them out of order.
 */
function mayShow({ fields }: PartChange): (finding: Broken) => boolean {
  const ends = fields.filter((field) => field === 'open' || field === 'close');
  return ({ rule, breaches }) =>
    ends.length < fields.length ||
    !priceOrderRules.includes(rule) ||
    breaches.every(({ candles: [candle] = [] }) => !candle || ends.some((field) => !isWithin(candle, field)));
}

type ExplainedChange = PartChange & { readonly wrong: Alike; readonly fields: readonly ComparedField[] };

function describe(
  { wrong: [first], scope, fields }: ExplainedChange,
  findings: readonly string[],
  comparisons: readonly PartComparison[],
  evidence: Evidence,
): Explanation {
  const { spec } = evidence;
  const { transformation, compared, of } = first;
  const { length, inverted } = scope;
  return {
    sentence: wordExplanation({ ...first, fields, candle: compared[0].candle }, spec),
    ...(length !== undefined && { interval: intervalName(spec.intervals, length) }),
    ...(inverted !== undefined && { inverted }),
    fields: fields.map((field) => nameField(compared[0].candle, field)),
    ...{ transformation, where: first.occasion, findings },
    rows: { wrong: compared.length, of },
    witnesses: gatherWitnesses(first, comparisons, evidence),
  };
}
