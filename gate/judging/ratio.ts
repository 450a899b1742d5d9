import { thousands } from '../../contract/reading/thousands.ts';

/** Shares by which a ratio may differ from a round one: a market moves between two rows, too. */
const [nearest, widest] = [0.02, 0.06];

/** Usual moves by which a ratio may differ from a round one. */
const moves = 3;

const fractions = ['', 'a tenth', 'a hundredth', 'a thousandth', 'a ten-thousandth'];
const reasons = ['', ', such as a split of 1:10', ', such as pence beside pounds'];

/** Ratio from which the price of a pair may be that of the pair turned round. */
const leastTurned = 8;

/** Largest split that is named. */
const mostShares = 60;

/** Returns the power of ten, or else the split, that one price is of the other; none of an odd ratio. */
function roundRatio(ratio: number, usual: number): { readonly power?: number; readonly shares?: number } {
  const [power, shares] = [Math.round(Math.log10(ratio)), Math.round(ratio)];
  if (power >= 1 && isNear(ratio, 10 ** power, usual)) return { power };
  return shares >= 2 && shares <= mostShares && isNear(ratio, shares, usual) ? { shares } : {};
}

function isNear(ratio: number, value: number, usual: number): boolean {
  const slack = Math.min(widest, Math.max(nearest, moves * usual));
  return Math.abs(Math.log(ratio / value)) <= slack;
}

/** Returns whether one price is a whole number of times the other, as splits and units make it. */
export function isRound(before: number, after: number, usual: number): boolean {
  return Object.keys(roundRatio(Math.max(before, after) / Math.min(before, after), usual)).length > 0;
}

/** Names the power of ten that a price is of those before and after it, as in another unit; empty if it is none. */
export function namePower(price: number, before: number, after: number, usual: number): string {
  const near = Math.sqrt(before * after);
  const { power } = roundRatio(Math.max(price, near) / Math.min(price, near), usual);
  if (power === undefined) return '';
  return price < near ? `, ${nameFraction(power)} of them` : `, which are ${nameFraction(power)} of it`;
}

function nameFraction(power: number): string {
  return fractions[power] ?? `1/${thousands(10 ** power)}`;
}

/** Names what a price that stays away from the one before may be; `usual` is the usual move, as a share. */
export function nameRatio(before: number, after: number, usual: number): string {
  const ratio = Math.max(before, after) / Math.min(before, after);
  const { power, shares } = roundRatio(ratio, usual);
  const share = (words: string): string =>
    before < after ? `prices before are ${words} of these` : `prices from here on are ${words}`;
  if (power !== undefined) return share(nameFraction(power)) + (reasons[power] ?? '');
  if (ratio >= leastTurned && isNear(Math.max(before * after, 1), Math.min(before * after, 1), usual))
    return 'one is 1 divided by the other, as if the pair were turned round';
  if (shares !== undefined)
    return `${share(`1/${shares}`)}, such as a split of ${before < after ? `${shares}:1` : `1:${shares}`}`;
  return share(`1/${Number(ratio.toPrecision(3))}`);
}
