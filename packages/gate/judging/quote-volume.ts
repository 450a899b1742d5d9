import type { TableRow } from '../reading/table.ts';

/** Share by which the average price of a row may lie outside low and high. */
const slack = 0.001;

/** Rows of a column that must agree before the others are held against it: a turnover may be of another currency. */
const [fewestRows, leastShare] = [8, 0.9];

/** Largest size of a last digit. */
const largest = 1e9;

/** Most decimals that are looked at. */
const mostDecimals = 12;

/** Compares the quote volume with volume and prices: their quotient is the average price of the row. */
export class QuoteVolume {
  /** Size of the last digit that each column has been written with. */
  readonly #step = { quote: largest, volume: largest, price: 1 };

  /** Returns the comparison for a table whose first rows agree with it; undefined if they do not, or have no such column. */
  static open(rows: readonly TableRow[]): QuoteVolume | undefined {
    const compared = rows.filter(({ quote, volume }) => quote > 0 && volume > 0);
    if (compared.length < fewestRows) return undefined;
    const quotes = new QuoteVolume();
    for (const row of compared) quotes.#learn(row);
    const agreeing = compared.filter((row) => quotes.explain(row) === undefined).length;
    return agreeing >= leastShare * compared.length ? quotes : undefined;
  }

  /** Returns what is wrong with a row; undefined for nothing. */
  explain(row: TableRow): string | undefined {
    const { quote, volume, low, high } = row;
    if (!(quote >= 0 && volume > 0 && low <= high)) return undefined;
    const average = quote / volume;
    if (average >= low * (1 - slack) && average <= high * (1 + slack)) return undefined;
    this.#learn(row);
    const { price } = this.#step;
    // Some sources keep a few digits of each value, as in 52.31M, so that large ones are rounded more than small ones.
    const ofQuote = Math.max(this.#step.quote, lastDigit(quote, largest));
    const ofVolume = Math.max(this.#step.volume, lastDigit(volume, largest));
    const least = (quote - ofQuote) / (volume + ofVolume);
    const most = volume > ofVolume ? (quote + ofQuote) / (volume - ofVolume) : Number.POSITIVE_INFINITY;
    if (most >= (low - price) * (1 - slack) && least <= (high + price) * (1 + slack)) return undefined;
    const quotient = Number(average.toPrecision(6));
    return `quote volume ${quote} ÷ volume ${volume} = ${quotient}: a price within [${low}, ${high}] was expected`;
  }

  #learn({ quote, volume, open, high, low, close }: TableRow): void {
    const step = this.#step;
    step.quote = lastDigit(quote, step.quote);
    step.volume = lastDigit(volume, step.volume);
    for (const value of [open, high, low, close]) step.price = lastDigit(value, step.price);
  }
}

/** Returns the size of the last digit that averages are written with; 0 for none. */
export function findAverageStep(rows: readonly TableRow[]): number {
  const averages = rows.map(({ avg }) => avg).filter((avg) => avg > 0);
  return averages.length < fewestRows ? 0 : averages.reduce((step, avg) => lastDigit(avg, step), 1);
}

/** Returns the size of the last digit of a value, if it is smaller than the one so far. */
function lastDigit(value: number, soFar: number): number {
  let step = soFar;
  const isMultiple = (): boolean => {
    const times = value / step;
    return (times >= 0.5 || value === 0) && Math.abs(times - Math.round(times)) <= 1e-6;
  };
  while (step > 10 ** -mostDecimals && !isMultiple()) step /= 10;
  return step;
}
