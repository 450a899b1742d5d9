import type { PriceOrder } from './price-order.ts';
import { leastReadable } from './written-numbers.ts';

/** The positions of values that are no price of an instant. */
type AmountPlaces = Readonly<Partial<Record<'average' | 'volume' | 'quote-volume', number>>>;

/** Share of rows that must say so for a column without a name to be an average: one of 64 may be wrong. */
const allButOne = 0.98;

/** Share of rows in which a column is an open or a close, from which it is no average. */
const mostEqual = 0.5;

/** Most rows, as a share, in which an amount has a wrong sign; a change of the price has one in half of them. */
const mostNegative = 0.1;

/** Fewer rows may have the same amount. */
const fewestAlike = 5;

/** Share by which rounding may move an average beyond a low or a high. */
const slack = 1e-6;

/**
 * Finds a volume among the values that are no price: an adjusted close that repeats the close is one, and an average lies
 * between low and high. A volume may be 0 in an interval without a trade.
 */
export function inferAmounts(
  columns: readonly (readonly number[])[],
  others: readonly number[],
  order: PriceOrder,
): AmountPlaces {
  const prices: number[] = Object.values(order);
  const [high, low] = [columns[order.high] ?? [], columns[order.low] ?? []];
  const isWithin = (values: readonly number[], least = leastReadable): boolean => {
    const judged = values.flatMap((value, row) =>
      Number.isFinite(value) && value !== 0
        ? [value >= (low[row] ?? 0) * (1 - slack) && value <= (high[row] ?? 0) * (1 + slack)]
        : [],
    );
    return judged.length > 0 && judged.filter(Boolean).length >= least * judged.length;
  };
  const close = columns[order.close] ?? [];
  const rest = others
    .filter((at) => !prices.includes(at) && mayBeAmounts(columns[at] ?? [], close))
    .filter((at) => !isPrice(columns, at, order));
  const average = rest.find((at) => isWithin(columns[at] ?? [], allButOne));
  const amounts = rest.filter((at) => at !== average);
  const [first] = amounts.filter((at) => at > Math.min(...prices));
  const ratio = (at: number, by: number): number[] =>
    (columns[at] ?? []).map((value, row) => (value === 0 ? Number.NaN : value / (columns[by]?.[row] ?? 0)));
  const pairs = amounts.flatMap((at) =>
    amounts.filter((by) => by !== at && isWithin(ratio(at, by))).map((by) => ({ at, by })),
  );
  const pair = pairs.find(({ by }) => by === first) ?? pairs[0];
  const volume = pair?.by ?? first;
  return {
    ...(average !== undefined && { average }),
    ...(volume !== undefined && { volume }),
    ...(pair && { 'quote-volume': pair.at }),
  };
}

/** Returns whether values may be amounts: no constant such as the interval's length, nor the close before, nor its change. */
function mayBeAmounts(values: readonly number[], close: readonly number[]): boolean {
  if (values.length < fewestAlike) return true;
  if (values.filter((value) => value < 0).length > mostNegative * values.length) return false;
  const next = values.slice(1);
  const repeated = next.filter((value, row) => value === close[row]).length;
  return new Set(values).size > 1 && repeated < leastReadable * next.length;
}

/** Returns whether a column repeats the open or the close of a row, or the close before it. */
function isPrice(columns: readonly (readonly number[])[], at: number, { open, close }: PriceOrder): boolean {
  const values = columns[at] ?? [];
  const [opens, closes] = [columns[open] ?? [], columns[close] ?? []];
  const count = (isEqual: (value: number, row: number) => boolean): number => values.filter(isEqual).length;
  const telling = count((value, row) => value > 0 && opens[row] !== closes[row]);
  const repeated = [
    count((value, row) => opens[row] !== closes[row] && value === opens[row]),
    count((value, row) => opens[row] !== closes[row] && value === closes[row]),
    count((value, row) => opens[row] !== closes[row] && value === closes[row - 1]),
  ];
  return Math.max(...repeated) > mostEqual * telling;
}
