import { cronMistake, readCron } from '../../monitors/cron-times.ts';
import type { Mistake } from '../form-file.ts';
import { durationOf } from './duration.ts';
import type { ConfiguredProbe } from './monitoring-form.ts';

type Pooled = { readonly pools: { readonly v1?: readonly number[]; readonly v2?: readonly number[] } };

/** What has to be known of the targets to say which probes they can have. */
export type Targets = Readonly<Record<string, Pooled>>;

/** Milliseconds: whoever asks more often than this wants a load test. */
const shortestPeriod = 10_000;

/** The generation of pools that an operation knows; the token list knows none. */
export const generationOf = {
  listTokens: undefined,
  listV2PoolCandles: 'v2',
  getLatestV1PoolCandle: 'v1',
} as const;

/** What the schema cannot say of the probes. */
export function probeMistakes(
  probes: Readonly<Record<string, ConfiguredProbe>>,
  targets: Targets,
): Mistake[] {
  return Object.entries(probes).flatMap(([name, probe]) => {
    const mistakes = [...kindMistakes(name, probe), ...rhythmMistakes(name, probe)];
    // Which pools are right is only known of a probe that is one.
    const found = mistakes.length > 0 ? mistakes : poolMistakes(name, probe, targets);
    return found.map(({ path, message }) => ({ path: ['probes', name, ...path], message }));
  });
}

function kindMistakes(name: string, probe: ConfiguredProbe): Mistake[] {
  const { operation, deep, interval, pools } = probe;
  if ((operation === undefined) === (deep === undefined)) {
    return [{ path: [], message: `probe "${name}" needs operation or deep, and not both` }];
  }
  if (operation !== undefined && generationOf[operation] !== undefined) return [];
  const what = operation ?? 'a deep probe';
  return Object.entries({ interval, pools }).flatMap(([field, value]) =>
    value === undefined
      ? []
      : [{ path: [field], message: `${what} takes no ${field}: leave "${field}" out` }],
  );
}

function rhythmMistakes(name: string, { deep, every, schedule }: ConfiguredProbe): Mistake[] {
  if ((every === undefined) === (schedule === undefined)) {
    return [{ path: [], message: `probe "${name}" needs every or schedule, and not both` }];
  }
  if (schedule !== undefined) {
    const message = scheduleMistake(schedule);
    return message === undefined ? [] : [{ path: ['schedule'], message }];
  }
  if (every === 'budget' && deep !== undefined) {
    const message =
      'a deep probe costs too much to run as often as the budget pays: say how often, such as 7d';
    return [{ path: ['every'], message }];
  }
  return durationOf(every ?? '') < shortestPeriod
    ? [{ path: ['every'], message: `every ${every} is too often: leave at least 10s between two slots` }]
    : [];
}

function scheduleMistake(schedule: string): string | undefined {
  const mistake = cronMistake(schedule);
  if (mistake !== undefined) {
    return `"${schedule}" is no schedule (${mistake}): write one such as */15 * * * *`;
  }
  const times = readCron(schedule);
  if (times.next(Date.UTC(2024, 0, 1)) === Infinity) {
    return `"${schedule}" never comes: its day of month and its day of week have to meet`;
  }
  return times.shortest < shortestPeriod
    ? `"${schedule}" is too often: leave at least 10s between two slots`
    : undefined;
}

function poolMistakes(
  name: string,
  { operation, pools, targets: named }: ConfiguredProbe,
  targets: Targets,
): Mistake[] {
  const unknown = (named ?? []).filter((each) => !Object.hasOwn(targets, each));
  if (unknown[0] !== undefined) {
    return [{ path: ['targets'], message: unknownTarget(unknown[0], targets) }];
  }
  const generation = operation && generationOf[operation];
  if (generation === undefined) return [];
  const asked = Object.entries(targets).filter(([target]) => named?.includes(target) ?? true);
  if (pools) return asked.flatMap(([target, each]) => strangers(pools, target, each, generation));
  const empty = asked.filter(([, each]) => (each.pools[generation] ?? []).length === 0);
  const isIdle = named ? empty.length > 0 : empty.length === asked.length;
  if (!isIdle) return [];
  const lack = named ? `"${empty[0]?.[0]}" has no` : 'no target has any';
  const message = `probe "${name}" has nothing to ask: ${lack} ${generation.toUpperCase()} pool: leave it out or add a pool`;
  return [{ path: named ? ['targets'] : [], message }];
}

function strangers(
  pools: readonly number[],
  target: string,
  { pools: own }: Pooled,
  generation: 'v1' | 'v2',
): Mistake[] {
  const known = own[generation] ?? [];
  const stranger = pools.find((each) => !known.includes(each));
  if (stranger === undefined) return [];
  const other = generation === 'v1' ? 'v2' : 'v1';
  const what = own[other]?.includes(stranger)
    ? `is a ${other.toUpperCase()} pool of "${target}" and the operation knows ${generation.toUpperCase()} ones only`
    : `is no ${generation.toUpperCase()} pool of "${target}"`;
  const mend =
    known.length > 0 ? `use ${known.join(', ')} or name other targets` : 'name targets that have it';
  return [{ path: ['pools'], message: `pool ${stranger} ${what}: ${mend}` }];
}

/** A name that is none of the targets'. */
export function unknownTarget(name: string, targets: object): string {
  return `no target is called "${name}": use ${Object.keys(targets).join(', ')}`;
}
