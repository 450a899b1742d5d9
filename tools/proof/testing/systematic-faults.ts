/**
 * Faults of the reference service that every request which meets them shows, at any minute: one build of each gets one
 * verdict, for the same rules.
 */
export const systematicFaults: readonly string[] = [
  ...['F4', 'F7', 'F11', 'F22', 'F23', 'F25', 'F26', 'F31'],
  ...['F32', 'F34', 'F39', 'F42', 'F45', 'F46', 'F51', 'F60'],
  ...['F66', 'F67', 'F70', 'F75', 'F83', 'F94', 'F101', 'F102'],
  ...['F105', 'F108', 'F116', 'F118', 'F121', 'F143', 'F144', 'F145'],
  ...['F147', 'F178', 'F181', 'F184', 'F186', 'F187', 'F188', 'F189', 'F196'],
];

/** Faults that are always found, but of which some further rules can only show something at some minutes; and why. */
export const minutelyFaults: readonly {
  readonly number: string;
  readonly rules: readonly string[];
  readonly cause: string;
}[] = [
  {
    number: 'F24',
    rules: ['rollup/open-holds-its-parts'],
    cause: 'on a Monday the open week holds no other day',
  },
  {
    number: 'F35',
    rules: ['latest/intervals-agree'],
    cause: 'on a Monday the latest DAY and WEEK hold the same observations',
  },
  {
    number: 'F36',
    rules: ['latest/intervals-agree', 'latest/usd-volumes-nest'],
    cause: 'in the last five minutes of an hour the next one has begun in FIVEMIN alone',
  },
  {
    number: 'F37',
    rules: ['rollup/open-is-made-of-its-parts'],
    cause: 'the price at midnight need not be an extreme of its day',
  },
  {
    number: 'F38',
    rules: ['history/wider-range-holds-more'],
    cause: 'whether rows that begin with two ranges meet is the minute’s choice',
  },
  {
    number: 'F49',
    rules: ['history/nothing-before-birth-or-after-now'],
    cause: 'shortly before an hour ends, two rows earlier are not yet data',
  },
  {
    number: 'F65',
    rules: ['latest/is-the-newest', 'inversion/average-is-of-inverses'],
    cause: 'in its first minutes the HOUR candle is as new as that of FIVEMIN',
  },
  {
    number: 'F69',
    rules: ['rollup/average-is-the-mean'],
    cause: 'the inverse of a mean is near the mean of inverses while prices hardly move',
  },
  {
    number: 'F71',
    rules: ['rollup/open-holds-its-parts'],
    cause: 'what the open candle holds beside its parts may outweigh what these have too much',
  },
  {
    number: 'F73',
    rules: ['rollup/open-holds-its-parts'],
    cause: 'the extremes of parts need not lie beyond those of the open candle',
  },
  {
    number: 'F79',
    rules: ['latest/intervals-agree', 'rollup/open-holds-its-parts', 'rollup/open-is-made-of-its-parts'],
    cause: 'on a Monday the week has less than twice the volume of its only day',
  },
  {
    number: 'F190',
    rules: ['latest/usd-volumes-nest'],
    cause: 'nothing was traded yet in an hour that has just begun',
  },
  {
    number: 'F130',
    rules: ['rollup/average-is-within-its-parts'],
    cause: 'an average may lie between parts that are upside down',
  },
];

/**
 * Minutes of all kinds but those just after a full hour: open candles of one observation cannot show that their
 * extremes, sums or sides are wrong. The usual test takes three: one amid an hour, one before its end, and a Monday.
 */
export const minutes: readonly number[] = [
  '2026-03-11T15:32:20Z',
  '2026-03-11T15:33:07Z',
  '2026-03-11T15:36:59Z',
  '2026-03-11T15:59:30Z',
  '2026-03-11T18:47:41Z',
  '2026-03-11T23:58:20Z',
  '2026-03-12T05:11:05Z',
  '2026-03-13T09:12:33Z',
  '2026-03-14T21:21:21Z',
  '2026-03-16T13:08:44Z',
]
  .filter((_, at) => process.env.CANDLEPROOF_THOROUGH || (at % 3 === 0 && at !== 6))
  .map((time) => Date.parse(time));

/** Milliseconds that an answer takes on its way. */
export const latencies: readonly number[] = process.env.CANDLEPROOF_THOROUGH ? [0, 100, 400] : [0, 400];
