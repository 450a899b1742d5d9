import type { Definition, Probe } from '../../plan/definition.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The usual shares of a month of 10,000 requests. */
export const limit = 10_000;
export const shares = { check: 15, monitor: 60, load: 10, confirm: 5, reserve: 10 };

export const objectives = {
  availability: { objective: 0.99 },
  latency: { objective: 0.9, under: 5000 },
  freshness: { objective: 0.99, under: 5 * minute },
  correctness: { objective: 0.99 },
} as const;

/** Every half hour or hour at four past; the others as `periods` has it. */
const looks = { mainnet: '4,34 * * * *', testnet: '4 * * * *' };
export const periods = { tokens: 12 * hour, history: 3 * hour };

/** Returns the probes of a target. */
export function listProbes(target: 'mainnet' | 'testnet'): Probe[] {
  const light = { kind: 'light', target } as const;
  return [
    {
      ...light,
      name: 'tokens',
      operation: 'listTokens',
      role: 'tokens',
      pools: [],
      rhythm: { every: periods.tokens },
    },
    {
      ...light,
      name: 'history',
      operation: 'listV2PoolCandles',
      role: 'history',
      pools: [1],
      interval: 'HOUR',
      rhythm: { every: periods.history },
    },
    {
      ...light,
      name: 'latest',
      operation: 'getLatestV1PoolCandle',
      role: 'latest',
      pools: [1],
      interval: 'FIVEMIN',
      rhythm: { cron: looks[target] },
    },
  ];
}

/** Three operations at two targets, planned work by the clocks of London and Sydney. */
export function octoberDefinition(): Definition {
  return {
    location: 'october',
    probes: [...listProbes('mainnet'), ...listProbes('testnet')],
    objectives: Object.entries(objectives).map(([indicator, objective]) => ({
      indicator: indicator as keyof typeof objectives,
      ...objective,
    })),
    maintenance: [
      {
        target: 'mainnet',
        window: { zone: 'Australia/Sydney', days: ['sunday'], from: '01:30', to: '03:30' },
      },
      { target: 'testnet', window: { zone: 'Europe/London', days: ['sunday'], from: '00:30', to: '01:45' } },
    ],
    alerting: { sinks: [], reminder: { page: 2 * hour, ticket: 2 * hour } },
  };
}
