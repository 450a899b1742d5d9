import type { Run } from '../../contract/judge/verdict.ts';
import { mostInFull } from './finding-rows.ts';

/** Whether a page holds all of a run. */
export function isWhole({ findings }: Run): boolean {
  return findings.length <= mostInFull;
}

/** The run for programs that read a page. Of so many findings that drawings would swell it, without the examples. */
export function embeddedRun(run: Run): Run {
  if (isWhole(run)) return run;
  return { ...run, findings: run.findings.map((each) => ({ ...each, examples: [] })) };
}
