import type { CandleRole } from '@candleproof/document/spec/roles';
import type { Candle } from '../reading/candle.ts';
import type { Answer } from '../reading/reading.ts';
import type { Breach } from '../rules/breach.ts';
import { holdsPart, type WrongPart } from './scopes.ts';

/** A finding with all its breaches. */
export type Broken = {
  readonly fingerprint: string;
  readonly rule: string;
  readonly field: CandleRole | undefined;
  readonly breaches: readonly Breach[];
};

/** Fields of a part that were changed alike, and whether its latest candles were too. */
export type PartChange = {
  readonly fields: readonly CandleRole[];
  readonly scope: WrongPart;
  readonly isOfLatest: boolean;
};

/** Lists findings with a breach that follows from a change, and each other breach from this or another one. */
export function listFollowing(
  own: PartChange,
  changes: readonly PartChange[],
  broken: readonly Broken[],
): string[] {
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

/** Roles of which a change of one is seen in others. */
export const prices: readonly (CandleRole | undefined)[] = ['open', 'high', 'low', 'close', 'average'];

/** Returns whether a breach follows from wrong values of some fields in a part. */
function follows(
  breach: Broken['breaches'][number],
  { rule, field }: Broken,
  { fields, scope, isOfLatest }: PartChange,
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
  if (role !== (scope.isOfLatest ? 'latest' : 'history') && !(role === 'latest' && isOfLatest)) return false;
  if (holdsPart(scope, { length, inverted })) return true;
  const isWitness = !rule.startsWith('candle/') && candles.some((candle) => isOfLength(scope, candle));
  return isWitness && (scope.inverted === undefined || scope.inverted === inverted);
}

function isOfLength({ length }: WrongPart, { reading }: Candle): boolean {
  return length === undefined || reading.length === length;
}
