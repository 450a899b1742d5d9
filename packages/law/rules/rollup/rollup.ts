import type { CandleRole } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Evidence } from '../../relations/evidence.ts';
import type { Family } from '../../relations/families.ts';
import { candleBreach, type FoundValues } from '../breach.ts';
import {
  allWeeks,
  closedWeekInEachInterval,
  firstDays,
  hoursOfLongAgo,
  recentDays,
  recentFiveMinutes,
  recentHoursOfEachPool,
} from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import {
  expectedClose,
  expectedHighest,
  expectedLiquidity,
  expectedLowest,
  expectedMeanBounds,
  expectedOpen,
  expectedVolume,
  expectedVolumeUsd,
} from './family-values.ts';
import { checkEveryMean } from './rollup-mean.ts';
import { checkOpen } from './rollup-open.ts';
import { checkOpenAverage } from './rollup-open-average.ts';
import { checkPresence } from './rollup-presence.ts';

/** Makes a check of every closed candle against the shorter ones that make it up. */
export function familyCheck(
  field: CandleRole,
  test: (family: Family, spec: Spec) => FoundValues | undefined,
): Rule['check'] {
  return function* check({ families, spec }: Evidence): Generator<CheckOutcome> {
    const all = families();
    if (all.length === 0) return;
    const judged = new Set(all.map(({ answer }) => answer));
    for (const answer of judged) yield { judged: answer };
    for (let at = 0; at < all.length; at++) {
      const family = all[at] as Family;
      const expected = test(family, spec);
      if (expected === undefined) continue;
      const { answer, parent, children } = family;
      yield { breach: candleBreach(answer, parent, field, expected, [parent, ...children.slice(0, 24)]) };
    }
  };
}

const needs = [
  ...closedWeekInEachInterval,
  recentFiveMinutes,
  recentHoursOfEachPool,
  recentDays,
  firstDays,
  ...hoursOfLongAgo,
];

const must = { section: '2.2', level: 'must', needs } as const;

