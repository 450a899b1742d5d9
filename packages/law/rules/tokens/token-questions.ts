import { requireOperation } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../../reading/candle.ts';
import { isRecord } from '../../reading/read-candles.ts';
import { median } from '../../reading/statistics.ts';
import { thousands } from '../../reading/words.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { tokenList } from '../needs.ts';
import { alternative } from '../observed-values.ts';
import type { Question } from '../rule.ts';

/** A token with both prices, and its place in the list. */
export type Priced = { readonly row: number; readonly price: number; readonly usd: number };

function listRecords(lists: Evidence['tokenLists']): Candle['record'][] {
  return lists.flatMap(({ records }) => records.filter(isRecord));
}

/** Lists tokens of the first list with both prices, including those of zero: two lists' prices are of different moments. */
export function pricedTokens({ tokenLists, spec }: Evidence): Priced[] {
  return tokenLists.slice(0, 1).flatMap((list) => listPriced(list, spec));
}

/** Lists the tokens of one list with both prices, including those of zero. */
export function listPriced({ records }: Evidence['tokenLists'][number], spec: Spec): Priced[] {
  const { price: inHbar = '', 'price-usd': inUsd = '' } = requireOperation(spec, 'tokens').fields;
  return records.flatMap((record, row) => {
    if (!isRecord(record)) return [];
    const [price, usd] = [record[inHbar], record[inUsd]];
    const isPriced = typeof price === 'string' && /^\d{1,40}$/.test(price) && typeof usd === 'number';
    return isPriced ? [{ row, price: Number(price), usd }] : [];
  });
}

/** Returns the USD price of the coin that prices are in: that of a token that costs one coin, else the median. */
export function coinInUsd(priced: readonly Priced[]): number | undefined {
  return priced.find((token) => token.price === 1e8 && token.usd > 0)?.usd ?? medianRate(priced);
}

/** Returns the median of what a coin is worth by each token; undefined if few show it. */
export function medianRate(priced: readonly Priced[]): number | undefined {
  // Smaller prices lose too many digits to rounding.
  const telling = priced.filter(({ price, usd }) => price > 0 && usd > 1e-4);
  return telling.length >= 5 ? median(telling.map(({ price, usd }) => (usd * 1e8) / price)) : undefined;
}

/** One token in a hundred may have changed price between its two columns. */
export const few = 0.01;

/** Lists the tokens whose price in USD is not their price at one rate, by more than rounding and a thousandth. */
export function listOff(priced: readonly Priced[], coin: number): Priced[] {
  return priced.filter(({ price, usd }) => Math.abs(usd - (price * coin) / 1e8) > findSlack(usd, coin));
}

function findSlack(usd: number, coin: number): number {
  return (0.5 * coin) / 1e8 + 0.5e-8 + 1e-3 * usd;
}

function unitAnswer(evidence: Evidence): string | undefined {
  const priced = pricedTokens(evidence);
  const coin = coinInUsd(priced);
  if (coin === undefined) return undefined;
  const off = listOff(priced, coin).length;
  const unit = 'a hundred-millionth of one coin';
  if (off <= few * priced.length) return unit;
  return off < priced.length / 2
    ? `${unit} for most tokens, not for all`
    : `none that ${requireOperation(evidence.spec, 'tokens').fields['price-usd']} agrees with`;
}

/** Lists the forms of every field; being absent counts as one, which a client must expect. */
function formsAnswer(evidence: Evidence): string | undefined {
  const records = listRecords(evidence.tokenLists);
  if (records.length === 0) return undefined;
  const fields = requireOperation(evidence.spec, 'tokens').recordFields;
  return fields
    .map(
      (field) =>
        `${field} ${[...new Set(records.map((record) => nameForm(record, field)))].sort().join(' or ')}`,
    )
    .join(', ');
}

function nameForm(record: Record<string, unknown>, field: string): string {
  const value = record[field];
  if (value === undefined) return 'left out';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns the counts that fit all lists; if no single one does, those of the shortest and the longest. */
function countAnswer({ tokenLists }: Evidence): string | undefined {
  const counts = tokenLists.filter(({ isList }) => isList).map(({ records }) => records.length);
  if (counts.length === 0) return undefined;
  const [least, most] = [roughCounts(Math.min(...counts)), roughCounts(Math.max(...counts))];
  const both = least.filter((field) => most.includes(field));
  const reported = both.length > 0 ? both : least.flatMap((low) => most.map((high) => `${low} to ${high}`));
  return reported.join(alternative);
}

/** Lists the powers of 1.1 near a count, so that small changes share one. */
function roughCounts(count: number): string[] {
  if (count === 0) return ['none'];
  const near = Math.round(Math.log(count) / Math.log(1.1));
  const steps = [-2, -1, 0, 1, 2].map((step) => 1.1 ** (near + step));
  const fitting = steps.filter((step) => Math.abs(step / count - 1) <= 0.1);
  return [...new Set(fitting.map((scale) => `about ${thousands(Math.round(scale))}`))];
}

export const tokenQuestions: readonly Question[] = [
  {
    id: 'tokens/unit-of-price',
    section: '2.1',
    uses: ['token-price', 'token-price-usd'],
    question: 'What is the unit of a token’s price?',
    why: 'The document names none, but the list itself shows it.',
    exactly:
      'with H the price-usd of the token whose price is 10⁸, or the median of 10⁸·price-usd ÷ price: |price-usd − price·H ÷ 10⁸| ≤ ½·H ÷ 10⁸ + ½·10⁻⁸ + 10⁻³·price-usd. A price of 0 is worth nothing by the same formula. One token in a hundred may deviate.',
    restsOn: ['token-price', 'token-price-usd'],
    needs: [tokenList],
    answer: unitAnswer,
  },
  {
    id: 'tokens/forms',
    section: '2.1',
    question: 'Which JSON types do the fields of a token have, and may they be missing?',
    why: 'The document requires none of them; a client must know which ones it can rely on.',
    restsOn: ['token'],
    needs: [tokenList],
    hasParts: true,
    answer: formsAnswer,
  },
  {
    id: 'tokens/count',
    section: '4.1',
    question: 'How many tokens are listed?',
    why: 'A list that loses a fifth of its tokens has lost a page, not some tokens.',
    exactly:
      'the powers of 1.1 within a tenth of the count. A list that lost a fifth of its tokens shares none of them with its earlier answer; one that changed by a twentieth always shares one.',
    restsOn: ['tokens'],
    needs: [tokenList],
    answer: countAnswer,
  },
];
