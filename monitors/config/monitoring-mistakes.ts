import { type Mistake, toMistakes } from '@candleproof/check/forms/form-file';
import type { Spec } from '@candleproof/document/spec/spec';
import { windowMistake } from '../plan/maintenance.ts';
import { alertMistakes } from './alert-mistakes.ts';
import type { ConfiguredMaintenance, MonitoringForm } from './monitoring-form.ts';
import { type PooledTargets, probeMistakes, unknownTargetMessage } from './probes.ts';

/** Finds the mistakes in the monitors' part that the schema cannot express. */
export function monitoringMistakes(
  { monitor = {}, probes = {}, maintenance = [], alerts }: MonitoringForm,
  targets: PooledTargets,
  spec: Spec,
): Mistake[] {
  return [
    ...portMistakes(monitor),
    ...probeMistakes(probes, targets, spec),
    ...maintenance.flatMap((window, index) => windowMistakes(window, index, targets)),
    ...(alerts ? alertMistakes(alerts, targets) : []),
  ];
}

function portMistakes({ control, listen }: NonNullable<MonitoringForm['monitor']>): Mistake[] {
  return Object.entries({ control, listen }).flatMap(([field, value = ':1']) => {
    const port = Number(value.slice(value.lastIndexOf(':') + 1));
    const isPort = port <= 65_535 && (port > 0 || field === 'listen');
    return toMistakes(['monitor', field], !isPort && `there is no port ${port}: "${field}" takes 1 to 65535`);
  });
}

function windowMistakes(window: ConfiguredMaintenance, index: number, targets: object): Mistake[] {
  const path = ['maintenance', String(index)];
  if (!Object.hasOwn(targets, window.target))
    return toMistakes([...path, 'target'], unknownTargetMessage(window.target, targets));
  const { field, message } = windowMistake(window) ?? {};
  return toMistakes(field ? [...path, field] : path, message);
}
