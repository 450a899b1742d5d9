import type { Run } from '../../contract/judge/verdict.ts';

/**
 * 0 conformant, 1 nonconformant, 3 inconclusive. With `strict` 1 also for a failed should, a known failing that is gone
 * or expired, and a changed observation.
 */
export function exitCode({ verdict, findings, observations, baseline }: Run, strict: boolean): 0 | 1 | 3 {
  if (verdict === 'nonconformant') return 1;
  const isNews =
    findings.some((each) => !each.known) ||
    baseline?.known.some((each) => each.status === 'surprised') ||
    observations.some((each) => each.changed);
  if (strict && isNews) return 1;
  return verdict === 'inconclusive' ? 3 : 0;
}
