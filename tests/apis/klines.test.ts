import { oldWorld, tradesAloneWorld, worlds } from './double.ts';
import { testJudged } from './judged-api.ts';
import { klineFaults, openKlines } from './klines.double.ts';

testJudged({
  name: 'klines',
  document: 'gallery/binance/openapi.yaml',
  basePath: '',
  open: openKlines,
  worlds: [...worlds, oldWorld, tradesAloneWorld],
  faults: klineFaults,
  exercised: [
    'candle/documented-types',
    'candle/high-is-highest',
    'candle/closed-lasts-its-interval',
    'history/complete',
    'history/one-order',
    'rollup/open-is-the-first',
    'rollup/volume-is-summed',
  ],
});
