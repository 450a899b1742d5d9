import type { MarketRow } from './markets.ts';

/** Kinds of damage: which rule or doubt names each, and how it is planted; undefined where a table cannot have it. */
export type PlantedDamage = {
  readonly name: string;
  readonly names: RegExp;
  readonly plant: (rows: readonly MarketRow[], middle: number) => readonly MarketRow[] | undefined;
  /**
   * The rows that a finding must cover, as `rateFinding` compares them: the planted ones, if omitted; the first of them, where all
   * later ones are damaged; the first and the one after the last; the missing rows; the whole table.
   */
  readonly shape?: 'rows' | 'edge' | 'edges' | 'hole' | 'table';
  /** The words of a finding that name the factor, if the damage has one. */
  readonly factor?: RegExp;
};

const [hour, day] = [3600, 86_400];

/** Returns a row with its prices times a factor. */
export const scale = (row: MarketRow, factor: number): MarketRow => ({
  ...row,
  ...{ open: row.open * factor, high: row.high * factor, low: row.low * factor, close: row.close * factor },
  quote: row.quote * factor,
});
const flatten = (row: MarketRow, price: number): MarketRow => ({
  ...row,
  ...{ open: price, high: price, low: price, close: price, quote: row.volume * price + 0 * row.quote },
});
const withVolume = (row: MarketRow, volume: number): MarketRow => ({
  ...row,
  volume,
  quote: row.volume > 0 ? (row.quote / row.volume) * volume : volume * row.close + 0 * row.quote,
});
/** Returns a row without amounts; a column that a table does not have stays unknown. */
const withoutTrades = (row: MarketRow): MarketRow => ({
  ...row,
  ...{ volume: 0, quote: 0 * row.quote, trades: 0 * row.trades },
});
const like = (row: MarketRow, other: MarketRow | undefined): MarketRow => ({
  ...(other ?? row),
  time: row.time,
});

type Change = (row: MarketRow, at: number, rows: readonly MarketRow[]) => MarketRow;

/** Least share of its rows that a damage changes: most of a hundred rows that have no wicks anyway are not damaged. */
const leastChanged = { ofRun: 0.5, ofTable: 0.1 };

const isChanged = (row: MarketRow, other: MarketRow): boolean =>
  JSON.stringify(row) !== JSON.stringify(other);
/** Changes so many rows from one on; undefined if fewer than a share of them are others then. */
function changeRows(
  rows: readonly MarketRow[],
  [begin, count, least]: readonly [begin: number, count: number, least: number],
  change: Change,
): readonly MarketRow[] | undefined {
  const old = rows.slice(begin, begin + count);
  const planted = old.map((row, at) => change(row, at, rows));
  const changed = planted.filter((row, at) => isChanged(row, old[at] as MarketRow)).length;
  return changed >= least * old.length ? rows.toSpliced(begin, old.length, ...planted) : undefined;
}

const inAll =
  (change: Change): PlantedDamage['plant'] =>
  (rows) =>
    changeRows(rows, [0, rows.length, leastChanged.ofTable], change);
const from =
  (change: Change, count = Number.POSITIVE_INFINITY): PlantedDamage['plant'] =>
  (rows, middle) =>
    changeRows(rows, [middle, count, leastChanged.ofRun], change);
const inOne = (change: Change): PlantedDamage['plant'] => from(change, 1);

const findDay = ({ time }: MarketRow): number => Math.floor(time / day);
const findStep = (rows: readonly MarketRow[]): number => {
  const steps = rows.slice(1).map(({ time }, at) => time - (rows[at]?.time ?? time));
  return Math.min(...steps.filter((step) => step > 0));
};
const hasVolume = (rows: readonly MarketRow[]): boolean =>
  rows.filter(({ volume }) => volume > 0).length >= 0.95 * rows.length;

/** Lists the rows of the day of the middle, and of the day before it that has as many. */
function findDays(rows: readonly MarketRow[], middle: number): [MarketRow[], MarketRow[]] | undefined {
  const days = [...Map.groupBy(rows, findDay).values()];
  const at = days.findIndex((of) => findDay(of[0] as MarketRow) === findDay(rows[middle] as MarketRow));
  const of = days[at] ?? [];
  const before = days.slice(0, at).findLast(({ length }) => length === of.length);
  return before === undefined || of.length < 12 ? undefined : [of, before];
}

/** Repeats some of the rows of an earlier day. */
const copyDay =
  (share: number): PlantedDamage['plant'] =>
  (rows, middle) => {
    const [of, before] = findDays(rows, middle) ?? [[], []];
    const count = Math.ceil(share * of.length);
    if (count < 12) return undefined;
    return rows.map((row) => {
      const at = of.indexOf(row);
      return at >= 0 && at < count ? like(row, before[at]) : row;
    });
  };

