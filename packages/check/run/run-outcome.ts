import { declaredGaps } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import { withReason } from '@candleproof/law/judge/reach-verdict';
import type { Reason } from '@candleproof/law/judge/reason';
import type { Judgement, Run } from '@candleproof/law/judge/verdict';
import type { Recording } from '@candleproof/law/reading/exchange';
import { lastQuota } from '@candleproof/law/reading/quota';
import { type Catalogue, catalogue } from '@candleproof/law/rules/catalogue';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import { keyVariable } from '../target/read-key.ts';

export type RunOutcome = { readonly run: Run; readonly recording: Recording };

/** The document, the law and the version that a recording was judged by. */
export type JudgedBy = {
  readonly spec: Spec;
  /** The part of the law to judge by. */
  readonly catalogue?: Catalogue;
  readonly version: string;
  /** The caller named an authority to trust. */
  readonly ownAuthority?: boolean;
};

/** Returns the run as inconclusive for a reason, unless it is nonconformant. */
export function withheldRun(run: Run, reason: Reason): Run {
  return run.verdict === 'nonconformant' ? run : { ...run, ...withReason('inconclusive', reason) };
}

/** Returns a judgement in the form of run.json. */
export function toRun(
  judgement: Judgement,
  recording: Recording,
  { spec, version, catalogue: law, ownAuthority }: JudgedBy,
  facts: Pick<Run, 'startedAt' | 'finishedAt' | 'requests' | 'ground' | 'coverage' | 'entries'>,
): Run {
  const { verdict, reason, reasonCode, rules, notOfApi } = judgement;
  const { findings, explanations, observations, transient, read, baseline } = judgement;
  const { name, baseUrl, keyless, gaps = declaredGaps(spec) } = recording.target;
  const quota = lastQuota(spec.quota, recording);
  const further = (spec.keyPlaces ?? [])
    .slice(1)
    .map(({ scheme, ...place }) => ({ ...place, variable: keyVariable(scheme) }));
  const unchosen = countMusts(catalogue) - countMusts(law ?? catalogue);
  return {
    verdict,
    reason,
    reasonCode,
    target: {
      ...{ name, baseUrl },
      ...(ownAuthority && { ownAuthority }),
      ...(!spec.isOurs && spec.keyHeader !== undefined && { keyHeader: spec.keyHeader }),
      ...(spec.keyPlaces?.[0]?.prefix && { keyPrefix: spec.keyPlaces[0].prefix }),
      ...(further.length > 0 && { furtherKeys: further }),
      ...(gaps && { gaps }),
      ...(keyless && { keyless }),
    },
    seed: recording.seed,
    ...facts,
    ...(quota && { quota: { limit: quota.limit, remaining: quota.remaining, additional: quota.additional } }),
    ...(unchosen > 0 && { unchosen }),
    versions: { candleproof: version, catalogue: catalogueVersion, specSha256: spec.sha256 },
    rules,
    notOfApi,
    findings,
    ...(explanations && { explanations }),
    observations,
    transient,
    read,
    baseline,
  };
}

function countMusts({ rules }: Catalogue): number {
  return rules.filter(({ level }) => level === 'must').length;
}
