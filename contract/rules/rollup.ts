import { type Amount, amountText, type Candle, hasSoundAverage, hasSoundExtremes } from '../candle.ts';
import { compare, type Decimal, distance, formatDecimal, parseDecimal, sum } from '../decimal.ts';
import { tell } from '../describe.ts';
import type { Evidence } from '../evidence.ts';
import { closedWeekInEachInterval as needs } from '../needs.ts';
import { candleBreach, type Found, type Rule, type Sight } from '../rule.ts';
import { arithmetic } from '../tolerances.ts';
import { type Family, families, shareBoundaries } from './rollup-families.ts';
import { checkMeans } from './rollup-mean.ts';

/** A check of each closed candle against the shorter ones that make it up. */
function eachFamily(field: string, test: (family: Family) => Found | undefined): Rule['check'] {
  return function* check(evidence: Evidence): Generator<Sight> {
    for (const family of families(evidence)) {
      yield { judged: family.answer };
      const expected = test(family);
      if (expected === undefined) continue;
      const breach = candleBreach(family.answer, family.parent, field, expected);
      yield { breach: { ...breach, candles: [family.parent, ...family.children.slice(0, 24)] } };
    }
  };
}

/** The same stored number told twice; a double that was written and read again may differ in its last place. */
function isSamePrice(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.abs(b) || !Number.isFinite(a + b);
}

function samePrice(parent: number, child: number | undefined, words: string): string | undefined {
  return child === undefined || isSamePrice(parent, child) ? undefined : `${child}, ${words}`;
}

function amounts(candles: readonly Candle[], amount: Amount): Decimal[] | undefined {
  const parsed = candles.map((each) => parseDecimal(amountText(each, amount) ?? ''));
  return parsed.every((each) => each !== undefined) ? parsed : undefined;
}

/** Half a unit of the last decimal for each addend and the total, where amounts are told as fractions. */
function roundingOfSum(addends: readonly Decimal[], perAddend: bigint): Decimal {
  const scale = Math.max(...addends.map((each) => each.scale));
  return { units: perAddend * BigInt(addends.length + 1), scale: scale + 1 };
}

/** Integers add exactly; fractions are taken as rounded to the decimals seen. */
function expectedVolume({ parent, children }: Family): string | undefined {
  const parts = amounts(children, 'volume');
  const [whole] = amounts([parent], 'volume') ?? [];
  if (!parts || !whole) return undefined;
  const total = sum(parts);
  const slack = total.scale === 0 ? total.units * 0n : roundingOfSum([...parts, whole], 5n).units;
  const off = distance(whole, total);
  const isWithin = compare(off, { units: slack, scale: Math.max(total.scale, whole.scale) + 1 }) <= 0;
  return isWithin ? undefined : `${formatDecimal(total)}, the sum of its ${children.length} parts`;
}

/** A whole unit of the last decimal for each part: a server may cut instead of rounding. */
function expectedVolumeUsd({ parent, children }: Family): string | undefined {
  const parts = amounts(children, 'volumeUsd');
  const [whole] = amounts([parent], 'volumeUsd') ?? [];
  if (!parts || !whole) return undefined;
  const total = sum(parts);
  const slack = roundingOfSum([...parts, whole], 10n);
  return compare(distance(whole, total), slack) <= 0
    ? undefined
    : `${formatDecimal(total)} ± ${formatDecimal(slack)}, the sum of its ${children.length} parts`;
}

/** Point in time at the end: comparable where parent and last part end together. */
function expectedLiquidity({ parent, children }: Family): Found | undefined {
  const last = children.at(-1);
  if (!last || last.end !== parent.end) return undefined;
  const field = (['liquidity', 'liquidityUsd'] as const).find((each) => {
    const [one, other] = [amounts([parent], each)?.[0], amounts([last], each)?.[0]];
    return one && other && compare(one, other) !== 0;
  });
  return (
    field && {
      field,
      expected: `${amountText(last, field)}, as its last part`,
      actual: tell(parent.record[field]),
    }
  );
}

