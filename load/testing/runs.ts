import { sliceCount } from '../bill.ts';
import { outcomes } from '../counters.ts';
import type { LoadFigures, LoadRun, LoadSegment, LoadTrial } from '../load-run.ts';
import { decideVerdict } from '../verdict.ts';

/** A thousand requests in twenty seconds. */
export const sampleTrial: LoadTrial = {
  scenario: 'smoke',
  engine: 'embedded',
  load: { startPerMinute: 3000, stages: [{ perMinute: 3000, seconds: 20 }] },
  bill: 1000,
  budget: 1001,
  target: { name: 'sample', baseUrl: 'https://127.0.0.1:1' },
  mix: [{ operation: 'listTokens', kind: 'all', share: 1 }],
  judgeShare: 1,
  slowMs: 1000,
  thresholds: {},
  command: 'npx candleproof load smoke local',
  versions: { candleproof: '0.0.0', catalogue: '000000000001', specSha256: '0' },
};

export const samplePart: LoadSegment = {
  engine: 'embedded',
  startedAt: '2026-03-01T00:00:00.000Z',
  finishedAt: '2026-03-01T00:00:20.000Z',
  cpu: 0.2,
};

/** Figures of a run without errors in which every answer was judged. */
export const sampleFigures: LoadFigures = {
  sent: 1000,
  answers: 1000,
  checked: 1000,
  dropped: 0,
  outcomes: { ...noOutcomes(), ok: 1000 },
  sampled: 1000,
  judged: 1000,
  judgingUs: 10_000_000,
  crashed: 0,
  breached: 0,
  rules: {},
  latency: { 60: 1000 },
  slices: Array.from({ length: sliceCount }, () => ({
    ...{ sent: 50, answers: 50, errors: 0, limited: 0, slow: 0, judged: 50, breached: 0 },
    latency: { 7: 50 },
  })),
};

/** Returns a sample run with changes. */
export function sampleRun(
  figures: Partial<LoadFigures> = {},
  {
    trial = {},
    part = {},
    ended,
  }: { trial?: Partial<LoadTrial>; part?: Partial<LoadSegment>; ended?: LoadRun['ended'] } = {},
): LoadRun {
  const facts = {
    trial: { ...sampleTrial, ...trial },
    parts: [{ ...samplePart, ...part }],
    figures: { ...sampleFigures, ...figures },
    ended,
  };
  return { format: 1, ...facts, ...decideVerdict(facts) };
}

/** Returns a count of 0 for every outcome. */
export function noOutcomes(): LoadFigures['outcomes'] {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as LoadFigures['outcomes'];
}
