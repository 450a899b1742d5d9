import { amountText, type Candle } from '../../reading/candle.ts';
import { oncePer } from '../../reading/once.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { maxBy, median } from '../../reading/statistics.ts';
import { rateDeviation, rateSteps } from '../../reading/tolerances.ts';
import { answersWithRows, type Evidence } from '../../relations/evidence.ts';
import { isInverted, poolKey } from '../../relations/series.ts';
import { closedCandles } from '../../relations/timeline.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { allWeeks, anyCandles, closedWeekInEachInterval, recentHoursOfEachPool } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/** USD amounts are in cents: below this their rounding is no longer small. */
const telling = 10;

/** Factor by which a record's rate may differ from the pool's others: beyond it the unit differs, not the market. */
const farApart = 1000;

/** Fewer candles have no usual rate. */
const fewest = 5;

/** No rate is below zero. */
const unknown = -1;

/** An amount that a candle also states in USD. */
export type Flow = 'volume' | 'liquidity';

/** Returns the USD price of a hundred million tinybars by the amounts of a candle; NaN if they are too small. */
type UsdRates = (candle: Candle, flow: Flow) => number;

/** Returns the rates of an answer's candles. Several rules compare them, so that each is computed once. */
export function usdRates({ candles }: Pick<CandleAnswer, 'candles'>): UsdRates {
  return ratesOf(candles);
}

const ratesOf = oncePer((candles: readonly Candle[]): UsdRates => {
  const last = Math.max(
    0,
    maxBy(candles, ({ row }) => row),
  );
  const known = new Float64Array(2 * last + 2).fill(unknown);
  return (candle, flow) => {
    const at = 2 * candle.row + (flow === 'volume' ? 0 : 1);
    if (known[at] === unknown) known[at] = computeRate(candle, flow);
    return known[at] as number;
  };
});

function computeRate(candle: Candle, flow: Flow): number {
  const tinybars = parseAmount(amountText(candle, flow));
  const usd = parseAmount(amountText(candle, `${flow}-usd`));
  return tinybars > 0 && usd >= telling ? (1e8 * usd) / tinybars : Number.NaN;
}

/** Reads plain decimal text; NaN, which compares false with everything, for anything else. */
export function parseAmount(text = ''): number {
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
    const rate = usdRates(answer);
    for (const candle of answer.candles) {
      const ratio = rate(candle, 'volume') / rate(candle, 'liquidity');
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

/** Fewer rows do not show how a rate moves. */
const fewestMoving = 24;

/** Checks that the liquidity of a history's rows is converted to USD at the rate of their time, as their volume is. */
function* checkMoments({ histories, spec }: Evidence): Generator<CheckOutcome> {
  // Only our document states one unit for both amounts.
  if (!spec.isOurs) return;
  for (const answer of histories) {
    if (isInverted(answer)) continue;
    const rate = usdRates(answer);
    const rated = closedCandles(answer)
      .map((candle) => ({ candle, volume: rate(candle, 'volume'), liquidity: rate(candle, 'liquidity') }))
      .filter(({ volume, liquidity }) => volume > 0 && liquidity > 0);
    if (rated.length < fewestMoving) continue;
    yield { judged: answer };
    const steps = (['volume', 'liquidity'] as const).map((flow) =>
      median(
        rated.slice(1).map((row, at) => Math.abs(Math.log(row[flow] / (rated[at]?.[flow] ?? row[flow])))),
      ),
    );
    // A steady difference, such as a fee, is no other time.
    const ratios = rated.map(({ volume, liquidity }) => Math.log(volume / liquidity));
    const usual = median(ratios);
    const apart = ratios.map((ratio) => Math.abs(ratio - usual));
    const middle = median(apart);
    if (middle <= Math.max(rateDeviation, rateSteps * Math.max(...steps)) || middle >= Math.LN2) continue;
    const row = rated[apart.indexOf(middle)] ?? rated[0];
    if (row) yield { breach: momentBreach(answer, row, middle, rated.length) };
  }
}

type RatedFlows = { readonly candle: Candle; readonly volume: number; readonly liquidity: number };

function momentBreach(answer: CandleAnswer, row: RatedFlows, middle: number, rows: number): Breach {
  return candleBreach(answer, row.candle, 'liquidity-usd', {
    expected: `liquidity at a rate that moves with that of the candle’s volume, ${row.volume.toPrecision(5)} USD for each 10⁸ tinybars`,
    actual: `${amountText(row.candle, 'liquidity-usd')} USD, ${row.liquidity.toPrecision(5)} for each; ${Number((100 * Math.expm1(middle)).toPrecision(2))} % further apart than usual in the middle of ${rows} rows`,
  });
}

export const usdRateRules: readonly Rule[] = [
  {
    id: 'candle/amounts-keep-their-unit',
    shows: 'other unit',
    section: '2.2',
    level: 'should',
    uses: ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'],
    statement: 'All candles of a pool convert amounts to USD at rates of the same magnitude.',
    broken: 'Amounts change their unit from candle to candle',
    why: 'A row in another unit is a hundred million times too large or too small, and no median reveals it.',
    exactly:
      'r = (volume-usd ÷ volume) ÷ (liquidity-usd ÷ liquidity) of each candle, both worth 10 USD or more, lies within a factor of 1000 of the median r of its pool, of five candles or more; without inversion.',
    restsOn: ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'],
    needs: [...anyCandles, allWeeks],
    check: checkUnits,
  },
  {
    id: 'candle/liquidity-has-the-rate-of-its-time',
    shows: 'other rate',
    section: '2.2',
    level: 'should',
    uses: ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'],
    statement: 'Volume and liquidity of a candle are converted to USD at rates of about the same time.',
    broken: 'Liquidity in USD has the rate of another time',
    why: 'Liquidity of last month at the rate of today shows a move that the pool never made.',
    exactly:
      'r = ln((volume-usd ÷ volume) ÷ (liquidity-usd ÷ liquidity)) of the closed rows of a history, of 24 or more with both worth 10 USD: the median of |r − median r| is at most 0.2 %, or ten times the median step of either rate from row to row. A steady difference, such as a fee, and a factor of 2, another unit, are no other time; without inversion.',
    restsOn: ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'],
    needs: [...closedWeekInEachInterval.slice(-1), recentHoursOfEachPool],
    check: checkMoments,
  },
];