function expectedMeanBounds({ parent, children }: Family): string | undefined {
  if (![parent, ...children].every(hasSoundAverage) || shareBoundaries(children)) return undefined;
  const means = children.map((each) => each.avg);
  const [least, most] = [Math.min(...means), Math.max(...means)];
  const isWithin = parent.avg >= least * (1 - arithmetic) && parent.avg <= most * (1 + arithmetic);
  return isWithin ? undefined : `within [${least}, ${most}], the averages of its parts`;
}

export const rollupRules: readonly Rule[] = [
  {
    id: 'rollup/open-is-the-first',
    section: '2.2',
    level: 'must',
    statement: 'A candle opens where the first of the shorter candles in it opens.',
    why: 'Both name the same first observation.',
    needs,
    check: eachFamily('open', ({ parent, children }) =>
      samePrice(parent.open, children[0]?.open, 'where its first part opens'),
    ),
  },
  {
    id: 'rollup/close-is-the-last',
    section: '2.2',
    level: 'must',
    statement: 'A candle closes where the last of the shorter candles in it closes.',
    why: 'Both name the same last observation.',
    needs,
    check: eachFamily('close', ({ parent, children }) =>
      samePrice(parent.close, children.at(-1)?.close, 'where its last part closes'),
    ),
  },
  {
    id: 'rollup/high-is-the-highest',
    section: '2.2',
    level: 'must',
    statement: 'The high of a candle is the highest high of the shorter candles in it.',
    why: 'They divide the same observations among them.',
    needs,
    check: eachFamily('high', ({ parent, children }) =>
      [parent, ...children].every(hasSoundExtremes)
        ? samePrice(parent.high, Math.max(...children.map((each) => each.high)), 'the highest of its parts')
        : undefined,
    ),
  },
  {
    id: 'rollup/low-is-the-lowest',
    section: '2.2',
    level: 'must',
    statement: 'The low of a candle is the lowest low of the shorter candles in it.',
    why: 'They divide the same observations among them.',
    needs,
    check: eachFamily('low', ({ parent, children }) =>
      [parent, ...children].every(hasSoundExtremes)
        ? samePrice(parent.low, Math.min(...children.map((each) => each.low)), 'the lowest of its parts')
        : undefined,
    ),
  },
  {
    id: 'rollup/volume-is-summed',
    section: '2.2',
    level: 'must',
    statement: 'The volume of a candle is the exact sum of the shorter candles in it.',
    why: 'Volume is a sum over the interval: the parts must make up the whole.',
    needs,
    check: eachFamily('volume', expectedVolume),
  },
  {
    id: 'rollup/usd-volume-is-summed',
    section: '2.2',
    level: 'should',
    statement:
      'The volume in USD is the sum of the shorter candles in it, within the rounding of its decimals.',
    why: 'Dollars at the time of trade add up; volume re-priced at the end does not.',
    needs,
    check: eachFamily('volumeUsd', expectedVolumeUsd),
  },
  {
    id: 'rollup/liquidity-is-of-the-end',
    section: '2.2',
    level: 'must',
    statement: "A candle's liquidity is that of the last shorter candle in it.",
    why: 'Liquidity is told for the end stamp; both end together.',
    needs,
    check: eachFamily('liquidity', expectedLiquidity),
  },
  {
    id: 'rollup/average-is-within-its-parts',
    section: '2.2',
    level: 'must',
    statement:
      'The average of a candle lies between the least and the greatest average of the shorter candles in it.',
    why: 'A mean of all observations is a weighted mean of the parts.',
    needs,
    check: eachFamily('avg', expectedMeanBounds),
  },
  {
    id: 'rollup/average-is-the-mean',
    section: '2.2',
    level: 'should',
    statement:
      'The average of a candle is the mean of its shorter candles, as far as missing observations allow.',
    why: 'It shows averages made of something else, such as (open + high + low + close) / 4 or a price by volume.',
    needs,
    check: checkMeans,
  },
];
