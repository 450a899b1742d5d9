/** Faults of such an API that are not built here, with the reasons. */
export type UnbuiltFault = {
  /** Number in the catalogue, if it has one. */
  readonly number?: `F${number}`;
  readonly id: string;
  readonly title: string;
  readonly reason: string;
};

/** The blind spots of faults and judge alike, for readers of a report. */
export const UNBUILT: readonly UnbuiltFault[] = [
  {
    id: 'wrong-price-source',
    title: 'prices come from a plausible but wrong source',
    reason: 'Nothing in the three operations tells another price; it takes the ledger or a second oracle.',
  },
  {
    id: 'one-factor-everywhere',
    title: 'all candles of a pool are off by the same factor',
    reason: 'Every rule compares candles with one another; it takes the pool itself, read on the ledger.',
  },
  {
    id: 'average-of-another-sampling',
    title: 'averages are taken over another regular sampling than minutes',
    reason: 'Means over other even steps agree with each other as well as those over minutes do.',
  },
  {
    id: 'latest-unlike-history',
    title: 'the latest candle of a V1 pool differs from its history',
    reason: 'The document has no history of V1 pools, so the service has none that could differ.',
  },
  {
    id: 'keyed-data-over-plain-http',
    number: 'F101',
    title: 'plain HTTP serves data to those who send a key',
    reason: 'The judge never sends a key in the clear to find out; the built form serves anybody.',
  },
  {
    id: 'keys-kept-in-the-clear',
    title: 'keys are stored, or logged, as text',
    reason: 'It happens behind the API and shows in no answer.',
  },
  {
    id: 'generations-mixed',
    number: 'F58',
    title: 'a V2 pool is answered with the data of the V1 pool of the same number',
    reason:
      'The built form serves another pool of its generation; no two of ours share both number and prices.',
  },
  {
    id: 'counter-of-each-connection',
    number: 'F106',
    title: 'a connection stays with its process, which counts for itself',
    reason: 'The service answers requests without knowing their connection; the built form takes turns.',
  },
  {
    id: 'other-head',
    number: 'F125',
    title: 'HEAD has other headers than GET',
    reason: 'The document does not name HEAD; the built form answers POST.',
  },
];
