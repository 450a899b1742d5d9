import { listOperations } from '@candleproof/document/spec/operation';
import type { OperationRole } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import type { MonitoringForm } from './monitoring-form.ts';
import type { ConfiguredProbe } from './probes.ts';

/**
 * Returns the probes of a target for which none are configured: every operation as often as the quota pays, under the
 * name of its role if that is unique, and a conformance run once a week.
 */
export function defaultProbes(spec: Spec): Readonly<Record<string, ConfiguredProbe>> {
  const isOnly = (role: OperationRole): boolean => listOperations(spec, role).length === 1;
  return {
    ...Object.fromEntries(
      spec.operations.map(({ id, role }) => [isOnly(role) ? role : id, { operation: id, every: 'budget' }]),
    ),
    deep: { deep: 24, every: '7d' },
  };
}

/** The default objectives: the slots of a shared month of 10,000 requests can still prove them. */
export const usualSlos: NonNullable<MonitoringForm['slos']> = {
  availability: { objective: 99.5 },
  latency: { objective: 95, under: '1s' },
  freshness: { objective: 99, under: '3m' },
  correctness: { objective: 99.5 },
};

export const usualKeep = { raw: '400d', hours: '1826d' };
export const usualReminders = { page: '30m', ticket: '24h' };
export const usualBeat = '10m';
