import type { Definition } from '../../plan/definition.ts';
import type { ProbeOutcome, ProbeSeries, SlotRecord } from '../../results/probe-record.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const midnight = Date.UTC(2026, 10, 21);

const usual: ProbeSeries = {
  target: 'mainnet',
  probe: 'tokens',
  operation: 'listTokens',
  location: 'sydney',
};

/** Undefined takes away what a slot that ran has. */
type Otherwise = Omit<Partial<SlotRecord>, 'series' | 'outcome' | 'startedAt'> & {
  readonly outcome?: ProbeOutcome | undefined;
  readonly startedAt?: number | undefined;
};

/** A slot that ran, with what a test wants to be otherwise. */
export function makeSlot(
  scheduledAt: number,
  outcome: ProbeOutcome = 'ok',
  { series, ...rest }: Otherwise & { readonly series?: Partial<ProbeSeries> } = {},
): SlotRecord {
  return {
    series: { ...usual, ...series },
    scheduledAt,
    state: 'run',
    startedAt: scheduledAt + 3,
    finishedAt: scheduledAt + 250,
    outcome,
    ...(outcome === 'failed' && { failure: { phase: 'wait', class: 'timeout' } as const }),
    rules: [],
    samples: [],
    ...rest,
  } as SlotRecord;
}

/** Two probes of one target, one sink, an availability objective and one of latency. */
export function makeDefinition(rest: Partial<Definition> = {}): Definition {
  return {
    location: 'sydney',
    probes: [
      {
        kind: 'light',
        name: 'tokens',
        target: 'mainnet',
        rhythm: { every: 15 * minute },
        operation: 'listTokens',
        role: 'tokens',
        pools: [],
      },
      { kind: 'deep', name: 'deep', target: 'mainnet', rhythm: { every: day }, budget: 20 },
    ],
    objectives: [
      { indicator: 'availability', objective: 0.99 },
      { indicator: 'latency', objective: 0.9, under: 1000 },
    ],
    maintenance: [],
    alerting: {
      sinks: [{ name: 'pager', kind: 'command', command: ['true'] }],
      reminder: { page: hour / 2, ticket: day },
    },
    ...rest,
  };
}
