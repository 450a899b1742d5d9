import { join } from 'node:path';
import { type RunOutcome, toRun } from '../../conformance/run/run.ts';
import type { Spec } from '../../contract/document/spec.ts';
import { type Catalogue, edition } from '../../contract/law/catalogue.ts';
import type { TargetFacts } from '../../contract/reading/exchange.ts';
import { version } from '../../files/package-files.ts';
import { quoteForShell } from '../../files/shell-word.ts';
import { judgeTraffic } from '../judging/judgement.ts';
import { passingLaw } from '../judging/passing-law.ts';
import type { SeenTraffic } from '../judging/streaming-judge.ts';

export type TrafficFacts = {
  readonly facts: TargetFacts;
  readonly spec: Spec;
  readonly law: Catalogue;
  /** The folder for the exchanges of the findings. */
  readonly out: string;
};

/** Returns the results of traffic as a run that sent nothing; its recording holds the exchanges of the findings alone. */
export function makeTrafficRun(
  { facts, spec, law, out }: TrafficFacts,
  seen: SeenTraffic,
  startedAt: string,
): RunOutcome {
  const har = quoteForShell(join(out, 'exchanges.har'));
  const dated = law.edition === undefined || law.edition === edition ? '' : ` --edition ${law.edition}`;
  const replay = (rule: string): string => `npx candleproof judge ${har} --only ${rule}${dated}`;
  const { judgement, exchanges } = judgeTraffic(seen, passingLaw(spec, law), replay);
  const recording = { target: facts, seed: 0, exchanges };
  const { counts } = seen;
  const waiting: [string, number][] = counts.waiting > 0 ? [['waiting', counts.waiting]] : [];
  const run = toRun(
    judgement,
    recording,
    { spec, version, catalogue: law },
    {
      startedAt,
      finishedAt: new Date().toISOString(),
      requests: { sent: 0, budget: 0 },
      entries: {
        recorded: counts.seen,
        judged: counts.judged,
        skipped: [...counts.unjudged, ...waiting].map(([reason, count]) => ({ reason, count })),
      },
    },
  );
  return { run, recording };
}
