import type { CandleRecord } from '../api/records.ts';
import type { Fault } from './fault.ts';

const extremesSwapped = (candle: CandleRecord): CandleRecord => ({
  ...candle,
  high: candle.low,
  low: candle.high,
});

export const swappedExtremes: Fault = {
  id: 'swapped-extremes',
  number: 'F25',
  class: 'OHLC',
  title: 'high and low are swapped',
  breaks: ['candle/high-is-highest', 'candle/low-is-lowest'],
  distortion: { candle: extremesSwapped },
};

export const undividedAverage: Fault = {
  id: 'undivided-average',
  number: 'F31',
  class: 'avg',
  title: 'avg is the sum over time: close times the seconds of the bucket',
  breaks: ['candle/average-is-within-range'],
  distortion: {
    candle: (candle) => ({
      ...candle,
      avg: candle.close * (candle.timestampSeconds - candle.startTimestampSeconds),
    }),
  },
};

export const inversionKeepsExtremes: Fault = {
  id: 'inversion-keeps-extremes',
  number: 'F67',
  class: 'inversion',
  title: 'inverted answers hold 1/high as high and 1/low as low',
  breaks: ['candle/high-is-highest', 'candle/low-is-lowest'],
  distortion: {
    candle: (candle, { question }) => (question?.inverted ? extremesSwapped(candle) : candle),
  },
};