export const rollUpRules: readonly Rule[] = [
  {
    id: 'rollup/open-is-the-first',
    ...must,
    statement: 'A candle opens where the first of the shorter candles in it opens.',
    broken: 'Candles do not open where their first part does',
    why: 'Both are the same first observation.',
    exactly:
      'open = open of the first child, within 10⁻¹². Children are the closed candles of the next shorter interval with S in [S, S + L) of the parent, and only families without a gap are judged.',
    restsOn: ['open'],
    check: familyCheck('open', expectedOpen),
  },
  {
    id: 'rollup/close-is-the-last',
    ...must,
    statement: 'A candle closes where the last of the shorter candles in it closes.',
    broken: 'Candles do not close where their last part does',
    why: 'Both are the same last observation.',
    exactly: 'close = close of the last child, within 10⁻¹².',
    restsOn: ['close'],
    check: familyCheck('close', expectedClose),
  },
  {
    id: 'rollup/high-is-the-highest',
    ...must,
    statement: 'The high of a candle is the highest high of the shorter candles in it.',
    broken: 'The high of candles is not the highest of their parts',
    why: 'Both cover the same observations.',
    exactly: 'high = max highᵢ, within 10⁻¹².',
    restsOn: ['high'],
    check: familyCheck('high', expectedHighest),
  },
  {
    id: 'rollup/low-is-the-lowest',
    ...must,
    statement: 'The low of a candle is the lowest low of the shorter candles in it.',
    broken: 'The low of candles is not the lowest of their parts',
    why: 'Both cover the same observations.',
    exactly: 'low = min lowᵢ, within 10⁻¹².',
    restsOn: ['low'],
    check: familyCheck('low', expectedLowest),
  },
  {
    id: 'rollup/volume-is-summed',
    consequence: 'amounts',
    ...must,
    uses: ['volume'],
    statement: 'The volume of a candle is the exact sum of the shorter candles in it.',
    broken: 'The volume of candles is not the sum of their parts',
    why: 'Volume is a sum over the interval, so the parts must make up the whole.',
    exactly:
      'volume = Σ volumeᵢ in exact decimals. Where fractions are reported to d decimals, within (n + 2)·½·10⁻ᵈ for n children; whole numbers must agree exactly.',
    restsOn: ['volume'],
    check: familyCheck('volume', expectedVolume),
  },
  {
    id: 'rollup/usd-volume-is-summed',
    consequence: 'amounts',
    section: '2.2',
    level: 'should',
    uses: ['volume-usd'],
    statement:
      'The volume in USD is the sum of the shorter candles in it, within the rounding of its decimals.',
    broken: 'The volume in USD of candles is not the sum of their parts',
    why: 'Dollar values at the time of trade add up; volume repriced at the end does not.',
    exactly:
      '|volume-usd − Σ volume-usdᵢ| ≤ (n + 2)·10⁻ᵈ: a server may truncate instead of rounding. Where the amounts are doubles as programs print them, such as 0.30000000000000004, also up to 2·2⁻⁵³ of the sum for each minute of the interval, the most that adding doubles moves it. Where the whole volume at the last rate fits, the finding says so.',
    restsOn: ['volume-usd'],
    needs,
    check: familyCheck('volume-usd', expectedVolumeUsd),
  },
  {
    id: 'rollup/liquidity-is-of-the-end',
    consequence: 'amounts',
    ...must,
    uses: ['liquidity'],
    statement: "A candle's liquidity is that of the last shorter candle in it.",
    broken: 'The liquidity of candles is not that of their last part',
    why: 'Liquidity is reported for the end, and both candles end together.',
    exactly: 'liquidity and liquidity-usd = those of the last child, where both end together.',
    restsOn: ['liquidity', 'liquidity-usd'],
    check: familyCheck('liquidity', expectedLiquidity),
  },
  {
    id: 'rollup/average-is-within-its-parts',
    ...must,
    uses: ['average'],
    statement:
      'The average of a candle lies between the least and the greatest average of the shorter candles in it.',
    broken: 'Averages lie outside those of their parts',
    why: 'A mean of all observations is a weighted mean of the parts.',
    exactly: 'min avgᵢ ≤ avg ≤ max avgᵢ, within 10⁻⁹.',
    restsOn: ['average'],
    check: familyCheck('average', expectedMeanBounds),
  },
  {
    id: 'rollup/average-is-the-mean',
    isOfWholeAnswers: true,
    section: '2.2',
    level: 'should',
    uses: ['average'],
    statement:
      'Apart from missing observations, the average of a candle is the mean of the averages of its shorter candles.',
    broken: 'Averages are not the mean of their parts',
    why: 'It reveals averages of other values, such as (open + high + low + close) / 4 or a volume-weighted price.',
    exactly:
      "the median over five or more families of |avg − mean(avgᵢ)| ÷ (high − low): up to 10⁻⁶ it passes. Above 0.01 it is a breach where most averages are those of a known formula, which the finding names; or where no missing minutes explain them: no whole numbers nᵢ from 1 to 5 make an hour's avg = Σ nᵢ·avgᵢ ÷ Σ nᵢ, or each part is itself an exact mean. What such numbers explain passes; otherwise an outage may have moved it. Families whose children share boundary observations, and those of almost no range, are left out. Fewer than five families, as of weeks, are judged one by one where all parts are exact means: then |avg − mean(avgᵢ)| ÷ (high − low) is a breach from 10⁻⁵ on.",
    restsOn: ['average'],
    needs,
    check: checkEveryMean,
  },
  {
    id: 'rollup/open-holds-its-parts',
    damage: 'none',
    section: '2.2',
    level: 'must',
    statement: 'An open candle includes the extremes and volume of the closed shorter candles in it.',
    broken: 'Open candles leave closed parts out',
    why: 'The closed candles are part of the open one, which displays show.',
    exactly:
      'for the open candle and the closed shorter ones in it that were requested before it: high ≥ max highᵢ, low ≤ min lowᵢ, volume ≥ Σ volumeᵢ. Its first parts may be missing: the sums are bounds.',
    restsOn: ['high', 'low', 'volume'],
    needs: [recentFiveMinutes, recentHoursOfEachPool, allWeeks],
    check: checkOpen,
  },
  {
    id: 'rollup/open-average-keeps-its-past',
    damage: 'none',
    section: '2.2',
    level: 'must',
    uses: ['average'],
    statement: 'The average of an open candle changes no more than the minutes since the last answer allow.',
    broken: 'The average of an open candle forgets its past',
    why: 'If all parts had equal weight, a day that has just begun would count as much as the whole day before.',
    exactly:
      "two answers hold the same open candle, the second at least as late by its Date. *t* is the earliest of: 600 s before the first one's *now*, its E, and the start of the newest shorter candle with high > low that was requested before it. n counts those that ended by *t* and do not overlap, since each holds an observation; m = ⌊(*now* of the second + 2 − *t*) ÷ 60⌋ + 1 is the most that came after it. With w = m ÷ (n + m): avg₁ − w(avg₁ − low₂) ≤ avg₂ ≤ avg₁ + w(high₂ − avg₁), within 10⁻⁹ and the rounding of both. One run requests it once, so it takes two runs, such as before and after midnight, judged as one recording.",
    restsOn: ['average'],
    needs: [recentFiveMinutes, recentHoursOfEachPool, allWeeks],
    check: checkOpenAverage,
  },
  {
    id: 'rollup/parents-and-parts',
    shows: 'missing',
    consequence: 'rows',
    damage: 'gap',
    section: '2.2',
    level: 'should',
    statement: "From a pool's first day on, a candle exists exactly where a shorter one inside it does.",
    broken: 'Candles and their parts do not exist together',
    why: 'A chart that begins later in one interval than in another hides the first prices.',
    exactly:
      'where both ranges contain it, a closed candle has a closed shorter one in it, and the other way around; candles that the rule of completeness already expects are left to it.',
    restsOn: ['interval', 'history'],
    needs,
    check: checkPresence,
  },
];
