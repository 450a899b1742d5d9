import type { BaselineResult, Finding, KnownStatus, Run } from '../../contract/judge/verdict.ts';

export type KnownEntry = BaselineResult['known'][number];

/** The known failings of the baseline that a run made the same of. */
export function entriesThatAre(status: KnownStatus, { baseline }: Pick<Run, 'baseline'>): KnownEntry[] {
  return baseline?.known.filter((each) => each.status === status) ?? [];
}

/** Whether the baseline accepts a finding, or did until a day that has passed. */
export function standingOf(finding: Finding, run: Pick<Run, 'baseline'>): 'known' | 'expired' | undefined {
  if (finding.known) return 'known';
  const own = finding.fingerprint.trimEnd();
  const isExpired = entriesThatAre('expired', run).some((each) => each.fingerprint.trimEnd() === own);
  return isExpired ? 'expired' : undefined;
}

/** `until 2026-01-31: agreed with the operator`; a reason may still be missing. */
export function acceptanceInWords({ reason, until }: { reason: string; until: string }): string {
  return `until ${until}: ${reason.trim() || 'no reason given'}`;
}
