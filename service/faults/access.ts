import type { Fault } from './fault.ts';

export const keylessLatest: Fault = {
  id: 'keyless-latest',
  number: 'F94',
  class: 'auth',
  title: 'the latest candle is served without looking at the key',
  breaks: ['authentication/key-is-required'],
  distortion: {
    admitted: (admitted, { operation }) => admitted || operation === 'getLatestV1PoolCandle',
  },
};

export const doubleCharge: Fault = {
  id: 'double-charge',
  number: 'F105',
  class: 'quota',
  title: 'every request is counted twice',
  breaks: ['quota/counts-every-request'],
  distortion: { charge: (requests) => requests * 2 },
};

export const resetInSeconds: Fault = {
  id: 'reset-in-seconds',
  number: 'F108',
  class: 'quota',
  title: 'x-ratelimit-reset is in seconds',
  breaks: ['quota/reset-is-in-milliseconds'],
  distortion: { quota: (quota) => ({ ...quota, reset: Math.floor(quota.reset / 1000) }) },
};