/** Sums volumes since the day began. */
function addUp(rows: readonly MarketRow[]): readonly MarketRow[] | undefined {
  if (findStep(rows) > hour || !hasVolume(rows)) return undefined;
  let [of, total] = [Number.NaN, 0];
  return rows.map((row) => {
    total = findDay(row) === of ? total + row.volume : row.volume;
    of = findDay(row);
    return withVolume(row, Number(total.toFixed(5)));
  });
}

/** Digits of a double that are no sum's noise, as in 1.3367499999999999, and those of single precision: 261.17001342773438 is 261.17. */
const [ofDouble, ofSingle] = [15, 7];

const isSingle = (price: number): boolean => Math.abs(Math.fround(price) - price) <= 1e-10 * price;
const countDecimals = (rows: readonly MarketRow[], digits: (price: number) => number): number =>
  Math.max(
    ...rows.map(({ close }) => (`${Number(close.toPrecision(digits(close)))}`.split('.')[1] ?? '').length),
  );

/** Rounds prices to a digit less than those near them have; whole ones to tens. */
function round(row: MarketRow, _: number, rows: readonly MarketRow[]): MarketRow {
  const middle = Math.floor(rows.length / 2);
  const near = rows.slice(middle - 100, middle + 100);
  const decimals = countDecimals(near, (price) => (isSingle(price) ? ofSingle : ofDouble));
  const of = (price: number): number =>
    decimals === 0 ? 10 * Math.round(price / 10) : Number(price.toFixed(decimals - 1));
  const rounded = { open: of(row.open), high: of(row.high), low: of(row.low), close: of(row.close) };
  return { ...row, ...rounded, quote: row.volume * rounded.close + 0 * row.quote };
}

