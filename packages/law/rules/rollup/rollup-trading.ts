import type { Candle } from '../../reading/candle.ts';
import { toNumber } from '../../reading/decimal.ts';
import { maxBy, minBy } from '../../reading/statistics.ts';
import { arithmetic, measurePrecision, roundingShare } from '../../reading/tolerances.ts';
import type { Family } from '../../relations/families.ts';
import { readVwap, vwapPrecision } from '../candle/trading.ts';
import { closedWeekInEachInterval as needs } from '../needs.ts';
import type { Rule } from '../rule.ts';
import { expectedSum, readAmount } from './family-values.ts';
import { familyCheck } from './rollup.ts';

const noFaultReason = 'The document of the proof has no such field; APIs that have it are judged by it.';

type Part = { readonly vwap: number; readonly volume: number; readonly scale: number };

function readPart(candle: Candle): Part {
  const amount = readAmount(candle, 'volume');
  const volume = amount ? toNumber(amount) : Number.NaN;
  return { volume, scale: amount?.scale ?? 0, vwap: volume === 0 ? 0 : readVwap(candle) };
}

/** Returns the mean that the parts give, weighted by volumes in the base asset; undefined if the candle agrees. */
function expectedVwap({ parent, children, answer }: Family): string | undefined {
  const whole = readVwap(parent);
  const parts = children.map(readPart).filter(({ volume }) => volume !== 0);
  const total = sum(parts, ({ volume }) => volume);
  const mean = sum(parts, ({ vwap, volume }) => vwap * volume) / total;
  // A volume in the quote asset weighs the inverse prices.
  const inverse = total / sum(parts, ({ vwap, volume }) => volume / vwap);
  if (Number.isNaN(whole + mean)) return undefined;
  const vwaps = parts.map(({ vwap }) => vwap);
  const rounding = roundingShare(whole, vwapPrecision(answer)) + roundingShare(mean, measurePrecision(vwaps));
  const range = maxBy(vwaps, (vwap) => vwap) - minBy(vwaps, (vwap) => vwap);
  const decimals = maxBy(parts, ({ scale }) => scale);
  const slack = (arithmetic + rounding) * mean + (range * parts.length * 10 ** -decimals) / total;
  const isMet = [mean, inverse].some((value) => Math.abs(whole - value) <= slack);
  return isMet ? undefined : `${mean}, the mean of its ${children.length} parts by volume`;
}

function sum(parts: readonly Part[], pick: (part: Part) => number): number {
  return parts.reduce((total, part) => total + pick(part), 0);
}

const must = { section: '', level: 'must', needs, noFaultReason } as const;

export const tradingRollUpRules: readonly Rule[] = [
  {
    id: 'rollup/quote-volume-is-summed',
    ...must,
    consequence: 'amounts',
    uses: ['quote-volume'],
    statement: 'The volume in the quote asset is the sum of the shorter candles in it.',
    broken: 'Quote volumes are not the sum of their parts',
    why: 'A trade is worth its value when it happens, so the parts make up the whole.',
    exactly: 'quote-volume = Σ quote-volumeᵢ, with the rounding of rollup/volume-is-summed.',
    check: familyCheck('quote-volume', (family) => expectedSum(family, 'quote-volume')),
  },
  {
    id: 'rollup/trades-are-summed',
    ...must,
    consequence: 'amounts',
    uses: ['trades'],
    statement: 'The number of trades is the sum of the shorter candles in it.',
    broken: 'Numbers of trades are not the sum of their parts',
    why: 'A trade happens in one interval, so the parts make up the whole.',
    exactly: 'trades = Σ tradesᵢ.',
    check: familyCheck('trades', (family) => expectedSum(family, 'trades')),
  },
  {
    id: 'rollup/vwap-is-weighted',
    section: '',
    level: 'should',
    uses: ['vwap', 'volume'],
    statement:
      'The volume-weighted average price is the mean of the shorter candles in it, weighted by their volumes.',
    broken: 'Volume-weighted averages are not those of their parts',
    why: 'A plain mean of the parts gives a quiet hour the weight of a busy one.',
    exactly:
      'vwap = Σ vwapᵢ·volumeᵢ ÷ Σ volumeᵢ, or Σ volumeᵢ ÷ Σ (volumeᵢ ÷ vwapᵢ) where volumes are in the quote asset, within 10⁻⁹, the digits in which prices are reported, and the last decimal of each volume.',
    needs,
    noFaultReason,
    check: familyCheck('vwap', expectedVwap),
  },
];
