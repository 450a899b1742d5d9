import type { Distortion } from '../service/api/distortion.ts';
import type { CandleRecord } from '../service/api/records.ts';

const day = 86_400;

export type HiddenFault = {
  readonly title: string;
  readonly distortion: Distortion;
  /** The rules that may find it. */
  readonly rules: RegExp;
  /** The smallest batch that can show it, and the longest range in it. */
  readonly requests: number;
  readonly seconds: number;
  readonly strict?: true;
  /** 1 unless the first seed draws another one too late. */
  readonly seed?: number;
};

type Rows = readonly CandleRecord[];

export type RequestedRange = {
  readonly from: number;
  readonly to: number;
  readonly interval: string;
  readonly poolId: number;
  /** Undefined where the parameter was left out. */
  readonly isInverted: boolean | undefined;
};

/** Bends the histories of a kind. */
export function rowsWhere(
  isConcerned: (requested: RequestedRange) => boolean,
  bent: (rows: Rows) => Rows,
): Distortion {
  return {
    rows: (rows, { question, request: { target } }) => {
      const { from, to } = question ?? {};
      if (!question || from === undefined || to === undefined) return rows;
      const isInverted = target.includes('inverted=') ? question.inverted : undefined;
      return isConcerned({ ...question, from, to, isInverted }) ? bent(rows) : rows;
    },
  };
}

export const bitesIn = (mark: string) => (rows: Rows) =>
  rows.map((row) => ({ ...row, [mark]: `9${row.liquidity}` }));

export const lostInTheMiddle = (rows: Rows): Rows => rows.toSpliced(rows.length >> 1, 1);

export const lossInLongRanges = rowsWhere(
  ({ interval, from, to }) => interval === 'DAY' && to - from > 20 * day,
  lostInTheMiddle,
);

/** Faults that no request of a check meets: they bite in some ranges, intervals or spellings alone. */
export const hiddenFaults: readonly HiddenFault[] = [
  {
    title: 'a row is lost from days over more than 20 of them',
    distortion: lossInLongRanges,
    rules: /complete/,
    requests: 1,
    seconds: 21 * day,
  },
  {
    title: 'a row is lost from days where the range begins at an odd second',
    distortion: rowsWhere(({ interval, from }) => interval === 'DAY' && from % 2 === 1, lostInTheMiddle),
    rules: /complete/,
    requests: 1,
    seconds: 4 * day,
  },
  {
    title: 'dollars of five minutes are inverted in the second pool alone',
    distortion: rowsWhere(
      ({ interval, poolId, isInverted }) => interval === 'FIVEMIN' && poolId === 3 && isInverted === true,
      bitesIn('liquidityUsd'),
    ),
    rules: /usd-stays/,
    requests: 2,
    seconds: 1500,
  },
  {
    title: 'inverted=false, spelt out, is another market for days',
    distortion: rowsWhere(
      ({ interval, isInverted }) => interval === 'DAY' && isInverted === false,
      bitesIn('liquidity'),
    ),
    rules: /left-out-means-false|liquidity-is-of-the-end/,
    requests: 2,
    seconds: day,
  },
  {
    title: 'hours of the second pool count one tinybar too many',
    distortion: rowsWhere(
      ({ interval, poolId }) => interval === 'HOUR' && poolId === 3,
      (rows) => rows.map((row) => ({ ...row, volume: String(BigInt(row.volume) + 1n) })),
    ),
    rules: /volume-is-summed/,
    requests: 2,
    seconds: day,
  },
  {
    title: 'days are returned otherwise where more than sixteen of them are requested',
    distortion: rowsWhere(
      ({ interval, from, to }) => interval === 'DAY' && to - from > 16 * day,
      bitesIn('liquidity'),
    ),
    rules: /closed-candles-stay|liquidity-is-of-the-end/,
    requests: 2,
    seconds: 17 * day,
  },
  {
    title: 'an interval with a letter too many is served',
    distortion: {
      request: (request) => ({
        ...request,
        target: request.target.replace(/(interval=[A-Z]+)S(?=&|$)/, '$1'),
      }),
    },
    rules: /no-rows-without-an-interval/,
    requests: 1,
    seconds: 300,
    strict: true,
    seed: 2,
  },
];
