import { oncePer } from '../reading/once.ts';
import {
  type ComparedCandle,
  type ComparedField,
  comparedFields,
  type PartComparison,
  turnRound,
} from './comparisons.ts';
import { findCommonTransformation, findTransformation, minFittingShare } from './find-transformation.ts';
import { describeOccasion } from './occasions.ts';
import { findTwoWrong, findWrong, holdsPart, isSamePart, listCrossing, type WrongPart } from './scopes.ts';
import { fits, type Transformation, type ValueSample } from './transformations.ts';

/** A field that is wrong in a part, and what was done to it. */
export type WrongField = {
  readonly field: ComparedField;
  readonly scope: WrongPart;
  readonly transformation: Transformation;
  readonly occasion: string;
  readonly relation: PartComparison['relation'];
  readonly compared: readonly [ComparedCandle, ...ComparedCandle[]];
  readonly of: number;
};

/** Finds the fields that are wrong in a part, with what was done to them; leaves out parts of which most stays unexplained. */
export function findWrongFields(comparisons: readonly PartComparison[]): WrongField[] {
  const wrong = comparedFields.flatMap((field) => findWrongField(field, comparisons));
  return keepExplained(wrong, comparisons);
}

/** Returns what is wrong with a field, if one part alone may be, or else if what was done shows which of them is. */
function findWrongField(field: ComparedField, comparisons: readonly PartComparison[]): WrongField[] {
  const scopes = findWrong(field, comparisons);
  if (scopes.length === 0) {
    const two = findTwoWrong(field, comparisons).flatMap(([scope, others]) =>
      transform(field, scope, others),
    );
    return two.length > 0 ? two : transformAll(field, comparisons);
  }
  const found = scopes.flatMap((scope) => transform(field, scope, comparisons));
  if (found.length === 0) return transformAll(field, comparisons);
  const telling = scopes.length > 1 ? found.filter(({ transformation }) => isTelling(transformation)) : found;
  return telling.length === 1 ? telling : [];
}

/** Returns whether values show by themselves that they were changed: both of two values that differ by a factor may be right. */
function isTelling({ kind }: Transformation): boolean {
  return !['factor', 'without part', 'part before too', 'part after too', 'product'].includes(kind);
}

/** Returns what was done to a field in every part: each longer candle differs from its parts in the same way. */
function transformAll(field: ComparedField, comparisons: readonly PartComparison[]): WrongField[] {
  const samples = comparisons
    .filter(({ relation }) => relation === 'parts')
    .flatMap((comparison) => listSamples(comparison, field));
  const wrong = samples.filter(({ compared }) => compared.differing.has(field));
  const transformation = findCommonTransformation(
    field,
    wrong.map(({ sample }) => sample),
  );
  const [first, ...others] = wrong.map(({ compared }) => compared);
  if (!transformation || !first || wrong.length < minFittingShare * samples.length) return [];
  // The last part of a total since the beginning is the whole.
  const isTotal = field.startsWith('volume') && transformation.kind === 'part' && transformation.at === -1;
  return [
    {
      ...{ field, scope: {}, transformation: isTotal ? { kind: 'running total' } : transformation },
      ...{ occasion: '', relation: 'parts', compared: [first, ...others], of: wrong.length },
    },
  ];
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
  const rows = wrong.map(({ compared }) => compared);
  const [first, ...others] = rows;
  const occasion = describeOccasion({ wrong: rows, sound: sound.map(({ compared }) => compared) });
  if (!first || occasion === undefined) return [];
  const { relation } = direct;
  const compared = [first, ...others] as const;
  return [{ field, scope, transformation, occasion, relation, compared, of: wrong.length + sound.length }];
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

/** Lists the comparisons of a scope with the parts outside of it, of which longer candles show least. */
function findDirect(scope: WrongPart, comparisons: readonly PartComparison[]): PartComparison[] {
  const crossing = listCrossing(scope, comparisons);
  const direct = crossing.filter(({ one }) => holdsPart(scope, one));
  if (direct.length > 0) return direct;
  return crossing.filter(({ relation }) => relation === 'parts').map(turnRound);
}

function countWrong({ compared }: PartComparison, field: ComparedField): number {
  return compared.filter(({ differing }) => differing.has(field)).length;
}

/** A compared candle with what is known of it and around it, whatever the field. */
type Surrounded = {
  readonly compared: ComparedCandle;
  readonly around: Omit<ValueSample, 'actual' | 'expected'>;
};

const surround = oncePer(({ compared, relation, one }: PartComparison): readonly Surrounded[] => {
  const name = (pool: string, start: number): string => `${pool} ${start}`;
  const byStart = new Map(compared.map((each) => [name(each.pool, each.candle.start), each]));
  const atSameTime = Map.groupBy(compared, ({ candle }) => candle.start);
  return compared.map((each) => {
    const { pool, candle, actual: own, expected: row, shown } = each;
    const [before, after] = [-one.length, one.length].map((by) => byStart.get(name(pool, candle.start + by)));
    const others = (atSameTime.get(candle.start) ?? []).filter((other) => other.pool !== pool);
    const ofOthers = others.map(({ actual }) => actual);
    const around = { own, row, before: before?.expected, after: after?.expected, ofOthers };
    if (relation === 'inverse') return { compared: each, around: { ...around, plain: shown[0], parts: [] } };
    if (relation === 'whole') return { compared: each, around: { ...around, parts: [] } };
    const parts = { parts: shown, partBefore: before?.shown.at(-1), partAfter: after?.shown[0] };
    return { compared: each, around: { ...around, ...parts } };
  });
});

/** Lists the samples of a field, as far as the candle and its witnesses show it. */
export function listSamples(
  comparison: PartComparison,
  field: ComparedField,
): { readonly compared: ComparedCandle; readonly sample: ValueSample }[] {
  return surround(comparison).flatMap(({ compared, around }) => {
    const [actual, expected] = [compared.actual[field], compared.expected[field]];
    if (actual === undefined || expected === undefined) return [];
    return [{ compared, sample: { ...around, actual, expected } }];
  });
}
