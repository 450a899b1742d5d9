import { requireOperation } from '@candleproof/document/spec/operation';
import { type Amount, amounts } from '@candleproof/document/spec/roles';
import { amountText, type Candle } from '../../reading/candle.ts';
import { largest, median } from '../../reading/statistics.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { isInverted } from '../../relations/series.ts';
import { anyCandles, closedWeekInEachInterval, latestOfEachPool, tokenList } from '../needs.ts';
import { type Band, listNewest, rateName } from '../observed-values.ts';
import type { Question } from '../rule.ts';
import { coinInUsd, pricedTokens } from '../tokens/token-questions.ts';
import { usdRates } from './usd-rates.ts';

/** Compares rates in the shorter intervals; in longer ones the rate changes between the trades and the end. */
function usdRatesAnswer({ histories }: Evidence): string | undefined {
  const short = histories.filter(({ requested }) => requested.length <= 3600);
  const ratios = short
    .flatMap((answer) => {
      const rate = usdRates(answer);
      return listNewest(answer).map((candle) => rate(candle, 'volume') / rate(candle, 'liquidity'));
    })
    .filter((ratio) => ratio > 0);
  return ratios.length >= 10 ? rateName(median(ratios)) : undefined;
}

/** Uses the newest candles alone, since the token list reports the current price. */
function coinPriceAnswer(evidence: Evidence): string | undefined {
  const coin = coinInUsd(pricedTokens(evidence));
  const rates = evidence.candleAnswers.flatMap((answer) => {
    const newest = answer.inTime.at(-1);
    const isFresh = newest && (answer.serverNow ?? Number.NaN) - newest.end < 3600;
    const rate = isFresh ? usdRates(answer)(newest, 'liquidity') : Number.NaN;
    return rate > 0 ? [rate] : [];
  });
  return coin === undefined || rates.length === 0 ? undefined : rateName(median(rates) / coin);
}

const decimals: readonly Band[] = [
  { upTo: 0, name: 'whole' },
  { upTo: 2, name: 'at most 2 decimals' },
  { upTo: 8, name: 'at most 8 decimals' },
  { upTo: Number.POSITIVE_INFINITY, name: 'more than 8 decimals' },
];

/** Takes the maximum of twenty amounts, since a few may all end in zeros. */
function decimalsAnswer({ candleAnswers, spec }: Evidence): string | undefined {
  const plain = candleAnswers.filter((candleAnswer) => !isInverted(candleAnswer));
  const { fields } = requireOperation(spec, 'history');
  const reported = amounts.flatMap((amount) => {
    const counts = plain.flatMap((answer) =>
      listNewest(answer, 100).flatMap((candle) => countDecimals(candle, amount)),
    );
    if (counts.length < 20) return [];
    return [`${fields[amount]} ${decimals.find(({ upTo }) => largest(counts) <= upTo)?.name}`];
  });
  return reported.length > 0 ? reported.join(', ') : undefined;
}

function countDecimals(candle: Candle, amount: Amount): number[] {
  const text = amountText(candle, amount) ?? '';
  return /^\d+(\.\d+)?$/.test(text) && text !== '0' ? [(text.split('.')[1] ?? '').length] : [];
}

export const amountQuestions: readonly Question[] = [
  {
    id: 'candle/usd-rates-agree',
    section: '2.2',
    uses: ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'],
    question: 'How does the USD rate of volume compare with that of liquidity?',
    why: 'Two rates in one record mean that one of the amounts is stale or in another unit.',
    exactly:
      'the median over five minutes and hours of (volume-usd ÷ volume) ÷ (liquidity-usd ÷ liquidity), both worth 10 USD or more: within 5 % it is one rate, otherwise the nearest power of ten.',
    restsOn: ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'],
    needs: closedWeekInEachInterval,
    answer: usdRatesAnswer,
  },
  {
    id: 'tokens/coin-price-agrees',
    section: '2.1',
    uses: ['liquidity', 'liquidity-usd', 'token-price-usd'],
    question: 'How does the USD rate of candles compare with the token list?',
    why: 'A wallet that shows both side by side has to take them from one of the two where they differ.',
    exactly:
      'the median of 10⁸·liquidity-usd ÷ liquidity over the newest candles, as a multiple of the USD price of one coin in the list: within 5 % it is one rate, otherwise the nearest power of ten.',
    restsOn: ['liquidity-usd', 'token-price-usd'],
    needs: [tokenList, latestOfEachPool],
    answer: coinPriceAnswer,
  },
  {
    id: 'candle/decimals',
    section: '2.2',
    uses: ['volume'],
    question: 'How many decimals do the amounts have?',
    why: 'Code that reads tinybars as integers fails at the first fraction.',
    exactly: 'the most decimals of twenty or more amounts that are not 0: none, at most 2, at most 8, more.',
    restsOn: ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'],
    needs: anyCandles,
    hasParts: true,
    answer: decimalsAnswer,
  },
];
