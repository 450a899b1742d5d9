import type { Candle } from '../reading/candle.ts';
import { agreeingShare } from '../reading/tolerances.ts';
import type { ComparedCandle, ComparedField, MarketPart, PartComparison } from './comparisons.ts';

/** A part of the data that may be wrong: an interval or all of them, one direction or both, or latest candles alone. */
export type WrongPart = {
  readonly length?: number;
  readonly inverted?: boolean;
  readonly isOfLatest?: true;
};

/** Returns whether a part lies in a scope. */
export function holdsPart({ length, inverted }: WrongPart, part: MarketPart): boolean {
  return (
    (length === undefined || length === part.length) && (inverted === undefined || inverted === part.inverted)
  );
}

/**
 * Finds the parts that may be wrong in one field: each difference has an end in such a part, as few as can be of its
 * intervals and sides agree with all others, and as few of its wrong candles with another part. If several remain, nothing
 * shows which of them is wrong.
 */
export function findWrong(field: ComparedField, comparisons: readonly PartComparison[]): WrongPart[] {
  const differing = comparisons.filter((comparison) => differs(field, comparison));
  if (differing.length === 0) return [];
  const parts = comparisons.flatMap(({ one, other }) => [one, other]);
  const found = listScopes(parts)
    .filter((scope) => differing.every(({ one, other }) => holdsPart(scope, one) || holdsPart(scope, other)))
    .map((scope) => ({
      scope,
      against: countAgreeing(scope, field, comparisons),
      words:
        Object.keys(scope).length +
        innocence * countInnocent(scope, field, comparisons) +
        (isDivided(scope, differing) ? discord : 0),
    }));
  const least = Math.min(...found.map(({ against }) => against));
  const left = found.filter(({ against }) => against === least);
  const fewest = Math.min(...left.map(({ words }) => words));
  const scopes = left.filter(({ words }) => words === fewest).map(({ scope }) => scope);
  // The document defines inverted prices by the plain ones.
  const turned = scopes.filter(({ inverted }) => inverted === true);
  return scopes.length === 2 && turned.length === 1 && isOtherSide(scopes) ? turned : scopes;
}

/**
 * Finds two parts that are wrong in one field where no single one explains all differences: with either set aside, the other
 * alone is wrong.
 */
export function findTwoWrong(
  field: ComparedField,
  comparisons: readonly PartComparison[],
): readonly (readonly [WrongPart, readonly PartComparison[]])[] {
  for (const scope of listScopes(comparisons.flatMap(({ one, other }) => [one, other]))) {
    const left = setAside(scope, comparisons);
    const [other, ...more] = findWrong(field, left);
    if (!other || more.length > 0) continue;
    const right = setAside(other, comparisons);
    const [same, ...others] = findWrong(field, right);
    if (same && others.length === 0 && isSamePart(same, scope))
      return [
        [scope, right],
        [other, left],
      ];
  }
  return [];
}

/** Returns the comparisons that leave a part out. */
function setAside(scope: WrongPart, comparisons: readonly PartComparison[]): PartComparison[] {
  return comparisons.filter(({ one, other }) => !holdsPart(scope, one) && !holdsPart(scope, other));
}

/** Returns whether two scopes hold the same parts. */
export function isSamePart(one: WrongPart, other: WrongPart): boolean {
  return one.length === other.length && one.inverted === other.inverted;
}

function differs(field: ComparedField, { compared }: PartComparison): boolean {
  return compared.some(({ differing }) => differing.has(field));
}

/** Returns whether two scopes are the two directions of the same intervals. */
function isOtherSide([one, other]: readonly WrongPart[]): boolean {
  return one?.length === other?.length && one?.inverted !== undefined && one.inverted !== other?.inverted;
}

/** Lists the comparisons of a part in a scope with one outside of it. */
export function listCrossing(scope: WrongPart, comparisons: readonly PartComparison[]): PartComparison[] {
  return comparisons.filter(({ one, other }) => holdsPart(scope, one) !== holdsPart(scope, other));
}

/** Words that a part which agrees with all others counts for in a scope, and parts of it that differ from each other. */
const innocence = 2;
const discord = 2;

function isDivided(scope: WrongPart, differing: readonly PartComparison[]): boolean {
  return differing.some(({ one, other }) => holdsPart(scope, one) && holdsPart(scope, other));
}

/** Counts the parts of a scope that agree with all parts outside of it; all of it if nothing is compared from there. */
function countInnocent(
  scope: WrongPart,
  field: ComparedField,
  comparisons: readonly PartComparison[],
): number {
  const crossing = listCrossing(scope, comparisons);
  const inside = Map.groupBy(crossing, ({ one, other }) => {
    const { length, inverted } = holdsPart(scope, one) ? one : other;
    return `${length} ${inverted}`;
  });
  const innocent = [...inside.values()].filter((all) => !all.some((one) => differs(field, one)));
  return innocent.length === inside.size ? Number.POSITIVE_INFINITY : innocent.length;
}

function listScopes(parts: readonly MarketPart[]): WrongPart[] {
  const lengths = [...new Set(parts.map(({ length }) => length))];
  const sides = [...new Set(parts.map(({ inverted }) => inverted))];
  return [
    ...lengths.map((length) => ({ length })),
    ...(sides.length > 1 ? [...sides.map((inverted) => ({ inverted }))] : []),
    ...lengths.flatMap((length) => sides.map((inverted) => ({ length, inverted }))),
  ];
}

const sums: readonly ComparedField[] = ['volume', 'volume-usd'];

/** Counts the wrong candles of a scope with which a part outside of it agrees. */
function countAgreeing(
  scope: WrongPart,
  field: ComparedField,
  comparisons: readonly PartComparison[],
): number {
  const crossing = listCrossing(scope, comparisons);
  const inScope = ({ one }: PartComparison, compared: ComparedCandle): readonly Candle[] =>
    holdsPart(scope, one) ? [compared.candle] : findTelling(field, compared);
  const wrong = new Set(
    crossing.flatMap((comparison) =>
      comparison.compared
        .filter(({ differing }) => differing.has(field))
        // A sum does not show which of its parts is wrong.
        .filter(() => holdsPart(scope, comparison.one) || !sums.includes(field))
        .flatMap((compared) => inScope(comparison, compared)),
    ),
  );
  const agreeing = crossing.flatMap((comparison) =>
    comparison.compared
      .filter((compared) => agrees(field, compared))
      .flatMap((compared) => inScope(comparison, compared))
      .filter((candle) => wrong.has(candle)),
  );
  return new Set(agreeing).size;
}

function agrees(field: ComparedField, { actual, expected }: ComparedCandle): boolean {
  const [one = Number.NaN, other = Number.NaN] = [actual[field], expected[field]];
  return Math.abs(one - other) <= agreeingShare * Math.abs(other);
}

/** Lists the witnesses on which a value rests. */
function findTelling(field: ComparedField, { witnesses }: ComparedCandle): readonly Candle[] {
  switch (field) {
    case 'open':
      return witnesses.slice(0, 1);
    case 'close':
    case 'liquidity':
    case 'liquidity-usd':
      return witnesses.slice(-1);
    case 'high':
    case 'low': {
      const most = Math.max(...witnesses.map(({ high }) => high));
      const least = Math.min(...witnesses.map(({ low }) => low));
      return witnesses.filter(({ high, low }) => (field === 'high' ? high === most : low === least));
    }
    default:
      return witnesses;
  }
}
