import type { CandleRole } from '@candleproof/document/spec/roles';
import { type Candle, hasSoundExtremes } from '../../reading/candle.ts';
import { oncePer } from '../../reading/once.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { measurePrecision, roundingShare } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { type Constant, widenTo } from '../../relations/inversion-constants.ts';
import { isInverted, isOpen, isSameSeries, marketKey } from '../../relations/series.ts';
import { candleBreach } from '../breach.ts';
import { allWeeks } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

type OpenCandle = { readonly answer: HistoryAnswer; readonly candle: Candle };

function findOpen(answer: HistoryAnswer): OpenCandle[] {
  const candle = answer.inTime.at(-1);
  return candle && isOpen(candle, answer) ? [{ answer, candle }] : [];
}

/** The open candle moves between two answers, but its open stays and its extremes only widen, so that no race remains. */
function* checkOpenPairs({ histories, constants, spec }: Evidence): Generator<CheckOutcome> {
  const open = histories.flatMap(findOpen);
  for (const inverted of open.filter(({ answer }) => isInverted(answer))) {
    const plain = open.find(
      ({ answer, candle }) =>
        !isInverted(answer) &&
        isSameSeries(answer, inverted.answer) &&
        candle.start === inverted.candle.start,
    );
    const constant = plain && constants().get(marketKey(spec, plain.answer));
    if (!plain || !constant) continue;
    yield { judged: inverted.answer };
    const found = findDifference(plain, inverted, boundsFor(constant, plain, inverted));
    if (!found) continue;
    const candles = [plain.candle, inverted.candle];
    yield { breach: candleBreach(inverted.answer, inverted.candle, ...found, candles) };
  }
}

/** Returns the bounds of the products of two open candles, whose prices are rounded. */
function boundsFor(constant: Constant, { answer, candle }: OpenCandle, inverted: OpenCandle): Constant {
  const returned =
    roundingShare(candle.close, pricePrecision(answer)) +
    roundingShare(inverted.candle.close, pricePrecision(inverted.answer));
  return widenTo(constant, returned || 0);
}

const pricePrecision = oncePer(({ candles }: HistoryAnswer) =>
  measurePrecision(
    candles.flatMap(({ open, high, low, close }) => [open, high, low, close]).filter(Number.isFinite),
  ),
);

/** Returns the first field of the inverted candle that cannot be the plain one's inverse. */
function findDifference(
  plain: OpenCandle,
  inverted: OpenCandle,
  { from, to }: Constant,
): [CandleRole, string] | undefined {
  const [one, other] = [plain.candle, inverted.candle];
  const opens = one.open * other.open;
  if (opens < from || opens > to) return ['open', `about ${from / one.open}, the inverse of ${one.open}`];
  if (!hasSoundExtremes(one) || !hasSoundExtremes(other)) return undefined;
  const [low, high] = [one.high * other.low, one.low * other.high];
  const isLater = inverted.answer.index > plain.answer.index;
  const [isLowOff, isHighOff] = isLater ? [low > to, high < from] : [low < from, high > to];
  const bound = (isLower: boolean): string => (isLower === isLater ? 'at most' : 'at least');
  if (isLowOff) return ['low', `${bound(true)} ${from / one.high}, the inverse of the high`];
  if (isHighOff) return ['high', `${bound(false)} ${from / one.low}, the inverse of the low`];
  return undefined;
}

export const openInversionRules: readonly Rule[] = [
  {
    id: 'inversion/open-candle-is-inverse',
    section: '4.2',
    level: 'must',
    uses: ['inverted'],
    statement: 'The open candle of a history is inverted like the closed ones before it.',
    broken: 'The open candle of inverted histories is not inverted',
    why: 'Displays show this candle, and different code often computes it.',
    exactly:
      'for open candles with the same S of a plain and an inverted history, K as of the closed ones: open·open′ = K; and as extremes only widen, high·low′ ≤ K ≤ low·high′ where the inverted one was requested later, the other way round where it was requested before.',
    restsOn: ['inverted', 'open', 'high', 'low'],
    needs: [allWeeks, { ...allWeeks, inverted: true }],
    check: checkOpenPairs,
  },
];
