import { type DrawnLaw, test } from './support/drawn-requests.ts';

/**
 * The laws of the document that tie values to each other, as properties: whatever range, interval and pool are drawn, the
 * answers keep to them. A case that breaks one is made smaller, and printed with its requests and what repeats it.
 */
const laws: readonly DrawnLaw[] = [
  {
    law: 'high is the highest price of a candle and low the lowest, and the average lies between them (§2.2)',
    rules: ['candle/high-is-highest', 'candle/low-is-lowest', 'candle/average-is-within-range'],
    role: 'history',
    asks: () => [{}],
  },
  {
    law: 'the candles of a range follow each other without a gap, each of a whole interval (§4.2)',
    rules: [
      'history/contiguous',
      'history/complete',
      'history/one-candle-per-interval',
      'candle/closed-lasts-its-interval',
      'candle/lasts-at-most-its-interval',
    ],
    role: 'history',
    asks: () => [{}],
  },
  {
    law: 'inverted candles are the plain ones seen from the other token (§4.2)',
    rules: [
      'inversion/same-candles',
      'inversion/first-and-last-are-inverse',
      'inversion/extremes-are-swapped',
      'inversion/averages-are-within-bounds',
      'inversion/usd-stays',
      'inversion/left-out-means-false',
    ],
    role: 'history',
    asks: () => [{}, { inverted: true }],
  },
  {
    law: 'the halves of a range hold what the whole of it holds (§4.2)',
    rules: ['history/closed-candles-stay', 'history/split-loses-nothing', 'history/wider-range-holds-more'],
    role: 'history',
    asks: () => [{}, { portion: 'first part' }, { portion: 'last part' }],
  },
  {
    law: 'a longer candle is made of the shorter ones in it (§2.2)',
    rules: [
      'rollup/open-is-the-first',
      'rollup/close-is-the-last',
      'rollup/high-is-the-highest',
      'rollup/low-is-the-lowest',
      'rollup/volume-is-summed',
      'rollup/liquidity-is-of-the-end',
      'rollup/average-is-within-its-parts',
    ],
    role: 'history',
    asks: (_, longer) => [{}, ...(longer === undefined ? [] : [{ interval: longer }])],
  },
  {
    law: 'the latest candles of all intervals end at one observation (§4.3)',
    rules: ['latest/intervals-agree', 'latest/is-the-newest', 'latest/only-grows', 'latest/never-goes-back'],
    role: 'latest',
    asks: (interval, longer) => [{}, ...(longer === undefined ? [] : [{ interval: longer }]), { interval }],
  },
];

for (const law of laws) {
  test(law.law, { tag: '@must' }, async ({ api }) => {
    if (typeof api === 'string') return test.skip(true, api);
    await api.hold(law);
  });
}
