import { findEnvelopes, lessAgreeing, share } from './price-envelopes.ts';

/** The places of prices in rows whose values have no names. */
export type PriceOrder = {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
};

/** The orders that exchanges and programs use, without other values between. */
const usualOrders = [
  'open high low close',
  'open close high low',
  'low high open close',
  'close high low open',
];

/** Steps from which an order shows by how prices go on, and how many times nearer one open must be than another. */
const fewestSteps = 4;

const clearlyNearer = 1.5;

/** Widths that differ less, as a share, are those of columns whose values are the same. */
const sameWidth = 1e-9;

/** Share of rows whose close must lie between high and low, and whose open is the close before, where opens lie outside. */
const [nearlyAll, mostOpens] = [0.95, 0.5];

/** Share by which the level of a second set of prices may differ from the first, and its share of rows in order. */
const [sameLevel, inOrder] = [0.1, 0.95];

type Candidate = PriceOrder & { readonly step: number };

/**
 * Finds the orders of prices that the rows allow, best first: the high is the greatest and the low the least of four, and
 * an open lies near the close before. One is returned if the rows decide, two if both fit, none if no order does.
 * @param columns the values of each column in order of time, NaN for none
 * @param candidates the columns that may be prices
 */
export function findPriceOrders(
  columns: readonly (readonly number[])[],
  candidates: readonly number[],
): PriceOrder[] {
  const windows = listWindows(candidates);
  const steps = columns.map(measureSteps);
  const together = windows.flatMap((window) => findEnvelopes(columns, window, steps));
  const all = together.length > 0 ? together : findEnvelopes(columns, candidates, steps);
  if (all.length === 0) {
    const outside = windows.find((window) => opensOutside(columns, window));
    return outside ? [orderUsually(outside)] : [];
  }
  // An open that hardly ever lies above the low is nearer to the high than the low is.
  const best = Math.max(...all.map(({ agreeing }) => agreeing));
  const envelopes = all.filter(({ agreeing }) => agreeing >= best - lessAgreeing);
  const narrowest = Math.min(...envelopes.map(({ width }) => width));
  const found = envelopes
    .filter(({ width }) => width <= narrowest * (1 + sameWidth))
    .flatMap(({ high, low, inner }) =>
      inner.flatMap((open) =>
        inner.flatMap((close) =>
          close === open ? [] : [{ open, high, low, close, step: meanStep(columns[open], columns[close]) }],
        ),
      ),
    );
  return decide(found).map(({ step: _, ...order }) => order);
}

/** Lists four candidates each that are neighbors. */
function listWindows(candidates: readonly number[]): number[][] {
  return candidates.flatMap((first, at) => {
    const window = candidates.slice(at, at + 4);
    return window.at(-1) === first + 3 ? [window] : [];
  });
}

function orderUsually([open = 0, high = 0, low = 0, close = 0]: readonly number[]): PriceOrder {
  return { open, high, low, close };
}

/** Returns whether four columns in the usual order are prices whose opens are the closes before, even outside the range. */
function opensOutside(columns: readonly (readonly number[])[], window: readonly number[]): boolean {
  const [open = [], high = [], low = [], close = []] = window.map((at) => columns[at]);
  const repeats = open.slice(1).filter((price, at) => price === close[at]).length;
  return (
    share(low, close, high) >= nearlyAll && repeats >= mostOpens * Math.max(fewestSteps, open.length - 1)
  );
}

/**
 * Returns the first columns of two sets of four prices side by side, as of bid and ask, that lie at one level; undefined
 * for fewer sets.
 */
export function findTwoSets(
  columns: readonly (readonly number[])[],
  candidates: readonly number[],
): readonly [number, number] | undefined {
  const steps = columns.map(measureSteps);
  const sets = listWindows(candidates).filter((window) =>
    findEnvelopes(columns, window, steps).some(({ agreeing }) => agreeing >= inOrder),
  );
  const [first = []] = sets;
  const second = sets.find(
    (set) => (set[0] ?? 0) > (first.at(-1) ?? 0) && isOfLevel(columns[set[0] ?? -1], columns[first[0] ?? -1]),
  );
  return second && [first[0] ?? 0, second[0] ?? 0];
}

function isOfLevel(one: readonly number[] = [], other: readonly number[] = []): boolean {
  const ratios = one.map((price, row) => Math.abs(price / (other[row] ?? 0) - 1));
  return ratios.filter((apart) => apart <= sameLevel).length >= inOrder * ratios.length;
}

/** Returns the mean step of a column from row to row as a logarithm; 0 if it has none above zero. */
function measureSteps(column: readonly number[]): number {
  const steps = column.slice(1).flatMap((next, at) => {
    const before = column[at] as number;
    return next > 0 && before > 0 ? [Math.abs(Math.log(next / before))] : [];
  });
  return steps.length === 0 ? 0 : steps.reduce((sum, step) => sum + step, 0) / steps.length;
}

function decide(found: readonly Candidate[]): readonly Candidate[] {
  const nearest = Math.min(...found.map(({ step }) => step));
  const near = found.filter(({ step }) => !(step > clearlyNearer * nearest));
  const usual = near.filter(isUsual);
  const left = (usual.length > 0 ? usual : near).toSorted((a, b) => rank(a) - rank(b));
  const isOpen = left.some(({ step }) => !Object.is(step, left[0]?.step));
  return isOpen || (usual.length === 0 && left.length > 1) ? left.slice(0, 2) : left.slice(0, 1);
}

/** Puts the first columns and the commonest order first, for rows that are too few or too flat to decide. */
function rank(order: PriceOrder): number {
  return (
    10 * Math.min(order.open, order.high, order.low, order.close) + usualOrders.indexOf(nameOrder(order))
  );
}

function nameOrder(order: PriceOrder): string {
  return prices.toSorted((a, b) => order[a] - order[b]).join(' ');
}

const prices = ['open', 'high', 'low', 'close'] as const;

/** Returns whether exchanges or programs use an order. */
export function isUsual(order: PriceOrder): boolean {
  const places = prices.map((role) => order[role]);
  return Math.max(...places) - Math.min(...places) === 3 && usualOrders.includes(nameOrder(order));
}

/** Returns the usual size of a move from a close to the next open; NaN for too few rows. */
function meanStep(open: readonly number[] = [], close: readonly number[] = []): number {
  const steps = open.slice(1).flatMap((next, at) => {
    const before = close[at] as number;
    return next > 0 && before > 0 ? [Math.abs(Math.log(next / before))] : [];
  });
  if (steps.length < fewestSteps) return Number.NaN;
  return steps.reduce((sum, step) => sum + step, 0) / steps.length + Number.EPSILON;
}
