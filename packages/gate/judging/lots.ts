import type { RowWindow } from './row-window.ts';

/** Rows near a row, on each side of it, whose volumes show a lot, and fewest of them that are multiples of it. */
const [nearRows, fewest] = [4, 4];

/** Lots from which a volume does not come again by chance: 228,412 hundreds, but not 11 lots of 1,130. */
const mostLots = 1000;

/** Share of an amount by which the arithmetic of doubles moves it, and most of it as a share of the lot: 12,430.0002 is eleven of 1,130. */
const [slack, mostSlack] = [1e-7, 0.02];

/**
 * Returns a volume as the number of lots that its neighbors count in, too, where these are few, as in a quiet hour: 11 of
 * 12430.0002 beside 2260, 10170, 14690 and 16950.0003. Few lots come again by chance; a volume of more, or without a lot, is returned itself.
 */
export function countInLots({ columns, count }: RowWindow, at: number): string {
  const volumes = columns.volume;
  const own = volumes[at] as number;
  const near: number[] = [];
  for (let row = Math.max(0, at - nearRows); row < Math.min(count, at + nearRows + 1); row++) {
    const other = volumes[row] as number;
    if (other > 0 && other !== own) near.push(other);
  }
  const lots = near
    .map((other) => findDivisor(own, other))
    .filter((lot) => own < mostLots * lot && near.filter((other) => isMultiple(other, lot)).length >= fewest);
  const lot = Math.max(0, ...lots);
  return String(lot > 0 ? Math.round(own / lot) : own);
}

/** Returns the greatest common divisor of two amounts, whose last digits may be those of doubles. */
function findDivisor(one: number, other: number): number {
  let [greater, lesser] = [Math.max(one, other), Math.min(one, other)];
  const least = slack * greater;
  while (lesser > least) [greater, lesser] = [lesser, rest(greater, lesser)];
  return greater;
}

/** Returns what is left of an amount in lots; nothing if it is nearly a lot more or less. */
function rest(amount: number, lot: number): number {
  const left = amount % lot;
  return Math.min(left, lot - left) <= slack * amount ? 0 : left;
}

function isMultiple(amount: number, lot: number): boolean {
  const lots = amount / lot;
  return Math.abs(lots - Math.round(lots)) <= Math.min(mostSlack, slack * lots);
}
