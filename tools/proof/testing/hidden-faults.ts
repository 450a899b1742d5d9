import type { Distortion } from '@candleproof/reference-service/api/distortion';

const day = 86_400;

export type HiddenFault = {
  readonly title: string;
  readonly distortion: Distortion;
  /** Rules that can find it. */
  readonly rules: RegExp;
  /** Smallest number of requests that can show it, and the longest range among them. */
  readonly requests: number;
  readonly seconds: number;
  readonly strict?: true;
};

type Rows = Parameters<NonNullable<Distortion['rows']>>[0];

export type RequestedRange = {
  readonly from: number;
  readonly to: number;
  readonly interval: string;
  readonly poolId: number;
  /** Undefined if the parameter was omitted. */
  readonly isInverted: boolean | undefined;
};

/** Returns a distortion of the histories that satisfy a condition. */
export function changeRows(
  isConcerned: (requested: RequestedRange) => boolean,
  bent: (rows: Rows) => Rows,
): Distortion {
  return {
    rows: (rows, { poolQuery, request: { target } }) => {
      const { from, to } = poolQuery ?? {};
      if (!poolQuery || from === undefined || to === undefined) return rows;
      const isInverted = target.includes('inverted=') ? poolQuery.inverted : undefined;
      return isConcerned({ ...poolQuery, from, to, isInverted }) ? bent(rows) : rows;
    },
  };
}

/** Returns a change of rows that corrupts one field. */
export const corruptField = (mark: string) => (rows: Rows) =>
  rows.map((row) => ({ ...row, [mark]: `9${row.liquidity}` }));

/** Drops the middle row. */
export const dropMiddleRow = (rows: Rows): Rows => rows.toSpliced(rows.length >> 1, 1);

export const lossInLongRanges = changeRows(
  ({ interval, from, to }) => interval === 'HOUR' && to - from > 10 * day,
  dropMiddleRow,
);

/** Faults that no request of a check shows, because they affect only some ranges, intervals or spellings. */
export const hiddenFaults: readonly HiddenFault[] = [
  {
    title: 'a row is lost from hours over more than ten days',
    distortion: lossInLongRanges,
    rules: /complete/,
    requests: 1,
    seconds: 11 * day,
  },
  {
    title: 'a row is lost from five minutes over less than a day that begin at an odd second',
    distortion: changeRows(
      ({ interval, from, to, poolId }) =>
        interval === 'FIVEMIN' && poolId === 3 && to - from < day && from % 2 === 1,
      dropMiddleRow,
    ),
    rules: /complete/,
    requests: 1,
    seconds: day,
  },
  {
    title: 'dollars of five minutes are inverted in the second pool alone',
    distortion: changeRows(
      ({ interval, poolId, isInverted }) => interval === 'FIVEMIN' && poolId === 3 && isInverted === true,
      corruptField('liquidityUsd'),
    ),
    rules: /usd-stays|liquidity-is-of-the-end/,
    requests: 2,
    seconds: 3601,
  },
  {
    title: 'inverted=false, spelt out, is another market for days',
    distortion: changeRows(
      ({ interval, isInverted }) => interval === 'DAY' && isInverted === false,
      corruptField('liquidity'),
    ),
    rules: /left-out-means-false|liquidity-is-of-the-end/,
    requests: 2,
    seconds: day + 1,
  },
  {
    title: 'five minutes of the second pool count one tinybar too many',
    distortion: changeRows(
      ({ interval, poolId }) => interval === 'FIVEMIN' && poolId === 3,
      (rows) => rows.map((row) => ({ ...row, volume: String(BigInt(row.volume) + 1n) })),
    ),
    rules: /volume-is-summed/,
    requests: 2,
    seconds: day,
  },
  {
    title: 'hours are returned otherwise where more than twelve days of them are requested',
    distortion: changeRows(
      ({ interval, from, to }) => interval === 'HOUR' && to - from > 12 * day,
      corruptField('liquidity'),
    ),
    rules: /closed-candles-stay|liquidity-is-of-the-end/,
    requests: 2,
    seconds: 13 * day,
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
  },
];
