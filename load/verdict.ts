import { countSamples } from '@candleproof/law/planning/histogram';
import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { countDue, sliceSeconds } from './bill.ts';
import { findBucket } from './histogram.ts';
import type { LoadRun, LoadTrial, LoadVerdict, SliceFigures } from './load-run.ts';

/** Minimum share of planned requests for a load to count as delivered. */
const deliveredShare = 0.99;

/** Share of its cores from which on the generator is the bottleneck. */
const mostCpu = 0.8;

/** Share of the time from which on an answer is slow; requests that leave later would make the target look slow. */
const mostLate = 0.25;

/** Minimum number of judged answers for a conclusion about all. */
export const minJudged = 1000;

/** Default shares of a slice's requests that can be slow or fail before the target has given way. */
const usual = { slow: 0.05, failed: 0.01 };

type Facts = Pick<LoadRun, 'trial' | 'parts' | 'figures' | 'ended'>;

/** Decides the verdict: faults of the target outrank those of the measurement; without either, it is conformant. */
export function decideVerdict(facts: Facts): LoadVerdict {
  const wrong = listFailures(facts);
  const doubts = [...listUndelivered(facts), ...listUnjudged(facts)];
  const { breached, judged } = facts.figures;
  const wrongAt = firstSlice(facts, ({ breached }) => breached > 0);
  return {
    verdict: wrong.length > 0 ? 'nonconformant' : doubts.length > 0 ? 'inconclusive' : 'conformant',
    reasons: [...wrong, ...doubts],
    rightUnderLoad: breached > 0 ? 'failed' : judged >= minJudged ? 'passed' : 'unexercised',
    breakpoint: findBreakpoint(facts),
    wrongFrom: wrongAt && { perSecond: wrongAt.perSecond, atSeconds: wrongAt.atSeconds },
    sustained: findSustained(facts),
  };
}

/** Lists faults of the target. Objectives apply only to a delivered load. */
function listFailures(facts: Facts): string[] {
  const { figures, trial } = facts;
  const { breached, judged } = figures;
  const found =
    breached > 0 ? [`${thousands(breached)} of ${thousands(judged)} judged answers were wrong`] : [];
  return listUndelivered(facts).length > 0 ? found : [...found, ...listMissedObjectives(trial, figures)];
}

function listMissedObjectives(
  { thresholds }: LoadTrial,
  { outcomes, latency, checked }: LoadRun['figures'],
): string[] {
  const { availability, latency: swift } = thresholds;
  const good = (outcomes.ok + outcomes.overage) / checked;
  const n = countSamples(latency);
  const limit = findBucket(1000 * (swift?.underMs ?? 0));
  // Samples in the limit's bucket count as in time.
  const slow = Object.entries(latency).reduce(
    (sum, [at, count]) => sum + (Number(at) > limit ? count : 0),
    0,
  );
  return [
    ...(availability !== undefined && good < availability
      ? [`${formatPercent(good)} were answered, below the objective of ${formatPercent(availability)}`]
      : []),
    ...(swift && 1 - slow / n < swift.objective
      ? [
          `${formatPercent(1 - slow / n)} were answered within ${swift.underMs} ms, below the objective of ${formatPercent(swift.objective)}`,
        ]
      : []),
  ];
}

/** Lists reasons why the planned load was not delivered. */
export function listUndelivered({ trial, parts, figures, ended }: Facts): string[] {
  const { sent, checked, dropped, outcomes, crashed } = figures;
  const planned = countPlanned(trial, parts);
  const late = Math.max(0, ...parts.map((part) => part.late?.['p(99)'] ?? 0));
  return [
    ...(ended === 'floor' ? ['the quota’s floor ended the run: it measured the key’s limit'] : []),
    ...(ended === 'interrupted' ? ['it was interrupted'] : []),
    ...(ended === 'killed' ? [`${describeDeath(parts)}: nothing of it is known but the bill`] : []),
    ...(outcomes.limited > 0
      ? [`${outcomes.limited} requests were answered with 429: it measured the key’s limit`]
      : []),
    ...(outcomes.overage > 0
      ? [`${outcomes.overage} answers were counted beyond the key’s month: it measured the key’s limit`]
      : []),
    ...(dropped > 0
      ? [`load not delivered: ${dropped} requests were due and nobody was free to send them`]
      : []),
    // The last request is due at the very end, when k6 may have stopped.
    ...(ended === undefined && sent + dropped < planned * deliveredShare - parts.length
      ? [`load not delivered: ${sent} of ${planned} requests were sent`]
      : []),
    ...(ended === undefined && checked !== sent
      ? [`${sent - checked} requests were sent and never looked at: the script broke off`]
      : []),
    ...(crashed > 0 ? [`rules broke down ${crashed} times: ours to mend`] : []),
    ...parts.flatMap(({ engine, cpu = 0 }) =>
      cpu < mostCpu ? [] : [`load not delivered: ${describeUse(engine, cpu)}`],
    ),
    ...(late > mostLate * trial.slowMs
      ? [`load not delivered: one request in a hundred left ${Math.round(late)} ms late or more`]
      : []),
  ];
}

