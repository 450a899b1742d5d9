import type { ConfiguredProbe, MonitoringForm } from './monitoring-form.ts';

/** Where no probes are configured: every operation as often as the quota pays, and a conformance run once a week. */
export const usualProbes: Readonly<Record<string, ConfiguredProbe>> = {
  tokens: { operation: 'listTokens', every: 'budget' },
  history: { operation: 'listV2PoolCandles', every: 'budget' },
  latest: { operation: 'getLatestV1PoolCandle', every: 'budget' },
  deep: { deep: 24, every: '7d' },
};

/** The candles that a probe asks for: short ones where only the latest counts. */
export const usualInterval = { listV2PoolCandles: 'HOUR', getLatestV1PoolCandle: 'FIVEMIN' } as const;

/** Where no objectives are configured: such as the slots of a shared month of 10,000 requests can still prove. */
export const usualSlos: NonNullable<MonitoringForm['slos']> = {
  availability: { objective: 99.5 },
  latency: { objective: 95, under: '1s' },
  freshness: { objective: 99, under: '3m' },
  correctness: { objective: 99.5 },
};

export const usualLocation = 'here';
export const usualKeep = { raw: '400d', hours: '1826d' };
export const usualReminder = '4h';
export const usualBeat = '10m';
