import { countSamples, locateRank, percentileRank } from '@candleproof/law/planning/histogram';
import { totalSeconds } from './bill.ts';
import { type LoadOutcome, outcomes } from './counters.ts';
import {
  type Compared,
  compareEstimates,
  countAbove,
  estimateClustering,
  estimatePercentile,
  estimateShare,
} from './estimates.ts';
import type { LoadRun, LoadVerdict } from './load-run.ts';
import { UnlikeRuns } from './merge.ts';
import { countPlanned, listUndelivered } from './verdict.ts';

export type ComparedRun = {
  readonly target: LoadRun['trial']['target'];
  readonly command: string;
  readonly startedAt: string;
  readonly verdict: LoadRun['verdict'];
  readonly reasons: readonly string[];
  readonly sent: number;
  readonly planned: number;
  /** Answered requests per second. */
  readonly delivered: number;
  /** Number of samples of the percentiles. */
  readonly timed: number;
  readonly outcomes: LoadRun['figures']['outcomes'];
  readonly dropped: number;
  readonly judged: number;
  readonly breached: number;
  readonly breakpoint?: LoadVerdict['breakpoint'];
};

/** The content of comparison.json: two runs of the same load. */
export type LoadComparison = {
  readonly format: 1;
  readonly scenario: string;
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** Reason why no difference is significant; absent if differences can be judged. */
  readonly undecided?: string;
  /** Microseconds from the time at which a request was due. */
  readonly percentiles: readonly (Compared & { readonly p: number })[];
  /** Shares of requests by outcome, as fractions, without outcomes that neither run has. */
  readonly errors: readonly (Compared & { readonly outcome: LoadOutcome })[];
  /** Share of judged answers that were wrong, as a fraction. */
  readonly wrong: Compared;
};

/** Compares `after` with `before`. Throws UnlikeRuns for runs of different loads. */
export function compareRuns(before: LoadRun, after: LoadRun): LoadComparison {
  refuseDifferentLoads(before, after);
  const undecided = [before, after].some((run) => listUndelivered(run).length > 0)
    ? 'the load of one of them was not delivered as planned: its figures are not those of this load'
    : undefined;
  const withoutDoubted = (compared: Compared): Compared =>
    undecided === undefined ? compared : { before: compared.before, after: compared.after };
  const runs = [before, after] as const;
  const seen = outcomes.filter(
    (outcome) => outcome !== 'ok' && runs.some((run) => run.figures.outcomes[outcome] > 0),
  );
  return {
    format: 1,
    scenario: after.trial.scenario,
    before: summarizeRun(before),
    after: summarizeRun(after),
    undecided,
    percentiles: [0.5, 0.95, 0.99].map((p) => ({ p, ...withoutDoubted(percentiles(runs, p)) })),
    errors: seen.map((outcome) => ({ outcome, ...withoutDoubted(failures(runs, outcome)) })),
    wrong: withoutDoubted(wrongAnswers(runs)),
  };
}

type Both = readonly [before: LoadRun, after: LoadRun];

function refuseDifferentLoads(before: LoadRun, after: LoadRun): void {
  const differs = (of: (run: LoadRun) => unknown): boolean =>
    JSON.stringify(of(before)) !== JSON.stringify(of(after));
  const why = differs(({ trial }) => trial.load)
    ? 'their stages differ'
    : differs(({ trial, parts }) => countPlanned(trial, parts))
      ? 'one is a segment of it: merge the segments first'
      : differs(({ trial }) => trial.mix)
        ? 'their mixes differ'
        : undefined;
  if (why !== undefined) throw new UnlikeRuns(`these are not two runs of one load: ${why}`);
}

function summarizeRun({ trial, parts, figures, verdict, reasons, breakpoint }: LoadRun): ComparedRun {
  const { sent, answers, outcomes: ends, dropped, judged, breached } = figures;
  return {
    target: trial.target,
    command: trial.command,
    startedAt: parts.map((part) => part.startedAt).sort()[0] ?? '',
    verdict,
    reasons,
    sent,
    planned: countPlanned(trial, parts),
    delivered: answers / totalSeconds(trial.load),
    timed: countSamples(figures.latency),
    outcomes: ends,
    dropped,
    judged,
    breached,
    breakpoint,
  };
}

/** Compares percentiles, with the larger design effect of both runs, as concurrent requests share stalls. */
function percentiles(runs: Both, p: number): Compared {
  const effect = Math.max(
    ...runs.map(({ figures: { latency, slices } }) => {
      const at = locateRank(latency, percentileRank(p, countSamples(latency)))?.bucket;
      const counts = [0, 1].map((beyond) =>
        slices.map((slice) => ({
          n: countSamples(slice.latency),
          hits: countAbove(slice.latency, at ?? 0, beyond),
        })),
      );
      return Math.max(...counts.map(estimateClustering));
    }),
  );
  const [before, after] = runs.map(({ figures }) => estimatePercentile(figures.latency, p, effect));
  return compareEstimates(before, after);
}

function failures(runs: Both, outcome: LoadOutcome): Compared {
  const of = outcome === 'limited' ? 'limited' : 'errors';
  const effect = Math.max(
    ...runs.map(({ figures }) =>
      estimateClustering(figures.slices.map((slice) => ({ n: slice.sent, hits: slice[of] }))),
    ),
  );
  const [before, after] = runs.map(({ figures: { outcomes: ends } }) => {
    const ended = Object.values(ends).reduce((sum, end) => sum + end, 0);
    return estimateShare(ends[outcome], ended, effect);
  });
  return compareEstimates(before, after);
}

function wrongAnswers(runs: Both): Compared {
  const effect = Math.max(
    ...runs.map(({ figures }) =>
      estimateClustering(figures.slices.map((slice) => ({ n: slice.judged, hits: slice.breached }))),
    ),
  );
  const [before, after] = runs.map(({ figures }) => estimateShare(figures.breached, figures.judged, effect));
  return compareEstimates(before, after);
}
