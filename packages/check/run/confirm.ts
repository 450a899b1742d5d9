import type { Spec } from '@candleproof/document/spec/spec';
import { type Judged, type JudgeOptions, judge } from '@candleproof/law/judge/judge';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { isSameRequest } from '@candleproof/law/relations/series';
import { isMeantToFail, type PlannedRequest } from '../plan/planned-request.ts';
import type { Fetcher } from './fetch.ts';
import { isolate } from './isolate.ts';

export type ConfirmOptions = JudgeOptions & {
  readonly spec: Spec;
  /** Returns whether others have used the key so far: the counters may then move by more than our requests. */
  readonly hasCompany?: () => Promise<boolean>;
  /** Receives the milliseconds that each judging of the evidence took. */
  readonly onJudged?: ((milliseconds: number) => void) | undefined;
};

/** Rounds in which evidence that changed while it was fetched is fetched again. */
const raceRounds = 2;

/** Rounds in which what was found is requested again; the later ones are for failures on the way, which may yet pass. */
const doubtRounds = 2;

/** Judges, and repeats requests behind races and findings: a breach that disappears is intermittent. */
export async function confirm(
  fetcher: Fetcher,
  requests: readonly PlannedRequest[],
  options: ConfirmOptions,
): Promise<Judged> {
  const judgeEvidence = async (): Promise<Judged> => {
    if (await options.hasCompany?.()) fetcher.shareKey();
    const begun = performance.now();
    const judged = judge(options.spec, fetcher.recording(), options);
    options.onJudged?.(performance.now() - begun);
    return judged;
  };
  let judged = await judgeEvidence();
  for (let round = 0; round < raceRounds && hasRace(judged) && !fetcher.isStopped; round++) {
    const snapshot = requests.filter((request) => request.need.role === 'latest' && !isMeantToFail(request));
    const pool = snapshot.filter((plannedRequest) => plannedRequest.pool === snapshot[0]?.pool);
    if (pool.length > fetcher.left) break;
    await fetcher.fetch(pool);
    judged = await judgeEvidence();
  }
  for (let round = 0; round < doubtRounds && !fetcher.isStopped; round++) {
    const doubted = listBreached(judged).slice(0, fetcher.left);
    if (doubted.length === 0) break;
    for (const exchange of doubted) await fetcher.repeat(exchange);
    judged = await judgeEvidence();
  }
  return isolate(judged, fetcher, judgeEvidence);
}

function hasRace({ appliedRules }: Judged): boolean {
  return appliedRules.some((appliedRule) => appliedRule.race && appliedRule.judged.size === 0);
}

/** One exchange of each finding, each request once; complete answers that were requested again already are left. */
function listBreached({ findings, evidence }: Judged): Exchange[] {
  const answers = findings.flatMap((finding) =>
    evidence.answers.filter((answer) => answer.index === finding.exchange),
  );
  const doubted = answers.filter(
    (answer) =>
      (answer.entitled && (!answer.complete || (answer.status ?? 0) >= 500)) ||
      evidence.answers.filter((other) => isSameRequest(answer, other)).length === 1,
  );
  return doubted
    .filter((answer, index) => doubted.findIndex((other) => isSameRequest(answer, other)) === index)
    .map(({ exchange }) => exchange);
}
