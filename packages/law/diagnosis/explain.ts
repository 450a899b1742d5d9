import { intervalName } from '@candleproof/document/spec/interval';
import type { CandleRole } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from '../rules/breach.ts';
import { staysRule } from '../rules/history/overlap.ts';
import {
  type ComparedCandle,
  type ComparedField,
  comparedFields,
  compareSides,
  listComparisons,
  type PartComparison,
  readValues,
  turnRound,
} from './comparisons.ts';
import { describeOccasion } from './occasions.ts';
import { findTwoWrong, findWrong, holdsPart, isSamePart, type WrongPart } from './scopes.ts';
import { findTransformation, fits, type Transformation, type ValueSample } from './transformations.ts';
import { wordExplanation } from './words.ts';

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

/** A finding with all its breaches. */
export type Broken = {
  readonly fingerprint: string;
  readonly rule: string;
  readonly field: CandleRole | undefined;
  readonly breaches: readonly Pick<Breach, 'answer' | 'candles'>[];
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
  const comparisons = listComparisons(evidence);
  const changing = broken.flatMap(({ rule, field }) => (rule === staysRule ? [field] : []));
  const wrong = keepExplained(
    comparedFields.flatMap((field) => findWrongField(field, comparisons)),
    comparisons,
    // Between answers that change from one to the next, any two differ by some number.
  ).filter(
    ({ field, transformation }) =>
      transformation.kind !== 'factor' || !changing.some((other) => isLike(field, other)),
  );
  const alike = Map.groupBy(wrong, ({ scope, transformation, occasion }) =>
    JSON.stringify([scope, transformation.kind === 'column' ? 'column' : transformation, occasion]),
  );
  const groups = [...alike.values()].flatMap(splitColumns);
  const changes = groups.map((all) => toChange(all, evidence));
  return groups
    .flatMap((all) => describe(all, changes, evidence, ofOurs))
    .sort((a, b) => b.findings.length - a.findings.length);
}

/** Returns whether a field is another one, or both are prices: of those that change a breach names the first. */
function isLike(field: ComparedField, other: CandleRole | undefined): boolean {
  return field === other || (prices.includes(field) && prices.includes(other));
}

/** A field that is wrong in a part, and what was done to it. */
type WrongField = {
  readonly field: ComparedField;
  readonly scope: WrongPart;
  readonly transformation: Transformation;
  readonly occasion: string;
  readonly relation: PartComparison['relation'];
  readonly compared: readonly ComparedCandle[];
  readonly of: number;
};

/** Returns what is wrong with a field, if one part alone may be, or else if what was done shows which of them is. */
function findWrongField(field: ComparedField, comparisons: readonly PartComparison[]): WrongField[] {
  const scopes = findWrong(field, comparisons);
  if (scopes.length === 0)
    return findTwoWrong(field, comparisons).flatMap(([scope, others]) => transform(field, scope, others));
  const found = scopes.flatMap((scope) => transform(field, scope, comparisons));
  const telling = scopes.length > 1 ? found.filter(({ transformation }) => isTelling(transformation)) : found;
  return telling.length === 1 ? telling : [];
}

/** Returns whether values show by themselves that they were changed: both of two values that differ by a factor may be right. */
function isTelling({ kind }: Transformation): boolean {
  return !['factor', 'without part', 'part before too', 'product'].includes(kind);
}

function transform(
  field: ComparedField,
  scope: WrongPart,
  comparisons: readonly PartComparison[],
): WrongField[] {
  const [direct] = findDirect(scope, comparisons).toSorted(
    (a, b) => countWrong(b, field) - countWrong(a, field),
  );
  if (!direct || countWrong(direct, field) === 0) return [];
  const samples = listSamples(direct, field);
  const wrong = samples.filter(({ compared }) => compared.differing.has(field));
  const transformation = findTransformation(
    field,
    wrong.map(({ sample }) => sample),
  );
  // Longer candles show no other change of their parts.
  if (!transformation || (direct.relation === 'whole' && transformation.kind !== 'factor')) return [];
  const sound = samples.filter(
    ({ compared, sample }) => !compared.differing.has(field) && !fits(transformation, field, sample),
  );
  const occasion = describeOccasion({
    wrong: wrong.map(({ compared }) => compared),
    sound: sound.map(({ compared }) => compared),
  });
  if (occasion === undefined) return [];
  return [
    {
      ...{ field, scope, transformation, occasion, of: wrong.length + sound.length },
      relation: direct.relation,
      compared: wrong.map(({ compared }) => compared),
    },
  ];
}

