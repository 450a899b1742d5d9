import { amountText, type Candle } from '../../reading/candle.ts';
import { oncePer } from '../../reading/once.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { median } from '../../reading/statistics.ts';
import { answersWithRows, type Evidence } from '../../relations/evidence.ts';
import { isInverted, poolKey } from '../../relations/series.ts';
import { candleBreach } from '../breach.ts';
import { anyCandles, recentWeeks } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/** USD amounts are in cents: below this their rounding is no longer small. */
const telling = 10;

/** Factor by which a record's rate may differ from the pool's others: beyond it the unit differs, not the market. */
const farApart = 1000;

/** Fewer candles have no usual rate. */
const fewest = 5;

/** Returns the USD price of a hundred million tinybars by one candle's amounts; undefined if they are too small. */
export function amountRate(candle: Candle, flow: 'volume' | 'liquidity'): number | undefined {
  return ratesOf(candle)[flow];
}

/** Several rules and questions compare the rates of one candle. */
const ratesOf = oncePer((candle: Candle) => ({
  volume: readRate(candle, 'volume'),
  liquidity: readRate(candle, 'liquidity'),
}));

function readRate(candle: Candle, flow: 'volume' | 'liquidity'): number | undefined {
  const tinybars = parseAmount(amountText(candle, flow));
  const usd = parseAmount(amountText(candle, `${flow}-usd`));
  return tinybars > 0 && usd >= telling ? (1e8 * usd) / tinybars : undefined;
}

/** Reads plain decimal text; NaN, which compares false with everything, for anything else. */
function parseAmount(text = ''): number {
  return /^(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

type Rated = { readonly answer: CandleAnswer; readonly candle: Candle; readonly ratio: number };

/** Groups rates by pool, without inverted candles, whose amounts may be in the other token. */
function groupRatesByPool(evidence: Evidence): Map<string, Rated[]> {
  const pools = new Map<string, Rated[]>();
  for (const answer of answersWithRows(evidence)) {
    if (isInverted(answer)) continue;
    const pool = poolKey(answer);
    const known = pools.get(pool) ?? [];
    pools.set(pool, known);
    for (const candle of answer.candles) {
      const ratio =
        (amountRate(candle, 'volume') ?? Number.NaN) / (amountRate(candle, 'liquidity') ?? Number.NaN);
      if (ratio > 0) known.push({ answer, candle, ratio });
    }
  }
  return pools;
}

/** Compares every row with its pool's median: all rows share one unit, whatever it is. */
function* checkUnits(evidence: Evidence): Generator<CheckOutcome> {
  for (const rated of groupRatesByPool(evidence).values()) {
    if (rated.length < fewest) continue;
    const middle = median(rated.map(({ ratio }) => ratio));
    for (const answer of new Set(rated.map((rate) => rate.answer))) yield { judged: answer };
    for (const { answer, candle, ratio } of rated) {
      const apart = ratio / middle;
      if (apart < farApart && apart > 1 / farApart) continue;
      const found = {
        expected: `a volume worth about ${nameRatio(middle)} times as much as its liquidity, unit for unit, as in the pool's other candles`,
        actual: `${nameRatio(ratio)} times (${amountText(candle, 'volume')} for ${amountText(candle, 'volume-usd')} USD)`,
      };
      yield { breach: candleBreach(answer, candle, 'volume', found) };
    }
  }
}

function nameRatio(ratio: number): string {
  return String(Number(ratio.toPrecision(2)));
}

export const usdRateRules: readonly Rule[] = [
  {
    id: 'candle/amounts-keep-their-unit',
    section: '2.2',
    level: 'should',
    uses: ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'],
    statement: 'All candles of a pool convert amounts to USD at rates of the same magnitude.',
    broken: 'Amounts change their unit from candle to candle',
    why: 'A row in another unit is a hundred million times too large or too small, and no median reveals it.',
    exactly:
      'r = (volume-usd ÷ volume) ÷ (liquidity-usd ÷ liquidity) of each candle, both worth 10 USD or more, lies within a factor of 1000 of the median r of its pool, of five candles or more; without inversion.',
    restsOn: ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'],
    needs: [...anyCandles, recentWeeks],
    check: checkUnits,
  },
];