/** Damage that public reports describe. */
export const damages: readonly PlantedDamage[] = [
  {
    ...{ name: 'unit changed: a hundredth from here on', names: /price\/jump/ },
    ...{ shape: 'edge', factor: /a hundredth/ },
    plant: from((row) => scale(row, 0.01)),
  },
  {
    ...{ name: 'split of 1:10', names: /price\/jump/ },
    shape: 'edge',
    factor: /1:10/,
    plant: from((row) => scale(row, 0.1)),
  },
  {
    ...{ name: 'ten rows of a thousandth', names: /price\/jump/ },
    ...{ shape: 'edges', factor: /a thousandth/ },
    plant: from((row) => scale(row, 0.001), 10),
  },
  {
    ...{ name: 'spike of ten times', names: /price\/spike/ },
    factor: /a tenth of it/,
    plant: inOne((row) => scale(row, 10)),
  },
  {
    ...{ name: 'wick of ten times', names: /price\/spike/ },
    plant: inOne((row) => ({ ...row, high: row.high * 10 })),
  },
  {
    ...{ name: 'open and close swapped', names: /open-and-close-swapped/ },
    shape: 'table',
    plant: inAll((row) => ({ ...row, open: row.close, close: row.open })),
  },
  {
    ...{ name: 'high and low swapped', names: /high-is-highest/ },
    shape: 'table',
    plant: inAll((row) => ({ ...row, high: row.low, low: row.high })),
  },
  {
    ...{ name: 'price of zero', names: /prices-are-positive/ },
    plant: inOne((row) => ({ ...row, open: 0 })),
  },
  {
    ...{ name: 'prices with a wrong sign', names: /prices-are-positive/ },
    plant: from((row) => scale(row, -1), 3),
  },
  {
    ...{ name: 'volume with a wrong sign', names: /amounts-are/ },
    plant: inOne((row) => (row.volume > 0 ? { ...row, volume: -row.volume } : { ...row, volume: -5 })),
  },
  {
    ...{ name: 'price that is no number', names: /documented-types/ },
    plant: inOne((row) => ({ ...row, close: Number.NaN })),
  },
  {
    ...{ name: 'twelve rows dropped', names: /history\/complete|gap\/in-session/ },
    shape: 'hole',
    plant: (rows, middle) => rows.toSpliced(middle, 12),
  },
  {
    ...{ name: 'row twice', names: /one-candle-per-interval/ },
    plant: (rows, middle) => rows.toSpliced(middle, 0, rows[middle] as MarketRow),
  },
  {
    ...{ name: 'rows in the wrong order', names: /one-order/ },
    plant: (rows, middle) =>
      rows.toSpliced(middle, 2, rows[middle + 1] as MarketRow, rows[middle] as MarketRow),
  },
  {
    ...{ name: 'half an interval', names: /history\/(aligned|contiguous)/ },
    plant: (rows, middle) =>
      rows.toSpliced(
        middle,
        12,
        ...rows
          .slice(middle, middle + 12)
          .flatMap((row) => [row, { ...row, time: row.time + findStep(rows) / 2 }]),
      ),
  },
  {
    ...{ name: 'times of another zone', names: /history\/|gap\/in-session/ },
    shape: 'edge',
    plant: from((row) => ({ ...row, time: row.time + 5 * hour })),
  },
  {
    name: 'hour that local clocks leave out',
    shape: 'hole',
    names: /history\/complete|gap\/in-session/,
    plant: (rows) => {
      const at = rows.findIndex(({ time }, row) => {
        const when = new Date(time * 1000);
        return row > 200 && when.getUTCDay() === 0 && when.getUTCHours() === 2;
      });
      return at < 0 || findStep(rows) > hour ? undefined : rows.toSpliced(at, hour / findStep(rows));
    },
  },
  {
    ...{ name: 'two symbols', names: /second table/ },
    shape: 'edge',
    plant: (rows) => [...rows, ...rows.slice(0, 400).map((row) => scale(row, 1.7))],
  },
  {
    name: 'volume 0 beside moves',
    names: /volume\/none/,
    plant: (rows, middle) =>
      hasVolume(rows)
        ? from((row) => ({ ...withoutTrades(row), open: row.low, close: row.high }), 10)(rows, middle)
        : undefined,
  },
  {
    name: 'one volume in six rows',
    names: /volume\/repeated|row-is-copied/,
    plant: (rows, middle) => {
      const changed = from((row) => withVolume(row, 1_234_567), 6)(rows, middle);
      const closes = new Set(rows.slice(middle, middle + 6).map(({ close }) => close));
      return hasVolume(rows) && closes.size > 5 ? changed : undefined;
    },
  },
  {
    name: 'volumes a thousand times higher',
    ...{ shape: 'edge', factor: /\b1,000 times/ },
    names: /volume\/level/,
    plant: (rows, middle) =>
      hasVolume(rows) ? from((row) => withVolume(row, row.volume * 1000))(rows, middle) : undefined,
  },
  { ...{ name: 'running total of volumes', names: /volume\/running-total/ }, shape: 'table', plant: addUp },
  {
    name: 'quote volume that does not fit',
    names: /average-is-within/,
    plant: (rows, middle) =>
      rows.every(({ quote }) => Number.isNaN(quote)) || !hasVolume(rows)
        ? undefined
        : inOne((row) => ({ ...row, quote: row.quote * 0.7 }))(rows, middle),
  },
  {
    name: 'six copies of a row',
    names: /row\/repeated|row-is-copied/,
    plant: (rows, middle) => {
      const first = rows.findIndex(({ high, low }, at) => at >= middle && high > low);
      return first < 0 ? undefined : from((row, _, all) => like(row, all[first]), 6)(rows, middle);
    },
  },
  { ...{ name: 'day repeated', names: /day-repeated/ }, plant: copyDay(1) },
  {
    ...{ name: 'half of a day repeated', names: /day-repeated/ },
    plant: (rows, middle) => (findStep(rows) > hour / 2 ? undefined : copyDay(0.5)(rows, middle)),
  },
  {
    name: 'straight line of twenty rows',
    names: /price\/straight-line/,
    plant: (rows, middle) =>
      from((row, at) => flatten(row, (rows[middle]?.close ?? 1) * (1 + 0.001 * (at + 1))), 20)(rows, middle),
  },
  {
    name: 'sixty frozen rows',
    names: /price\/flat|row\/repeated|row-is-copied/,
    plant: (rows, middle) =>
      from((row) => withoutTrades(flatten(row, rows[middle]?.close ?? 1)), 60)(rows, middle),
  },
  {
    ...{ name: 'sixty rows of one price each', names: /price\/one-price/ },
    plant: from((row) => flatten(row, row.close), 60),
  },
  {
    ...{ name: 'a hundred rows without wicks', names: /price\/no-wick/ },
    plant: from((row) => {
      const { open, close } = row;
      return { ...row, high: Math.max(open, close), low: Math.min(open, close) };
    }, 100),
  },
  {
    name: 'forty rows at one price with volumes',
    names: /price\/flat/,
    plant: (rows, middle) => from((row) => flatten(row, rows[middle]?.close ?? 1), 40)(rows, middle),
  },
  {
    name: 'ten rows filled by a rounded line',
    names: /-line/,
    plant: (rows, middle) => {
      const { close = 1 } = rows[middle - 1] ?? {};
      const fill = (row: MarketRow, at: number): MarketRow =>
        flatten(
          row,
          Number((close * (1 + 0.003 * (at + 1))).toFixed(countDecimals(rows.slice(0, 200), () => ofDouble))),
        );
      return from(fill, 10)(rows, middle);
    },
  },
  { ...{ name: 'three hundred rounded rows', names: /price\/rounded/ }, plant: from(round, 300) },
];
