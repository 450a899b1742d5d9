import { day, stamp } from '@candleproof/document/spec/interval';
import { thousands } from '@candleproof/law/reading/words';
import { oddsOfRun } from './detector.ts';
import { capacity } from './row-window.ts';
import type { RunKind } from './runs.ts';

/** Rows that are remembered, the last ones; a power of two, and the bits of a row's place among them. */
const remembered = 1 << 15;
const placeBits = remembered - 1;

/** Factors that keep the values of a row apart in one sum, by which it is known again. */
const mixed = { open: Math.SQRT2, high: Math.E, low: Math.PI, volume: Math.LN2 };

/** Rows of a block that repeat earlier ones in their order, and those among them that have a range and another close. */
const [fewestRows, fewestMoves] = [4, 3];

/** Rows that come again together, as days that were filled with earlier ones: each is the one after that of the row before. */
export const repeatedRows: RunKind = {
  doubt: {
    ...{ id: 'row/day-repeated', kind: 'copy' },
    statement: 'No day, and no four rows in a row that move, have all rows of earlier ones.',
  },
  ...{ lead: 1, fewest: fewestRows, fewestMarked: fewestMoves },
  open({ columns, length }) {
    const { start, open, high, low, close, volume } = columns;
    const [keys, starts] = [new Float64Array(remembered).fill(Number.NaN), new Float64Array(remembered)];
    /** By the hash of a row's key the row with it: 16 more bits of the hash, and the place among those remembered. */
    const places = new Int32Array(remembered);
    /** The start of the row that the first of a block repeats, by the position of its rows. */
    const values = new Float64Array(capacity);
    let [rows, latest, origin] = [0, -1, Number.NaN];
    return {
      flag(from, to, flags) {
        let [number, match, since] = [rows, latest, origin];
        values[from - 1] = since;
        for (let at = from; at < to; at++) {
          number++;
          const price = close[at] as number;
          const amount = volume[at] as number;
          const sum =
            (open[at] as number) * mixed.open +
            (high[at] as number) * mixed.high +
            (low[at] as number) * mixed.low;
          const key = price + sum + (amount > 0 ? mixed.volume * amount : 0);
          const hash = (key - Math.floor(key)) * 2 ** 31;
          const slot = hash >>> 16;
          const entry = ((hash & 0xffff) << 15) | (number & placeBits);
          const place = places[slot] as number;
          // Most rows are unlike all others, which the bits tell without a look at a key.
          const isKnown = (place ^ entry) < remembered && keys[place & placeBits] === key;
          const found = isKnown ? number - ((number - place) & placeBits) : -1;
          // A row without a range shows nothing, and is none that a block lacks.
          const isIdle = high[at] === low[at];
          // Another row may have taken the place of the next one by its hash.
          const isNext = found === match + 1 || keys[(match + 1) & placeBits] === key;
          const goesOn = match > 0 && (isIdle || isNext);
          if (goesOn && match + 2 < number) flags[at] = 1;
          if (!goesOn && found > 0) since = starts[found & placeBits] as number;
          match = goesOn ? match + 1 : isIdle ? -1 : found;
          values[at] = since;
          places[slot] = entry;
          keys[number & placeBits] = key;
          starts[number & placeBits] = start[at] as number;
        }
        [rows, latest, origin] = [number, match, since];
      },
      values,
      marks: (at) => high[at] !== low[at] && close[at] !== close[at - 1],
      judge(run, counts) {
        const text = stamp(run.value).slice(0, length % day === 0 ? 10 : 16);
        const detail = `${thousands(run.rows)} rows in a row are those from ${text} on`;
        return { detail, odds: oddsOfRun(counts.rows, counts.alike, run.rows - 1) };
      },
    };
  },
};
