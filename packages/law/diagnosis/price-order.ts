import type { AppliedRule } from '../judge/apply-rule.ts';
import { groupBreaches } from '../judge/findings.ts';
import { describeShared } from '../judge/pattern.ts';
import type { Candle } from '../reading/candle.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Candidate } from './explanation.ts';
import { minFittingShare } from './find-transformation.ts';
import { addPlace, begin, nameField } from './words.ts';

export const priceOrderRules: readonly string[] = ['candle/high-is-highest', 'candle/low-is-lowest'];

/** Fewer candles show no reason. */
const fewestCandles = 3;

/** Explains prices beyond high or low by the one field that is wrong in all of these candles, if there is one. */
export function explainPriceOrder(applied: readonly AppliedRule[], evidence: Evidence): Candidate[] {
  const broken = applied.filter(
    ({ rule, breaches }) => priceOrderRules.includes(rule.id) && breaches.length > 0,
  );
  const [first] = broken;
  const breaches = broken.flatMap((one) => one.breaches);
  const candles = [...new Set(breaches.flatMap((breach) => breach.candles?.slice(0, 1) ?? []))];
  const contradicted = new Set(applied.filter((one) => one.breaches.length > 0).map(({ rule }) => rule.id));
  const reason = candles.length < fewestCandles ? undefined : findReason(candles, contradicted);
  if (!first || !reason) return [];
  const [shown] = candles;
  const name = (field: PriceName): string => (shown ? nameField(shown, field) : field);
  const where = describeShared(first, breaches, evidence) ?? '';
  const findings = broken.flatMap((one) => [...groupBreaches(one).keys()]);
  const sentence = addPlace(begin(reason.word(name)), where);
  const { kind, fields } = reason;
  return [
    {
      sentence,
      fields: fields.map(name),
      where,
      transformation: { kind },
      findings,
      own: findings,
      rank: 0,
    },
  ];
}

type PriceName = 'open' | 'high' | 'low' | 'close';

type Reason = {
  readonly kind: 'exchanged' | 'left out' | 'outside';
  readonly fields: readonly PriceName[];
  readonly word: (name: (field: PriceName) => string) => string;
};

/** Returns why prices lie beyond high or low, if one reason holds for all candles. */
function findReason(candles: readonly Candle[], contradicted: ReadonlySet<string>): Reason | undefined {
  const holds = (test: (candle: Candle) => boolean): boolean =>
    candles.filter(test).length >= minFittingShare * candles.length;
  const isTurned = ({ open, high, low, close }: Candle): boolean =>
    high < low && high <= Math.min(open, close) && low >= Math.max(open, close);
  if (holds(isTurned))
    return {
      ...{ kind: 'exchanged', fields: ['high', 'low'] },
      word: (name) => `${name('high')} and ${name('low')} are exchanged`,
    };
  if (holds(({ open, high, close }) => high < Math.min(open, close)))
    return {
      ...{ kind: 'outside', fields: ['high'] },
      word: (name) => `${name('high')} lies below ${name('open')} and ${name('close')}`,
    };
  if (holds(({ open, low, close }) => low > Math.max(open, close)))
    return {
      ...{ kind: 'outside', fields: ['low'] },
      word: (name) => `${name('low')} lies above ${name('open')} and ${name('close')}`,
    };
  for (const field of ['open', 'close'] as const) {
    const other = field === 'open' ? 'close' : 'open';
    const isOdd = (candle: Candle): boolean =>
      candle[other] <= candle.high && candle[other] >= candle.low && !isWithin(candle, field);
    if (!holds(isOdd)) continue;
    const above = candles.some((candle) => candle[field] > candle.high);
    const below = candles.some((candle) => candle[field] < candle.low);
    // If shorter candles show another price too, it is not high or low that leaves it out.
    if (
      (above && below) ||
      contradicted.has(field === 'open' ? 'rollup/open-is-the-first' : 'rollup/close-is-the-last')
    )
      return {
        ...{ kind: 'outside', fields: [field] },
        word: (name) => `${name(field)} lies beyond high and low`,
      };
    const end = above ? 'high' : 'low';
    return {
      ...{ kind: 'left out', fields: [end] },
      word: (name) => `${name(end)} leaves the ${name(field)} out`,
    };
  }
  if (holds(({ open, high, low, close }) => low > Math.min(open, close) && high >= Math.max(open, close)))
    return {
      ...{ kind: 'outside', fields: ['low'] },
      word: (name) => `${name('low')} lies above ${name('open')} or ${name('close')}`,
    };
  if (holds(({ open, high, low, close }) => high < Math.max(open, close) && low <= Math.min(open, close)))
    return {
      ...{ kind: 'outside', fields: ['high'] },
      word: (name) => `${name('high')} lies below ${name('open')} or ${name('close')}`,
    };
  return undefined;
}

/** Returns whether a price lies within the low and high of its candle. */
export function isWithin(candle: Candle, field: 'open' | 'close'): boolean {
  return candle[field] <= candle.high && candle[field] >= candle.low;
}
