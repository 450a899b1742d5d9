import { mergeAll } from '@candleproof/law/planning/histogram';
import { sliceCount } from './bill.ts';
import { outcomes, perSlice, totals } from './counters.ts';
import type { LoadFigures, LoadRun, SliceFigures } from './load-run.ts';
import { decideVerdict } from './verdict.ts';

/** Thrown for runs that are not segments of one load. */
export class UnlikeRuns extends Error {
  override readonly name = 'UnlikeRuns';
}

/** Merges the segments of one load by adding counts and buckets, without any estimate. Throws UnlikeRuns. */
export function mergeRuns(runs: readonly [LoadRun, ...LoadRun[]]): LoadRun {
  const [first] = runs;
  const segments = runs.flatMap((run) => run.parts);
  const names = segments.map(({ segment }) => (segment === undefined ? 'the whole' : `segment ${segment}`));
  for (const { trial } of runs) {
    if (trial.grant !== first.trial.grant || JSON.stringify(trial.load) !== JSON.stringify(first.trial.load))
      throw new UnlikeRuns('these runs are not segments of one load: their grants or their stages differ');
  }
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw new UnlikeRuns(`${repeated} is there twice`);
  const figures = mergeFigures(runs.map((run) => run.figures));
  const ended = runs.find((run) => run.ended)?.ended;
  const facts = { trial: first.trial, parts: segments, figures, ended };
  return { format: 1, ...facts, ...decideVerdict(facts) };
}

/** Adds up the figures of several segments. */
export function mergeFigures(all: readonly LoadFigures[]): LoadFigures {
  const quotas = all.flatMap(({ quota }) => (quota ? [quota] : []));
  const [quota] = quotas;
  return {
    ...sumEach(all, [...totals, 'dropped', 'judged', 'judgingUs', 'crashed', 'breached']),
    outcomes: sumEach(
      all.map((one) => one.outcomes),
      outcomes,
    ),
    rules: addCounts(all.map((one) => one.rules)),
    latency: mergeAll(all.map((one) => one.latency)),
    slices: Array.from({ length: sliceCount }, (_, at) =>
      mergeSlices(all.flatMap((one) => one.slices[at] ?? [])),
    ),
    ...(quota && {
      quota: {
        ...quota,
        remaining: Math.min(...quotas.map((quota) => quota.remaining)),
        additional: Math.max(...quotas.map((quota) => quota.additional)),
      },
    }),
  };
}

function mergeSlices(all: readonly SliceFigures[]): SliceFigures {
  return {
    ...sumEach(all, [...perSlice, 'judged', 'breached']),
    latency: mergeAll(all.map((slice) => slice.latency)),
  };
}

function sumEach<Name extends string>(
  all: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Record<Name, number> {
  const sums = names.map((name) => [name, all.reduce((sum, part) => sum + part[name], 0)]);
  return Object.fromEntries(sums);
}

function addCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const part of all) for (const [id, n] of Object.entries(part)) counts[id] = (counts[id] ?? 0) + n;
  return counts;
}
