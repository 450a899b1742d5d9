import type { Phase, PoolId, Timings } from '../../contract/reading/exchange.ts';
import {
  type ProbeSample,
  type ProbeSeries,
  probeOutcomes,
  type SlotRecord,
  slotStates,
} from '../probe-record.ts';

type Cell = number | string | null;

/** A row of `slots` without its planned instant and series. */
export type SlotCells = readonly [
  state: number,
  outcome: number | null,
  rawOutcome: number | null,
  started: number | null,
  finished: number | null,
  slow: number | null,
  stale: number | null,
  age: number | null,
  certificateEnd: number | null,
  more: string | null,
];

/** A row of `samples` without its slot and number. */
export type SampleCells = readonly [
  at: number,
  kind: number,
  pool: PoolId | null,
  status: number | null,
  ...phasesTotalAndSincePlanned: (number | null)[],
];

/** In the order of the columns. */
export const phases = [
  'dns',
  'connect',
  'tls',
  'send',
  'wait',
  'receive',
] as const satisfies readonly Phase[];

/** What most slots have nothing of. */
type More = Partial<
  Pick<SlotRecord, 'failure' | 'rawFailure' | 'secondFailure' | 'rules' | 'degradedBy' | 'reason' | 'passed'>
>;

const [cold, confirming] = [1, 2];

export function cellsOfSlot(slot: SlotRecord): SlotCells {
  const since = (at: number | undefined): number | null =>
    at === undefined ? null : Math.round(at - slot.scheduledAt);
  return [
    slotStates.indexOf(slot.state),
    slot.outcome === undefined ? null : probeOutcomes.indexOf(slot.outcome),
    slot.rawOutcome === undefined ? null : probeOutcomes.indexOf(slot.rawOutcome),
    since(slot.startedAt),
    since(slot.finishedAt),
    truth(slot.slow),
    truth(slot.stale),
    whole(slot.age),
    whole(slot.certificateEnd),
    moreOf(slot),
  ];
}

function moreOf({
  failure,
  rawFailure,
  secondFailure,
  rules,
  degradedBy,
  reason,
  passed,
}: SlotRecord): string | null {
  const more: More = {
    ...(failure && { failure }),
    ...(rawFailure && { rawFailure }),
    ...(secondFailure && { secondFailure }),
    ...(rules.length > 0 && { rules }),
    ...(degradedBy && { degradedBy }),
    ...(reason !== undefined && { reason }),
    ...(passed !== undefined && { passed }),
  };
  return Object.keys(more).length === 0 ? null : JSON.stringify(more);
}

export function cellsOfSample(sample: ProbeSample, scheduledAt: number): SampleCells {
  return [
    Math.round(sample.at - scheduledAt),
    (sample.cold ? cold : 0) + (sample.confirming ? confirming : 0),
    sample.pool ?? null,
    sample.status ?? null,
    ...phases.map((phase) => microseconds(sample.timings[phase])),
    microseconds(sample.timings.total),
    microseconds(sample.sincePlanned),
  ];
}

export function slotOf(
  series: ProbeSeries,
  scheduledAt: number,
  cells: readonly Cell[],
  samples: readonly ProbeSample[],
): SlotRecord {
  const [state, outcome, rawOutcome, started, finished, slow, stale, age, certificateEnd, more] =
    cells as SlotCells;
  const { rules = [], ...rest }: More = more === null ? {} : JSON.parse(more);
  return {
    series,
    scheduledAt,
    state: slotStates[state] ?? 'missed',
    ...(started !== null && { startedAt: scheduledAt + started }),
    ...(finished !== null && { finishedAt: scheduledAt + finished }),
    ...(outcome !== null && { outcome: probeOutcomes[outcome] ?? 'unknown' }),
    ...(rawOutcome !== null && { rawOutcome: probeOutcomes[rawOutcome] ?? 'unknown' }),
    ...rest,
    rules,
    ...(slow !== null && { slow: slow === 1 }),
    ...(stale !== null && { stale: stale === 1 }),
    ...(age !== null && { age }),
    ...(certificateEnd !== null && { certificateEnd }),
    samples,
  };
}

export function sampleOf(scheduledAt: number, cells: readonly Cell[]): ProbeSample {
  const [at, kind, pool, status, ...times] = cells as SampleCells;
  const [total, sincePlanned] = times.slice(phases.length);
  return {
    at: scheduledAt + at,
    cold: (kind & cold) !== 0,
    confirming: (kind & confirming) !== 0,
    ...(pool !== null && { pool }),
    ...(status !== null && { status }),
    timings: timingsOf(times, total ?? 0),
    sincePlanned: (sincePlanned ?? 0) / 1000,
  };
}

function timingsOf(times: readonly (number | null)[], total: number): Timings {
  const timings: { [phase in Phase]?: number } & { total: number } = { total: total / 1000 };
  for (const [index, phase] of phases.entries()) {
    const time = times[index];
    if (typeof time === 'number') timings[phase] = time / 1000;
  }
  return timings;
}

function microseconds(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : Math.round(milliseconds * 1000);
}

function whole(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value);
}

function truth(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}
