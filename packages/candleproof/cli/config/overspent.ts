import { formatDuration } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import type { Probe } from '@candleproof/monitors/plan/definition';
import type { KeyPlan, MonitorPlan } from '@candleproof/monitors/plan/plan';
import type { Config } from './config.ts';

const minute = 60_000;

/** Throws a UsageError for a plan that takes more than the monitors' share of a key, with the probe to change. */
export function refuseOverspent({ keys }: MonitorPlan, config: Config): void {
  for (const plan of keys) {
    const { over, lacking } = plan;
    if (!over) continue;
    const { probe, requests } = over;
    const field = 'cron' in probe.rhythm ? 'schedule' : 'every';
    const line = config.monitoring.probes
      ? config.pathLine(['probes', probe.name, field])
      : config.targetLine(probe.target);
    throw new UsageError(
      `--config: ${config.file}:${line}: ${over.affordable === undefined ? '' : 'ask less often: '}probe "${probe.name}" (${rhythmText(probe)}) takes ${requests} requests a month at ${probe.target}, and ${nameOwner(plan)} has ${shareText(plan)} for monitors, ${lacking} too few for all: ${mend(over.affordable)}${plan.key === undefined ? ', or write limit: none at the target if nothing counts its requests' : ''}`,
    );
  }
}

function nameOwner({ key, targets }: KeyPlan): string {
  return key === undefined ? targets.join(', ') : `key "${key}"`;
}

/** The last answer outranks the limit of the config, which may be another one. */
function shareText({ budget, limit, known }: KeyPlan): string {
  return known === 'answer' ? `${budget} of the ${limit} that its last answer named` : `${budget}`;
}

function rhythmText({ rhythm }: Probe): string {
  if ('cron' in rhythm) return `schedule: ${rhythm.cron}`;
  return `every: ${rhythm.every === 'budget' ? rhythm.every : formatDuration(rhythm.every)}`;
}

/** Above ten minutes whole ones are near enough. */
function mend(affordable: number | undefined): string {
  if (affordable === undefined) return 'leave it out, give it every: budget, or raise the share';
  const whole = affordable < 10 * minute ? affordable : Math.ceil(affordable / minute) * minute;
  return `give it every: ${formatDuration(whole)}, or raise the share`;
}
