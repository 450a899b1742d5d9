import type { CandleRole } from '@candleproof/document/spec/roles';
import type { Candle } from '../reading/candle.ts';
import { type Answer, isCandleAnswer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import { minFittingShare } from './find-transformation.ts';
import { type Formula, type FormulaRow, formulas, holdsFormula, prices, readField } from './formulas.ts';
import { holdsPart, type WrongPart } from './scopes.ts';

/** The rows of one interval, in seconds, and one direction, of all pools, histories and latest candles. */
type PartRows = {
  readonly length: number;
  readonly inverted: boolean;
  readonly isOfLatest: boolean;
  readonly rows: readonly FormulaRow[];
};

/** A field that holds, in a part of the data, what a formula gives. */
export type FormulaField = {
  readonly field: CandleRole;
  readonly formula: Formula;
  /** Parts in which it holds, as few scopes as can be; one without interval and direction for all. */
  readonly scope: WrongPart;
  readonly isOfLatest: boolean;
  readonly rows: number;
};

/** Fewer rows show no formula. */
const fewestRows = 2;

/** The least share of the rows of a part whose values differ. */
const leastDifferent = 0.5;

/** Rows of a part that are read. */
const mostRows = 2000;

/** Finds fields that hold something else in the place of their value, as each row shows by itself. */
export function findFormulas(fields: ReadonlySet<CandleRole>, evidence: Evidence): FormulaField[] {
  if (fields.size === 0) return [];
  const parts = listParts(evidence);
  const hasPrice = prices.some((price) => fields.has(price));
  return [...new Set([...fields, ...(hasPrice ? prices : [])])].flatMap((field) => {
    const tried = formulas.filter((formula) => formula.fields.includes(field));
    const found = tried.flatMap((formula) => findScope(formula, field, parts));
    return found.slice(0, 1);
  });
}

/** Returns the part in which a formula holds, if it can be put in one scope: a part of histories, or latest candles alone. */
function findScope(formula: Formula, field: CandleRole, parts: readonly PartRows[]): FormulaField[] {
  const tried = parts.flatMap((part): TriedPart[] => {
    const shown = part.rows.flatMap((row) => holdsFormula(formula, field, row) ?? []);
    // A value that hardly changes equals many others.
    const different = new Set(part.rows.map(({ candle }) => readField(candle, field))).size;
    if (shown.length === 0 || (different < leastDifferent * part.rows.length && part.rows.length > 1))
      return [];
    return [{ part, rows: shown.length, holding: shown.filter(Boolean).length }];
  });
  const latest = tried.filter(({ part }) => part.isOfLatest && !formula.isOfParts);
  const isOfLatest = (scope: WrongPart): boolean => {
    const inScope = latest.filter(({ part }) => holdsPart(scope, part));
    return inScope.length > 0 && inScope.every(({ rows, holding }) => rows === holding);
  };
  const shortest = Math.min(...parts.map(({ length }) => length));
  const histories = tried.filter(
    ({ part, rows }) =>
      !part.isOfLatest && rows >= fewestRows && !(formula.isOfParts && part.length === shortest),
  );
  const holding = histories.filter((one) => one.holding >= minFittingShare * one.rows);
  const scope = listScopes(formula, holding).find((one) =>
    histories.every((each) => holding.includes(each) === holdsPart(one, each.part)),
  );
  if (scope) return [{ field, formula, scope, rows: countRows(holding), isOfLatest: isOfLatest(scope) }];
  const scopeOfLatest: WrongPart = { ...(formula.isOfInverted && { inverted: true }), isOfLatest: true };
  if (holding.length > 0 || countRows(latest) < fewestLatest || !isOfLatest(scopeOfLatest)) return [];
  return [{ field, formula, scope: scopeOfLatest, rows: countRows(latest), isOfLatest: true }];
}

/** Fewer latest candles show no formula. */
const fewestLatest = 3;

/** A part whose rows a formula was tried on, and those of them that hold it. */
type TriedPart = { readonly part: PartRows; readonly rows: number; readonly holding: number };

function countRows(tried: readonly TriedPart[]): number {
  return tried.reduce((total, { rows }) => total + rows, 0);
}

/** Lists the scopes that parts may make up, the simplest first. */
function listScopes(formula: Formula, tried: readonly TriedPart[]): WrongPart[] {
  const lengths = [...new Set(tried.map(({ part }) => part.length))];
  const sides = [...new Set(tried.map(({ part }) => part.inverted))];
  const ofSide = sides.map((inverted) => ({ inverted }));
  if (tried.length === 0) return [];
  return [
    ...(formula.isOfInverted ? [] : [{}]),
    ...(sides.length === 1 ? ofSide : []),
    ...(lengths.length === 1 && !formula.isOfInverted ? lengths.map((length) => ({ length })) : []),
    ...(lengths.length === 1 && sides.length === 1
      ? lengths.flatMap((length) => ofSide.map((side) => ({ length, ...side })))
      : []),
  ];
}

/** Gathers the rows of all candle answers to proper requests by interval, direction and operation. */
function listParts(evidence: Evidence): PartRows[] {
  const plains = new Map(
    evidence
      .directionPairs()
      .flatMap(({ candles }) => candles.map(({ plain, inverted }) => [inverted, plain] as const)),
  );
  const answers = evidence.answers.filter(isCandleAnswer);
  const groups = Map.groupBy(
    answers,
    ({ requested: { length, inverted = false, role } }) => `${length} ${inverted} ${role}`,
  );
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const { length, inverted = false, role } = first.requested;
    const rows = all.flatMap((answer) => listRows(answer, length, plains)).slice(-mostRows);
    return [{ length, inverted, rows, isOfLatest: role === 'latest' }];
  });
}

function listRows({ candles }: Answer, length: number, plains: ReadonlyMap<Candle, Candle>): FormulaRow[] {
  const newest = candles.slice(-mostRows);
  const byStart = new Map(newest.map((candle) => [candle.start, candle]));
  return newest.map((candle) => ({
    candle,
    before: byStart.get(candle.start - length),
    after: byStart.get(candle.start + length),
    plain: plains.get(candle),
  }));
}
