import type { CandleRole } from '../../document/roles.ts';
import type { Candle } from '../../reading/candle.ts';
import { largestOf, smallestOf } from '../../reading/largest.ts';
import { arithmetic } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Family } from '../../relations/families.ts';
import {
  closedWeekInEachInterval as needs,
  recentFiveMinutes,
  recentHoursOfEachPool,
  recentWeeks,
  weekDaysInverted,
} from '../needs.ts';
import { candleBreach, type FoundValues, type Rule, type Sight } from '../rule.ts';
import { expectedLiquidity, expectedVolume, expectedVolumeUsd } from './rollup-amounts.ts';
import { checkMeans } from './rollup-mean.ts';
import { checkOpen } from './rollup-open.ts';
import { checkOpenAverage } from './rollup-open-average.ts';
import { checkPresence } from './rollup-presence.ts';

/** A check of each closed candle against the shorter ones that make it up. */
function eachFamily(field: CandleRole, test: (family: Family) => FoundValues | undefined): Rule['check'] {
  return function* check({ families }: Evidence): Generator<Sight> {
    let judged: Family['answer'] | undefined;
    for (const family of families()) {
      if (family.answer !== judged) yield { judged: family.answer };
      judged = family.answer;
      const expected = test(family);
      if (expected === undefined) continue;
      const breach = candleBreach(family.answer, family.parent, field, expected);
      yield { breach: { ...breach, candles: [family.parent, ...family.children.slice(0, 24)] } };
    }
  };
}

/** The same stored number reported twice; a double that was written and read again may differ in its last place. */
function isSamePrice(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.abs(b) || !Number.isFinite(a + b);
}

function samePrice(parent: number, child: number | undefined, words: string): string | undefined {
  return child === undefined || isSamePrice(parent, child) ? undefined : `${child}, ${words}`;
}

/** Of all parts, or of those with trades alone where they differ. */
function extreme(
  { parent, children, traded, hasSoundExtremes }: Family,
  name: 'high' | 'low',
  most: (parts: readonly Candle[]) => number | undefined,
  words: string,
): string | undefined {
  if (!hasSoundExtremes) return undefined;
  const expected = samePrice(parent[name], most(children), words);
  const isOfTrades = traded !== children && samePrice(parent[name], most(traded), words) === undefined;
  return isOfTrades ? undefined : expected;
}

function expectedMeanBounds(family: Family): string | undefined {
  if (!family.hasSoundAverages || family.sharesBoundaries) return undefined;
  const { parent, children } = family;
  const most = largestOf(children, (each) => each.avg);
  const least = smallestOf(children, (each) => each.avg);
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
    check: eachFamily('open', ({ parent, children: [first], traded }) =>
      first === traded[0] ? samePrice(parent.open, first?.open, 'where its first part opens') : undefined,
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
    check: eachFamily('high', (family) =>
      extreme(family, 'high', (parts) => largestOf(parts, ({ high }) => high), 'the highest of its parts'),
    ),
  },
  {
    id: 'rollup/low-is-the-lowest',
    section: '2.2',
    level: 'must',
    statement: 'The low of a candle is the lowest low of the shorter candles in it.',
    why: 'They divide the same observations among them.',
    needs,
    check: eachFamily('low', (family) =>
      extreme(family, 'low', (parts) => smallestOf(parts, ({ low }) => low), 'the lowest of its parts'),
    ),
  },
  {
    id: 'rollup/volume-is-summed',
    section: '2.2',
    level: 'must',
    uses: ['volume'],
    statement: 'The volume of a candle is the exact sum of the shorter candles in it.',
    why: 'Volume is a sum over the interval: the parts must make up the whole.',
    needs,
    check: eachFamily('volume', expectedVolume),
  },
  {
    id: 'rollup/usd-volume-is-summed',
    section: '2.2',
    level: 'should',
    uses: ['volume-usd'],
    statement:
      'The volume in USD is the sum of the shorter candles in it, within the rounding of its decimals.',
    why: 'Dollars at the time of trade add up; volume re-priced at the end does not.',
    needs,
    check: eachFamily('volume-usd', expectedVolumeUsd),
  },
  {
    id: 'rollup/liquidity-is-of-the-end',
    section: '2.2',
    level: 'must',
    uses: ['liquidity'],
    statement: "A candle's liquidity is that of the last shorter candle in it.",
    why: 'Liquidity is reported for the end stamp; both end together.',
    needs,
    check: eachFamily('liquidity', expectedLiquidity),
  },
  {
    id: 'rollup/average-is-within-its-parts',
    section: '2.2',
    level: 'must',
    uses: ['average'],
    statement:
      'The average of a candle lies between the least and the greatest average of the shorter candles in it.',
    why: 'A mean of all observations is a weighted mean of the parts.',
    needs,
    check: eachFamily('average', expectedMeanBounds),
  },
  {
    id: 'rollup/average-is-the-mean',
    section: '2.2',
    level: 'should',
    uses: ['average'],
    statement:
      'The average of a candle is the mean of its shorter candles, as far as missing observations allow.',
    why: 'It shows averages made of something else, such as (open + high + low + close) / 4 or a price by volume.',
    needs: [...needs, weekDaysInverted],
    check: checkMeans,
  },
  {
    id: 'rollup/open-holds-its-parts',
    section: '2.2',
    level: 'must',
    statement: 'An open candle holds extremes and volume of the closed shorter candles in it.',
    why: 'What is over is part of what still runs, and the open candle is what displays show.',
    needs: [recentFiveMinutes, recentHoursOfEachPool, recentWeeks],
    check: checkOpen,
  },
  {
    id: 'rollup/open-average-keeps-its-past',
    section: '2.2',
    level: 'must',
    uses: ['average'],
    statement:
      'The average of an open candle moves no further than the minutes since the last look can carry it.',
    why: 'Where each part counts alike, a day that has just begun weighs as much as the whole day before.',
    needs: [recentFiveMinutes, recentHoursOfEachPool, recentWeeks],
    check: checkOpenAverage,
  },
  {
    id: 'rollup/parents-and-parts',
    section: '2.2',
    level: 'should',
    statement: 'From the first day of a pool on, a candle exists exactly where a shorter one in it does.',
    why: 'A chart that begins later in one interval than in another hides the first prices.',
    needs,
    check: checkPresence,
  },
];
