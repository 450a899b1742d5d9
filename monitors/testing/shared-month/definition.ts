import type { Definition } from '../../plan/definition.ts';
import { listProbes, octoberDefinition } from '../october/definition.ts';
import { locations, type SharedLocation, type SharedScript } from './script.ts';

/** Requests of a month: little more than what the three of them take. */
export const sharedLimit = 3000;

/** Nothing is kept for checks and loads, so that the monitors alone go as far as the reserve. */
export const sharedShares = { check: 0, monitor: 85, load: 0, confirm: 5, reserve: 10 };

export const sharedReserve = (sharedLimit * sharedShares.reserve) / 100;

/** Looks every half hour and every three hours, and as often as the rest pays; no planned work. */
export function sharedDefinition(location: SharedLocation, webhook: string): Definition {
  const [tokens, ...others] = listProbes('mainnet');
  const { alerting, ...october } = octoberDefinition();
  return {
    ...october,
    alerting: { ...alerting, sinks: [{ name: 'pager', kind: 'webhook', url: webhook, form: 'plain' }] },
    ...{ location, maintenance: [] },
    slots: { index: locations.indexOf(location), of: locations.length },
    probes: [...(tokens ? [{ ...tokens, rhythm: { every: 'budget' } } as const] : []), ...others],
  };
}

/**
 * Returns the requests left at the beginning, so that the monitors come down to the reserve: half of the foreign
 * requests too few.
 */
export function countRemaining({ month, foreign }: SharedScript): number {
  const monitorShare = (sharedLimit * sharedShares.monitor * (month.end - month.begin)) / (31 * 86_400_000);
  return Math.min(sharedLimit, sharedReserve + Math.ceil(monitorShare / 100 + foreign.requests));
}
