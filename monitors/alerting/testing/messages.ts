import type { DeliveryRecord } from '../../results/results-store.ts';
import { toJson } from '../cause.ts';
import type { AlertMessage } from '../message.ts';
import { midnight } from './slots.ts';

export const message: AlertMessage = {
  id: `alert/mainnet/availability/sydney/${midnight}/fired/0`,
  kind: 'fired',
  at: new Date(midnight).toISOString(),
  location: 'sydney',
  text: 'page: availability of mainnet from sydney burns its budget: bad 2 of 4 slots in 1h',
  target: 'mainnet',
  indicator: 'availability',
  severity: 'page',
  since: new Date(midnight).toISOString(),
  objective: 0.99,
};

/** Returns a delivery to a sink, each about another target. */
export function deliveryTo(sink: string, n = 0): DeliveryRecord {
  const numbered = { ...message, id: `${message.id}-${n}`, target: `mainnet-${n}` };
  return { id: `${numbered.id}/${sink}`, sink, dueAt: midnight + n, attempts: 0, message: toJson(numbered) };
}