function describeUse(engine: string, cpu: number): string {
  return `${engine} took ${formatPercent(cpu)} of ${engine === 'embedded' ? 'its core' : 'all cores'}`;
}

function describeDeath(parts: Facts['parts']): string {
  const memory = Math.max(0, ...parts.map((part) => part.endedAtMemory ?? 0));
  return memory === 0
    ? 'the generator died'
    : `k6 was ended at ${memory} MiB of memory, which the target’s answers took`;
}

/** Lists reasons why a delivered load shows nothing about its answers. */
function listUnjudged({ trial: { judgeShare }, figures }: Facts): string[] {
  const { outcomes, checked, judged, judgingUs, sampled } = figures;
  if (checked === 0) return [];
  if (outcomes.ok + outcomes.overage === 0) return ['no request was answered with 200: nothing was judged'];
  // The samples of k6 elsewhere are judged by another command.
  const isMeant = Math.floor(outcomes.ok * judgeShare) > 0 && (sampled === 0 || judgingUs > 0);
  return isMeant && judged === 0 ? ['no answer that was to be judged held a candle or a token'] : [];
}

/** Returns the planned requests of all segments in the run. */
export function countPlanned({ bill }: LoadTrial, parts: LoadRun['parts']): number {
  return parts.reduce((sum, { segment }) => {
    const of = Number(segment?.split('/')[1] ?? 1);
    return sum + Math.floor(bill / of);
  }, 0);
}

type Cause = NonNullable<LoadVerdict['breakpoint']>['by'];

/** Returns why a slice gave way, if it did. */
function findBreakCause(
  facts: Pick<Facts, 'trial' | 'parts'>,
  slice: SliceFigures,
  planned: number,
): Cause | undefined {
  const { trial, parts } = facts;
  const { availability, latency } = trial.thresholds;
  const mayFail = availability === undefined ? usual.failed : 1 - availability;
  const maySlow = latency ? 1 - latency.objective : usual.slow;
  const share = countPlanned(trial, parts) / trial.bill;
  if (slice.sent < planned * share * deliveredShare - 2) return 'generator';
  if (slice.errors > slice.sent * mayFail) return 'errors';
  return slice.slow > slice.sent * maySlow ? 'latency' : undefined;
}

function findBreakpoint(facts: Facts): LoadVerdict['breakpoint'] {
  if (facts.ended !== undefined) return undefined;
  const found = firstSlice(facts, (slice, planned) => findBreakCause(facts, slice, planned) !== undefined);
  const by = found && findBreakCause(facts, found.slice, found.planned);
  return found && by && { by, perSecond: found.perSecond, atSeconds: found.atSeconds };
}

/** Finds the highest rate below every rate at which a slice gave way or had a wrong answer. */
function findSustained(facts: Facts): LoadVerdict['sustained'] {
  if (facts.ended !== undefined) return undefined;
  const slices = listSlices(facts).filter(({ slice, planned }) => slice.sent + planned > 0);
  const isBad = ({ slice, planned }: PlannedSlice): boolean =>
    slice.breached + slice.limited > 0 || findBreakCause(facts, slice, planned) !== undefined;
  const limit = Math.min(...slices.filter(isBad).map(({ perSecond }) => perSecond));
  const good = slices.filter(({ perSecond, slice }) => perSecond < limit && slice.sent > 0);
  const perSecond = Math.max(...good.map((slice) => slice.perSecond));
  return good.length === 0 ? undefined : { perSecond, isHighest: limit === Number.POSITIVE_INFINITY };
}

type PlannedSlice = {
  slice: SliceFigures;
  planned: number;
  perSecond: number;
  atSeconds: number;
};

function listSlices({ trial: { load }, figures }: Pick<Facts, 'trial' | 'figures'>): PlannedSlice[] {
  const seconds = sliceSeconds(load);
  return figures.slices.map((slice, at) => {
    const planned = countDue(load, (at + 1) * seconds) - countDue(load, at * seconds);
    return { slice, planned, perSecond: planned / seconds, atSeconds: at * seconds };
  });
}

function firstSlice(
  facts: Facts,
  isIt: (slice: SliceFigures, planned: number) => boolean,
): PlannedSlice | undefined {
  return listSlices(facts).find(({ slice, planned }) => slice.sent + planned > 0 && isIt(slice, planned));
}
