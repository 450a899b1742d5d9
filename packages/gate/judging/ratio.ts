import { thousands } from '@candleproof/law/reading/words';

/**
 * Usual moves by which a ratio may differ from a round one, since a market moves between two rows, too, and the shares between
 * which this lies: where 1 % is usual, a split of 1:10 shows as 9.7 to 10.3, and nowhere as less than 9.42.
 */
const [moves, nearest, widest] = [3, 0.02, 0.06];

const fractions = ['', 'a tenth', 'a hundredth', 'a thousandth', 'a ten-thousandth'];
const reasons = ['', ', such as a split of 1:10', ', such as pence beside pounds'];

/**
 * Ratio, or else number of usual moves, from which the price of a pair may be that of the pair turned round: 0.025 after 40, or 0.8
 * after 1.25 where 0.1 % is usual (446 moves).
 */
const [leastTurned, fewestMoves] = [8, 60];

/** Largest split that is named, and the usual one that is no whole number: news meets it too often to judge by. */
const [mostShares, halfMore] = [60, 1.5];

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
  if (isTurned(before, after, usual))
    return 'one is 1 divided by the other, as if the pair were turned round';
  const split = shares ?? (isNear(ratio, halfMore, usual) ? halfMore : undefined);
  if (split !== undefined)
    return `${share(`1/${split}`)}, such as a split of ${before < after ? `${split}:1` : `1:${split}`}`;
  const percent = Number((100 * (after > before ? ratio - 1 : 1 - 1 / ratio)).toPrecision(2));
  return `prices ${before < after ? 'rise' : 'fall'} by ${percent} % at once`;
}

/** Returns whether two prices multiply to 1, by a jump too large for chance. */
function isTurned(before: number, after: number, usual: number): boolean {
  const [ratio, product] = [Math.abs(Math.log(after / before)), before * after];
  if (ratio >= Math.log(leastTurned)) return isNear(Math.max(product, 1), Math.min(product, 1), usual);
  return ratio >= fewestMoves * usual && Math.abs(Math.log(product)) <= moves * usual;
}
