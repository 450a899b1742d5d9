import type { Fault } from './fault.ts';

export const missingLiquidityUsd: Fault = {
  id: 'missing-liquidity-usd',
  number: 'F1',
  class: 'schema',
  title: 'liquidityUsd is missing from every candle',
  breaks: ['candle/all-fields-present'],
  distortion: {
    form: ({ liquidityUsd: _missing, ...rest }) => rest,
  },
};

export const numericVolume: Fault = {
  id: 'numeric-volume',
  number: 'F7',
  class: 'types',
  title: 'volume is a JSON number instead of text',
  breaks: ['candle/documented-types'],
  distortion: {
    form: (form) => ({ ...form, volume: Number(form.volume) }),
  },
};

export const duplicateKey: Fault = {
  id: 'duplicate-key',
  number: 'F20',
  class: 'JSON',
  title: 'every candle names its poolId twice, with different values',
  breaks: ['transport/strict-json'],
  distortion: {
    body: (body, { operation }) =>
      operation === 'listTokens' ? body : body.replaceAll('"poolId":', '"poolId":-1,"poolId":'),
  },
};
