import { type RunOutcome, toRun, withheldRun } from '@candleproof/check/run/run-outcome';
import type { Spec } from '@candleproof/document/spec/spec';
import { version } from '@candleproof/files/package-files';
import { judge } from '@candleproof/law/judge/judge';
import { withReason } from '@candleproof/law/judge/reach-verdict';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import { gatherEvidence } from '@candleproof/law/relations/evidence';
import { catalogue } from '@candleproof/law/rules/catalogue';
import type { Rule } from '@candleproof/law/rules/rule';
import { findRequestSlice } from '../count-answer.ts';
import type { LoadRun, LoadSample } from '../load-run.ts';
import { decideVerdict } from '../verdict.ts';

/** Groups of rules that compare answers or judge refusals, and so never apply to a single success. */
const ofSeveral = /^(rollup|inversion|errors|authentication)\//;

/** The rules for a single answer under load. */
export const singleAnswerRules: readonly Rule[] = catalogue.rules.filter(({ id }) => !ofSeveral.test(id));

export type JudgedAlone = {
  /** Indices of the broken rules in `singleAnswerRules`. */
  readonly broken: readonly number[];
  /** True if a broken rule is a must; other rules do not make an answer wrong. */
  readonly isWrong: boolean;
  /** True if the answer has a candle or token; otherwise nothing was judged. */
  readonly holdsRecord: boolean;
  /** Number of rules that crashed, which is our fault and not the target's. */
  readonly crashed: number;
};

/** Judges a single exchange. */
export function judgeAlone(spec: Spec, target: TargetFacts, exchange: Exchange): JudgedAlone {
  const evidence = gatherEvidence(spec, { target, seed: 0, exchanges: [exchange] });
  const broken: number[] = [];
  let crashed = 0;
  for (const [index, rule] of singleAnswerRules.entries()) {
    try {
      for (const outcome of rule.check(evidence)) {
        if (!('breach' in outcome)) continue;
        broken.push(index);
        break;
      }
    } catch {
      crashed += 1;
    }
  }
  const isWrong = broken.some((index) => singleAnswerRules[index]?.level === 'must');
  const holdsRecord = evidence.answers.some(({ records }) => records.length > 0);
  return { broken, isWrong, holdsRecord, crashed };
}

/** Exchanges kept of one rule, and of all. */
const most = { perRule: 3, inAll: 30 };

/** A run with what was found in its samples, and a few of the wrong ones of each kind, in the order of time. */
export type JudgedLoad = { readonly run: LoadRun; readonly wrong: readonly Exchange[] };

/** Judges the samples of a run one by one. */
export async function judgeSamples(
  run: LoadRun,
  spec: Spec,
  facts: TargetFacts,
  samples: AsyncIterable<LoadSample>,
): Promise<JudgedLoad> {
  const target = { ...facts, soleUser: false };
  const total = { judged: 0, judgingUs: 0, crashed: 0, breached: 0 };
  const slices = run.figures.slices.map((slice) => ({ ...slice }));
  const rules: Record<string, number> = {};
  const wrong: Exchange[] = [];
  for await (const { index, exchange } of samples) {
    const begun = performance.now();
    const { broken, isWrong, holdsRecord, crashed } = judgeAlone(spec, target, exchange);
    total.judgingUs += Math.round(1000 * (performance.now() - begun));
    total.crashed += crashed;
    // An answer without a record can be wrong but never counts as right.
    for (const counts of [total, slices[findRequestSlice(run.trial, index)]]) {
      if (counts && (holdsRecord || isWrong)) counts.judged += 1;
      if (counts && isWrong) counts.breached += 1;
    }
    const ids = broken.flatMap((at) => singleAnswerRules[at]?.id ?? []);
    if (wrong.length < most.inAll && ids.some((id) => (rules[id] ?? 0) < most.perRule)) wrong.push(exchange);
    for (const id of ids) rules[id] = (rules[id] ?? 0) + 1;
  }
  const judged = { ...run, figures: { ...run.figures, ...total, rules, slices } };
  wrong.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  return { run: { ...judged, ...decideVerdict(judged) }, wrong };
}

/** The kept exchanges judged as any recording is, with the verdict and the counts of the whole load. */
export function judgeKept(
  spec: Spec,
  facts: TargetFacts,
  exchanges: readonly Exchange[],
  { trial, parts, figures, verdict, reasons }: LoadRun,
  replay: (rule: string) => string,
): RunOutcome {
  const recording = { target: { ...facts, soleUser: false }, seed: 0, exchanges };
  // The kept exchanges are no sample: they show how a rule was broken, and nothing of the others.
  const rules = singleAnswerRules.filter(({ id }) => (figures.rules[id] ?? 0) > 0);
  const law = { ...catalogue, rules, questions: [] };
  const judged = judge(spec, recording, { catalogue: law, replay });
  const run = toRun(
    judged,
    recording,
    { spec, version, catalogue: law },
    {
      startedAt: parts[0]?.startedAt ?? new Date(0).toISOString(),
      finishedAt: parts[0]?.finishedAt ?? new Date(0).toISOString(),
      requests: { sent: figures.sent + 1, budget: trial.budget },
    },
  );
  const reason = { code: 'load-undecided', doubts: reasons } as const;
  if (verdict === 'inconclusive') return { run: withheldRun(run, reason), recording };
  const reasoned = reasons.length > 0 ? withReason(verdict, reason) : { verdict };
  return { run: { ...run, ...reasoned }, recording };
}
