import type { Run } from '../contract/verdict.ts';

/** 0 conformant, 1 nonconformant (with `strict` also for a failed should or a changed observation), 3 inconclusive. */
export function exitCodeOf({ verdict, findings, observations, rules }: Run, strict: boolean): 0 | 1 | 3 {
  if (verdict === 'nonconformant') return 1;
  const isNews =
    findings.length > 0 ||
    rules.some((each) => each.outcome === 'surprised') ||
    observations.some((each) => each.changed);
  if (strict && isNews) return 1;
  return verdict === 'inconclusive' ? 3 : 0;
}
