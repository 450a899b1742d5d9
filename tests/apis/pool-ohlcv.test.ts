import { worlds } from './double.ts';
import { testJudged } from './judged-api.ts';
import { openPoolOhlcv, poolFaults } from './pool-ohlcv.double.ts';

testJudged({
  name: 'pool OHLCV',
  document: 'gallery/geckoterminal/openapi.yaml',
  basePath: '/api/v2',
  open: openPoolOhlcv,
  worlds,
  faults: poolFaults,
  exercised: [
    'candle/documented-types',
    'candle/high-is-highest',
    'history/one-candle-per-interval',
    'history/one-order',
    'rollup/open-is-the-first',
    'rollup/volume-is-summed',
  ],
});
