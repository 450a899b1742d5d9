import { type Mistake, toMistakes } from '@candleproof/check/forms/form-file';
import { operationById, spacePrefix } from '@candleproof/document/spec/operation';
import type { Operation, OperationId, PoolId, PoolsBySpace, Spec } from '@candleproof/document/spec/spec';
import { readDuration } from '@candleproof/files/read-numbers';
import { cronMistake, readCron } from '../plan/cron-times.ts';
import type { Probe, ProbeRhythm } from '../plan/definition.ts';

/** A probe as candleproof.yaml has it; durations are still text. */
export type ConfiguredProbe = {
  readonly operation?: OperationId;
  /** Most requests of a small conformance run. */
  readonly deep?: number;
  readonly interval?: string;
  readonly pools?: readonly PoolId[];
  readonly targets?: readonly string[];
  readonly every?: string;
  readonly schedule?: string;
};

type Pooled = { readonly pools: PoolsBySpace };

/** The facts of targets that decide which probes they can have. */
export type PooledTargets = Readonly<Record<string, Pooled>>;

/** Milliseconds: more frequent requests are a load test. */
const shortestPeriod = 10_000;

/** Makes the probes of one target, except those without a pool to request. */
export function makeProbes(
  spec: Spec,
  target: string,
  pools: PoolsBySpace,
  probes: Readonly<Record<string, ConfiguredProbe>>,
): Probe[] {
  return Object.entries(probes).flatMap(([name, probe]): Probe[] => {
    if (probe.targets && !probe.targets.includes(target)) return [];
    const scheduled = { name, target, rhythm: readRhythm(probe) };
    const { operation, deep, interval } = probe;
    if (operation === undefined) return [{ kind: 'deep', ...scheduled, budget: deep ?? 0 }];
    const asking = operationById(spec, operation);
    if (asking.role === 'tokens')
      return [{ kind: 'light', ...scheduled, operation, role: asking.role, pools: [] }];
    const requested = probe.pools ?? pools[asking.space] ?? [];
    if (requested.length === 0) return [];
    const candles = {
      operation,
      role: asking.role,
      pools: requested,
      interval: interval ?? defaultInterval(spec, asking),
    };
    return [{ kind: 'light', ...scheduled, ...candles }];
  });
}

/** Returns the interval of the candles that a probe requests: short if only the latest counts. */
function defaultInterval({ rungs, intervals }: Spec, { role }: Operation): string {
  const wanted = role === 'latest' ? rungs.minutes : rungs.hour;
  return (wanted ?? intervals[0])?.name ?? '';
}

function readRhythm({ every = '', schedule }: ConfiguredProbe): ProbeRhythm {
  if (schedule !== undefined) return { cron: schedule };
  return { every: every === 'budget' ? every : readDuration(every) };
}

/** The operation that a probe names; undefined for one that the document has not, and for a deep probe. */
function operationNamed({ operations }: Spec, id: string | undefined): Operation | undefined {
  return operations.find((operation) => operation.id === id);
}

/** Finds the mistakes in the probes that the schema cannot express. */
export function probeMistakes(
  probes: Readonly<Record<string, ConfiguredProbe>>,
  targets: PooledTargets,
  spec: Spec,
): Mistake[] {
  return Object.entries(probes).flatMap(([name, probe]) => {
    const mistakes = [...kindMistakes(name, probe, spec), ...rhythmMistakes(name, probe)];
    // Which pools are right is only known of a probe that is one.
    const found = mistakes.length > 0 ? mistakes : poolMistakes(name, probe, targets, spec);
    return found.map(({ path, message }) => ({ path: ['probes', name, ...path], message }));
  });
}

function kindMistakes(name: string, probe: ConfiguredProbe, spec: Spec): Mistake[] {
  const { operation, deep, interval, pools } = probe;
  if ((operation === undefined) === (deep === undefined))
    return toMistakes([], `probe "${name}" needs operation or deep, and not both`);
  const named = operationNamed(spec, operation);
  if (operation !== undefined && !named) {
    const known = spec.operations.map(({ id }) => id).join(', ');
    return toMistakes(['operation'], `the document has no operation "${operation}": use ${known}`);
  }
  if (named && named.role !== 'tokens') return intervalMistakes(interval, spec);
  const what = operation ?? 'a deep probe';
  return Object.entries({ interval, pools }).flatMap(([field, value]) =>
    toMistakes([field], value !== undefined && `${what} takes no ${field}: leave "${field}" out`),
  );
}

function intervalMistakes(interval: string | undefined, { intervals }: Spec): Mistake[] {
  if (interval === undefined || intervals.some(({ name }) => name === interval)) return [];
  const known = intervals.map(({ name }) => name).join(', ');
  return toMistakes(['interval'], `the document has no interval "${interval}": use ${known}`);
}

function rhythmMistakes(name: string, { deep, every, schedule }: ConfiguredProbe): Mistake[] {
  if ((every === undefined) === (schedule === undefined))
    return toMistakes([], `probe "${name}" needs every or schedule, and not both`);
  if (schedule !== undefined) return toMistakes(['schedule'], scheduleMistake(schedule));
  if (every === 'budget' && deep !== undefined) {
    const mend = 'a deep probe costs too much to run as often as the budget pays: say how often, such as 7d';
    return toMistakes(['every'], mend);
  }
  return toMistakes(
    ['every'],
    readDuration(every ?? '') < shortestPeriod &&
      `every ${every} is too often: leave at least 10s between two slots`,
  );
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
  targets: PooledTargets,
  spec: Spec,
): Mistake[] {
  const unknown = (named ?? []).filter((name) => !Object.hasOwn(targets, name));
  if (unknown[0] !== undefined) return toMistakes(['targets'], unknownTargetMessage(unknown[0], targets));
  const asking = operationNamed(spec, operation);
  if (!asking || asking.role === 'tokens') return [];
  const { space } = asking;
  const requested = Object.entries(targets).filter(([target]) => named?.includes(target) ?? true);
  if (pools)
    return requested.flatMap(([target, pooled]) => listUnknownPools(pools, target, pooled, space, spec));
  const empty = requested.filter(([, pooled]) => (pooled.pools[space] ?? []).length === 0);
  const isIdle = named ? empty.length > 0 : empty.length === requested.length;
  if (!isIdle) return [];
  const lack = named ? `"${empty[0]?.[0]}" has no` : 'no target has any';
  const message = `probe "${name}" has nothing to ask: ${lack} ${spacePrefix(spec, space)}pool: leave it out or add a pool`;
  return toMistakes(named ? ['targets'] : [], message);
}

function listUnknownPools(
  pools: readonly PoolId[],
  target: string,
  { pools: chosen }: Pooled,
  space: string,
  spec: Spec,
): Mistake[] {
  const known = chosen[space] ?? [];
  const stranger = pools.find((pool) => !known.includes(pool));
  if (stranger === undefined) return [];
  const other = Object.keys(chosen).find((space) => chosen[space]?.includes(stranger));
  const name = (space: string): string => spacePrefix(spec, space);
  const what =
    other === undefined
      ? `is no ${name(space)}pool of "${target}"`
      : `is a ${name(other)}pool of "${target}" and the operation knows ${name(space)}ones only`;
  const mend =
    known.length > 0 ? `use ${known.join(', ')} or name other targets` : 'name targets that have it';
  return toMistakes(['pools'], `pool ${stranger} ${what}: ${mend}`);
}

/** A name that is none of the targets'. */
export function unknownTargetMessage(name: string, targets: object): string {
  return `no target is called "${name}": use ${Object.keys(targets).join(', ')}`;
}
