import type { Definition, Probe } from '../../plan/definition.ts';

const minute = 60_000;
const hour = 60 * minute;

export const location = 'crash';
export const begin = Date.UTC(2026, 9, 1, 5);

/** testnet's month pays for about a third of its slots. */
export const limits = { mainnet: 100_000, testnet: 3000 } as const;
export type CrashTarget = keyof typeof limits;
export const targets = ['mainnet', 'testnet'] as const satisfies readonly CrashTarget[];

export const shares = { check: 15, monitor: 60, load: 10, confirm: 5, reserve: 10 };

function listProbes(target: CrashTarget): Probe[] {
  const light = { kind: 'light', target } as const;
  const latest = { ...light, operation: 'getLatestV1PoolCandle', role: 'latest', pools: [1] } as const;
  return [
    {
      ...light,
      name: 'tokens',
      operation: 'listTokens',
      role: 'tokens',
      pools: [],
      rhythm: { every: 15 * minute },
    },
    { ...latest, name: 'minutes', interval: 'FIVEMIN', rhythm: { cron: '2-59/15 * * * *' } },
    { ...latest, name: 'hours', interval: 'HOUR', rhythm: { cron: '6-59/15 * * * *' } },
  ];
}

/** No two probes of a target have slots in the same minute, so that windows count to the instant. */
export function crashDefinition(webhook: string): Definition {
  return {
    location,
    probes: targets.flatMap(listProbes),
    objectives: [
      { indicator: 'availability', objective: 0.99 },
      { indicator: 'correctness', objective: 0.99 },
    ],
    maintenance: [],
    alerting: {
      sinks: [{ name: 'pager', kind: 'webhook', url: webhook, form: 'plain' }],
      reminder: { page: 90 * 24 * hour, ticket: 90 * 24 * hour },
    },
  };
}

/** For the first of every ten hours requests are refused, for the second candles are wrong: alerts clear after six more. */
export function scheduledFaults(now: number): string[] {
  const turn = Math.floor((now - begin) / hour) % 10;
  return [...(turn === 0 ? ['F131:1'] : []), ...(turn === 1 ? ['F25'] : [])];
}

/** So long everything has to be well at the end, in ms, for the last alerts to clear. */
export const calm = 7 * hour;

/** When the first fault is over. */
export const firstCalm = begin + hour;