/** Leaves out the fields of a part of which most that are wrong have no explanation: they are symptoms of something else. */
function keepExplained(wrong: readonly WrongField[], comparisons: readonly PartComparison[]): WrongField[] {
  return wrong.filter(({ scope }) => {
    const direct = findDirect(scope, comparisons);
    const all = comparedFields.filter((field) => direct.some((one) => countWrong(one, field) > 0));
    const same = wrong.filter((other) => isSamePart(other.scope, scope));
    // High and low follow where open or close was changed.
    const hasEnd = same.some(({ field }) => field === 'open' || field === 'close');
    const isLeft = (field: ComparedField): boolean =>
      !wrong.some((other) => other.field === field) && !(hasEnd && (field === 'high' || field === 'low'));
    return same.length > all.filter(isLeft).length;
  });
}

/** Lists the comparisons of parts in a scope with those outside of it, of which longer candles show least. */
function findDirect(scope: WrongPart, comparisons: readonly PartComparison[]): PartComparison[] {
  const direct = comparisons.filter(({ one, other }) => holdsPart(scope, one) && !holdsPart(scope, other));
  if (direct.length > 0) return direct;
  return comparisons
    .filter(
      ({ one, other, relation }) => relation === 'parts' && holdsPart(scope, other) && !holdsPart(scope, one),
    )
    .map(turnRound);
}

function countWrong({ compared }: PartComparison, field: ComparedField): number {
  return compared.filter(({ differing }) => differing.has(field)).length;
}

function listSamples(
  { compared, relation, one }: PartComparison,
  field: ComparedField,
): { readonly compared: ComparedCandle; readonly sample: ValueSample }[] {
  const places = new Map(compared.map((one) => [placeOf(one.pool, one.candle.start), one.expected]));
  const parts = new Map(compared.map((one) => [placeOf(one.pool, one.candle.start), one.witnesses]));
  const atSameTime = Map.groupBy(compared, ({ candle }) => candle.start);
  return compared.flatMap((each) => {
    const { pool, candle, actual, expected, witnesses } = each;
    const [value, due] = [actual[field], expected[field]];
    if (value === undefined || due === undefined) return [];
    const [plain] = relation === 'inverse' ? witnesses : [];
    const ofParts = (start: number): readonly Candle[] =>
      relation === 'parts' ? (parts.get(placeOf(pool, start)) ?? []) : [];
    const last = ofParts(candle.start - one.length).at(-1);
    const [next] = ofParts(candle.start + one.length);
    const sample: ValueSample = {
      actual: value,
      expected: due,
      row: expected,
      before: places.get(placeOf(pool, candle.start - one.length)),
      after: places.get(placeOf(pool, candle.start + one.length)),
      plain: plain && readValues(plain),
      own: actual,
      parts: relation === 'parts' ? witnesses.map(readValues) : [],
      partBefore: last && readValues(last),
      partAfter: next && readValues(next),
      ofOthers: (atSameTime.get(candle.start) ?? []).flatMap((other) =>
        other.pool === pool ? [] : [other.actual],
      ),
    };
    return [{ compared: each, sample }];
  });
}

function placeOf(pool: string, start: number): string {
  return `${pool} ${start}`;
}

/** Keeps together fields that have the same column, or that have each other's place. */
function splitColumns(all: readonly WrongField[]): WrongField[][] {
  const rest = [...all];
  const found: WrongField[][] = [];
  for (let first = rest.shift(); first; first = rest.shift()) {
    const one = first;
    const together = rest.filter((other) => isTogether(one, other));
    for (const other of together) rest.splice(rest.indexOf(other), 1);
    found.push([one, ...together]);
  }
  return found;
}

function isTogether(one: WrongField, other: WrongField): boolean {
  const [a, b] = [one.transformation, other.transformation];
  if (a.kind !== 'column' || b.kind !== 'column') return a.kind === b.kind;
  return a.column === b.column || (a.column === other.field && b.column === one.field);
}

/** Returns whether the same was done to the latest candles of a part as to its histories. */
function holdsForLatest({ field, scope, transformation }: WrongField, evidence: Evidence): boolean {
  const ofPart = [...compareSides(evidence, 'latest')].filter(({ one }) => holdsPart(scope, one));
  const samples = ofPart.flatMap((comparison) => listSamples(comparison, field));
  return samples.length > 0 && samples.every(({ sample }) => fits(transformation, field, sample));
}

