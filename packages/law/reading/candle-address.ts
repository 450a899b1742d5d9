import type { Requested } from './requested.ts';

/** The series that an answer holds candles of. */
type Series = Pick<Requested, 'operation' | 'pool' | 'interval' | 'inverted'>;

/**
 * Returns the address of a candle in every report and page: `listCandles-c-1-1h-1762905600`, with `-i` behind it if
 * it is inverted. It is the id of an element too, so every other character of a name is written as its code, as in `BTC_2f_EUR`.
 */
export function candleAddress(
  { operation, pool = '', interval = '', inverted = false }: Series,
  start: number,
): string {
  // Only a pool may keep its hyphens: the other parts have none, and so none is mistaken for another.
  const parts = [
    writeName(operation),
    'c',
    writeName(String(pool), /[^A-Za-z0-9-]/gu),
    writeName(interval),
    start,
  ];
  return `${parts.join('-')}${inverted ? '-i' : ''}`;
}

/** Returns the address of the candle of the same series that begins at another time. */
export function moveAddress(address: string, start: number): string {
  return address.replace(/-(?:\d+|-\d+)(?=(?:-i)?$)/, `-${start}`);
}

function writeName(name: string, others = /[^A-Za-z0-9]/gu): string {
  return name.replace(others, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
}
