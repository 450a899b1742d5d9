import { poolName } from '@candleproof/document/spec/operation';
import type { Candle } from '../reading/candle.ts';
import type { HistoryAnswer } from '../reading/reading.ts';
import { median } from '../reading/statistics.ts';
import { changedShares } from '../reading/tolerances.ts';
import type { Evidence } from '../relations/evidence.ts';
import { candleAddress, rowPointer } from '../rules/breach.ts';
import type { ComparedCandle, MarketPart, PartComparison } from './comparisons.ts';
import { holdsPart, type WrongPart } from './scopes.ts';
import { nameField, nameInterval } from './words.ts';
import type { WrongField } from './wrong-fields.ts';

/** The parts of the data that speak for an explanation of values: how often each two agree, and wrong rows. */
export type Witnesses = {
  /** The field that all of it is about, as the document names it. */
  readonly field: string;
  /** Those of the wrong one's direction first, by length; an interval or a direction that makes no difference is left out. */
  readonly parts: readonly WitnessPart[];
  readonly links: readonly WitnessLink[];
  /** The wrong rows that came first, beside what the other parts show. */
  readonly rows: readonly WrongRow[];
};

export type WitnessPart = {
  readonly interval?: string;
  readonly inverted?: boolean;
  readonly candles: number;
  readonly isWrong: boolean;
};

/** A count of how often two parts agree, by their places among the parts; `factor` by which the former differs from the latter. */
export type WitnessLink = {
  readonly parts: readonly [number, number];
  readonly agreeing: number;
  readonly of: number;
  readonly factor?: number;
};

export type WrongRow = {
  readonly pool: string;
  /** Its address in reports; absent in runs of before it was kept. */
  readonly address?: string;
  /** Unix seconds. */
  readonly start: number;
  readonly end: number;
  readonly actual: number;
  readonly expected: number;
  /** Index of the exchange, and the row in its body. */
  readonly exchange: number;
  readonly pointer: string;
};

/** Most rows that are kept; there may be others. */
const mostRows = 60;

/** Gathers what speaks for a wrong field, from the comparisons by which it was found. */
export function gatherWitnesses(
  { field, scope, compared }: WrongField,
  comparisons: readonly PartComparison[],
  evidence: Evidence,
): Witnesses {
  const named = nameField(compared[0].candle, field);
  const direct = comparisons.filter((one) => one.relation !== 'whole' && isOfScope(scope, one));
  const links = new Map<string, { parts: [ShownPart, ShownPart]; all: ComparedCandle[] }>();
  for (const { one, other, compared: candles } of direct) {
    const parts: [ShownPart, ShownPart] = [showPart(scope, one), showPart(scope, other)];
    const known = links.get(JSON.stringify(parts));
    const shown = candles.filter(({ actual, expected }) => field in actual && field in expected);
    if (known) known.all.push(...shown);
    else links.set(JSON.stringify(parts), { parts, all: [...shown] });
  }
  const joined = [...links.values()].filter(({ all }) => all.length > 0);
  const parts = new Map(joined.flatMap((link) => link.parts).map((part) => [JSON.stringify(part), part]));
  const isOfOtherSide = ({ inverted }: ShownPart): boolean => inverted !== scope.inverted;
  const sorted = [...parts.values()].sort(
    (a, b) => Number(isOfOtherSide(a)) - Number(isOfOtherSide(b)) || (a.length ?? 0) - (b.length ?? 0),
  );
  const findPlace = (part: ShownPart): number =>
    sorted.findIndex((other) => other.length === part.length && other.inverted === part.inverted);
  return {
    field: named,
    parts: sorted.map((part) => ({
      ...(part.length !== undefined && { interval: nameInterval(evidence.spec, part.length) }),
      ...(part.inverted !== undefined && { inverted: part.inverted }),
      candles: countCandles(part, evidence),
      isWrong: isWrongPart(scope, part),
    })),
    links: joined.map(({ parts: [one, other], all }) => ({
      parts: [findPlace(one), findPlace(other)] as const,
      ...measureAgreement(field, all),
    })),
    rows: listRows({ field, compared }, evidence),
  };
}

/** A part of the data, without what makes no difference to a wrong one. */
type ShownPart = Partial<MarketPart>;

/** Returns whether a comparison says something of a scope: it lies in its direction, or crosses its border. */
function isOfScope({ length, inverted }: WrongPart, { relation, one, other }: PartComparison): boolean {
  if (relation === 'inverse')
    return inverted !== undefined && (length === undefined || length === one.length);
  if (length === undefined) return inverted === undefined;
  return inverted === undefined || (one.inverted === inverted && other.inverted === inverted);
}

/** Leaves out what makes no difference to a scope. */
function showPart(scope: WrongPart, { length, inverted }: MarketPart): ShownPart {
  const isOfAllIntervals = scope.length === undefined && scope.inverted !== undefined;
  return {
    ...(!isOfAllIntervals && { length }),
    ...(scope.inverted !== undefined && { inverted }),
  };
}

function isWrongPart(scope: WrongPart, { length = 0, inverted = false }: ShownPart): boolean {
  return holdsPart(scope, { length: scope.length === undefined ? 0 : length, inverted });
}

function countCandles(part: ShownPart, evidence: Evidence): number {
  return evidence
    .timelines()
    .filter((line) => part.length === undefined || part.length === line.length)
    .filter((line) => part.inverted === undefined || part.inverted === line.inverted)
    .reduce((total, { candles }) => total + candles.length, 0);
}

function measureAgreement(
  field: WrongField['field'],
  all: readonly ComparedCandle[],
): Omit<WitnessLink, 'parts'> {
  const differing = all.filter((one) => one.differing.has(field));
  const ratios = differing.map(({ actual, expected }) => (actual[field] ?? 0) / (expected[field] ?? 0));
  const factor = median(ratios);
  const isOne = ratios.every((ratio) => Math.abs(ratio / factor - 1) <= changedShares.factor);
  return {
    agreeing: all.length - differing.length,
    of: all.length,
    ...(ratios.length > 0 && isOne && Number.isFinite(factor) && { factor: Number(factor.toPrecision(6)) }),
  };
}

function listRows(
  { field, compared }: Pick<WrongField, 'field' | 'compared'>,
  evidence: Evidence,
): WrongRow[] {
  const first = compared
    .toSorted((a, b) => a.candle.start - b.candle.start || a.pool.localeCompare(b.pool))
    .slice(0, mostRows);
  const answers = findAnswers(new Set(first.map(({ candle }) => candle)), evidence);
  return first.flatMap(({ candle, actual, expected }) => {
    const answer = answers.get(candle);
    const [one, other] = [actual[field], expected[field]];
    if (!answer || one === undefined || other === undefined) return [];
    return [
      {
        pool: poolName(evidence.spec, answer.requested),
        address: candleAddress(answer.requested, candle.start),
        ...{ start: candle.start, end: candle.end, actual: one, expected: other },
        ...{ exchange: answer.index, pointer: rowPointer(answer, candle.row) },
      },
    ];
  });
}

function findAnswers(candles: ReadonlySet<Candle>, evidence: Evidence): ReadonlyMap<Candle, HistoryAnswer> {
  const found = new Map<Candle, HistoryAnswer>();
  for (const { answers } of evidence.timelines())
    for (const answer of answers)
      for (const candle of answer.candles) if (candles.has(candle)) found.set(candle, answer);
  return found;
}