/** Fields of a part that were changed alike. */
type Change = {
  readonly fields: readonly ComparedField[];
  readonly scope: WrongPart;
  readonly isOfLatest: boolean;
};

function describe(
  all: readonly WrongField[],
  changes: readonly Change[],
  evidence: Evidence,
  broken: readonly Broken[],
): Explanation[] {
  const [first] = all;
  const candle = first?.compared[0]?.candle;
  if (!first || !candle) return [];
  const { scope, transformation, occasion, relation } = first;
  const own = toChange(all, evidence);
  const findings = listFollowing(own, changes, broken);
  if (findings.length === 0) return [];
  const { length, inverted } = scope;
  const { fields } = own;
  return [
    {
      sentence: wordExplanation({ fields, scope, transformation, occasion, candle, relation }, evidence.spec),
      ...(length !== undefined && { interval: intervalName(evidence.spec.intervals, length) }),
      ...(inverted !== undefined && { inverted }),
      ...{ fields, transformation, findings },
      rows: { wrong: first.compared.length, of: first.of },
    },
  ];
}

function toChange(all: readonly WrongField[], evidence: Evidence): Change {
  return {
    fields: all.map(({ field }) => field),
    scope: all[0]?.scope ?? {},
    isOfLatest: all.every((one) => holdsForLatest(one, evidence)),
  };
}

/** Lists findings with a breach that follows from a change, and each other breach from this or another one. */
function listFollowing(own: Change, changes: readonly Change[], broken: readonly Broken[]): string[] {
  const following = broken.filter((one) => {
    const isOwn = one.breaches.some((breach) => follows(breach, one, own));
    return isOwn && one.breaches.every((breach) => changes.some((change) => follows(breach, one, change)));
  });
  const isInPart = ({ breaches }: Broken): boolean =>
    breaches.some(({ answer }) => isOfPart(own.scope, answer));
  return [...following.filter(isInPart), ...following.filter((one) => !isInPart(one))].map(
    ({ fingerprint }) => fingerprint,
  );
}

const prices: readonly (CandleRole | undefined)[] = ['open', 'high', 'low', 'close', 'average'];

/** Returns whether a breach follows from wrong values of some fields in a part. */
function follows(
  breach: Broken['breaches'][number],
  { rule, field }: Broken,
  { fields, scope, isOfLatest }: Change,
): boolean {
  const isPrice = prices.includes(field) && !(rule.startsWith('rollup/') && field !== 'average');
  const isField =
    fields.some((one) => one === field) || (isPrice && fields.some((one) => prices.includes(one)));
  return isField && concernsPart(scope, breach, rule, isOfLatest);
}

/** Returns whether an answer holds candles of a part. */
function isOfPart(scope: WrongPart, { requested }: Answer): boolean {
  const { length, inverted = false } = requested ?? {};
  return length !== undefined && holdsPart(scope, { length, inverted });
}

/** Returns whether a breach lies in a part, or names candles of it that its answer was compared with. */
function concernsPart(
  scope: WrongPart,
  { answer: { requested }, candles = [] }: Pick<Breach, 'answer' | 'candles'>,
  rule: string,
  isOfLatest: boolean,
): boolean {
  const { length = Number.NaN, inverted = false, role } = requested ?? {};
  if (role !== 'history' && !(role === 'latest' && isOfLatest)) return false;
  if (holdsPart(scope, { length, inverted })) return true;
  const isWitness = !rule.startsWith('candle/') && candles.some((candle) => isOfLength(scope, candle));
  return isWitness && (scope.inverted === undefined || scope.inverted === inverted);
}

function isOfLength({ length }: WrongPart, { reading }: Candle): boolean {
  return length === undefined || reading.length === length;
}

/** Returns whether an answer holds candles of the part that an explanation names. */
export function concerns(
  { interval, inverted }: Explanation,
  { requested }: Answer,
  { intervals }: Spec,
): boolean {
  const { length, inverted: isTurned = false } = requested ?? {};
  if (length === undefined) return false;
  return (
    (interval === undefined || interval === intervalName(intervals, length)) &&
    (inverted === undefined || inverted === isTurned)
  );
}
