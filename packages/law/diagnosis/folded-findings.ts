import type { AppliedRule } from '../judge/apply-rule.ts';
import type { Candle } from '../reading/candle.ts';
import type { Answer } from '../reading/reading.ts';
import type { Breach } from '../rules/breach.ts';
import type { Defect } from '../rules/rule.ts';
import type { ShownDefect } from './defects.ts';

/** A broken rule with its findings. */
export type BrokenRule = {
  readonly applied: AppliedRule;
  readonly findings: ReadonlyMap<string, readonly Breach[]>;
};

export type RuleDefect = BrokenRule & { readonly shown: ShownDefect };

const keyRule = 'authentication/key-is-required';

/** Defects that leave no field of a row that can be compared. */
const spoilingDefects: readonly Defect[] = [
  ...(['other pool', 'other unit', 'exchanged', 'wrong length', 'misplaced'] as const),
  ...(['out of range', 'copied', 'repeated', 'stale', 'worthless', 'made up'] as const),
];

/** Answers and rows that a defect leaves wrong, and what may be compared with them. */
type Reach = {
  /** Answers cannot be used as a whole. */
  readonly isWhole: boolean;
  /** Operations answer without a key. */
  readonly isOpen: boolean;
  readonly answers: ReadonlySet<Answer>;
  readonly operations: ReadonlySet<string | undefined>;
  readonly candles: ReadonlySet<Candle>;
};

/** Lists the findings of other rules that follow from the defect that a rule shows; `isWhole`: its answers cannot be used. */
export function foldFindings(
  { shown, applied }: RuleDefect,
  others: readonly BrokenRule[],
  isWhole: boolean,
): string[] {
  const answers = new Set(shown.breaches.map(({ answer }) => answer));
  const reach = {
    isWhole,
    isOpen: applied.rule.id === keyRule,
    answers,
    operations: new Set([...answers].map(({ requested }) => requested?.operation)),
    candles: isWhole ? listSpoilt(answers) : listBroken(shown),
  };
  return others.flatMap((other) => listFolded(shown, reach, other));
}

/**
 * Lists the findings of another rule that follow from a defect: each of their breaches lies in its answers where these cannot be
 * used, else in one of its rows, or was found by comparing with one.
 */
function listFolded(
  shown: ShownDefect,
  { isWhole, isOpen, answers, operations, candles }: Reach,
  other: BrokenRule,
): string[] {
  const all = [...other.findings];
  if (other.applied.rule.shows === 'missing' && shown.defect === 'missing' && shown.fields.length === 0)
    return all.flatMap(([name, breaches]) => (breaches.every((one) => isOfSeries(one, shown)) ? [name] : []));
  if (!isWhole && !spoilsRows(shown.defect) && other.applied.rule.shows !== shown.defect) return [];
  const follows = ({ answer, candles: compared = [] }: Breach): boolean =>
    (isWhole && answers.has(answer)) ||
    compared.some((candle) => candles.has(candle)) ||
    (isOpen && !answer.entitled && operations.has(answer.requested?.operation));
  const isOfFields = (breach: Breach): boolean =>
    shown.fields.length === 0 || spoilsRows(shown.defect) || isOfField(breach, shown);
  return all.flatMap(([name, breaches]) =>
    breaches.every((breach) => follows(breach) && isOfFields(breach)) ? [name] : [],
  );
}

/** Candles of spoilt answers that are looked at; beyond them an answer alone counts. */
const mostCandles = 50_000;

function listSpoilt(spoilt: ReadonlySet<Answer>): ReadonlySet<Candle> {
  const answers = [...spoilt];
  const total = answers.reduce((sum, { candles }) => sum + candles.length, 0);
  return new Set(total > mostCandles ? [] : answers.flatMap((answer): readonly Candle[] => answer.candles));
}

function listBroken({ breaches }: ShownDefect): ReadonlySet<Candle> {
  return new Set(breaches.flatMap(({ candles: [first] = [] }) => first ?? []));
}

/** Returns whether rows are missing from a series of a pool and interval of which a defect shows missing ones. */
function isOfSeries({ answer, pointer }: Breach, { breaches }: ShownDefect): boolean {
  const name = ({ requested }: Answer): string => `${requested?.pool} ${requested?.length}`;
  return pointer === '' && breaches.some((breach) => name(breach.answer) === name(answer));
}

function spoilsRows(defect: Defect): boolean {
  return spoilingDefects.includes(defect);
}

function isOfField({ pointer }: Breach, { fields }: ShownDefect): boolean {
  return fields.some((name) => pointer.endsWith(`/${name}`) || pointer === `header:${name}`);
}
