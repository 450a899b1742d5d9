import { join } from 'node:path';
import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import type { Run } from '@candleproof/law/judge/verdict';
import type { ReportedRun } from '@candleproof/reports/formats/formats';
import { renderTerminal } from '@candleproof/reports/formats/terminal';
import { writeReports } from '../../library/write-run.ts';
import {
  type PrintFlags,
  printJson,
  printLines,
  printText,
  terminalStyle,
  wordStream,
} from '../words/output.ts';
import { type GithubFlags, placeFromRoot, reportToGithub } from './github.ts';

/** Writes the reports and prints the result, below a heading if one is given. */
export function publishRun(
  outcome: RunOutcome,
  flags: PrintFlags & GithubFlags & { readonly out?: string },
  place?: ReportedRun['place'],
  heading?: string,
): void {
  const seen = placeFromRoot(place, process.env);
  const folder = writeReports(outcome, flags.out, seen);
  if (heading !== undefined) printText(`${heading}\n\n`, flags);
  printLines(renderTerminal(outcome.run, terminalStyle(flags)), flags);
  wordStream(flags).write(`\nreport: ${join(folder, 'index.html')}\n`);
  reportToGithub(outcome.run, flags, seen, process.env);
  printJson(flags, outcome.run);
}

/**
 * 0 conformant, 1 nonconformant, 3 inconclusive. With `strict` 1 also for a failed should, a known failing that is gone
 * or expired, and a changed observation.
 */
export function exitCode({ verdict, findings, observations, baseline }: Run, strict: boolean): 0 | 1 | 3 {
  if (verdict === 'nonconformant') return 1;
  const isNews =
    findings.some((finding) => !finding.known) ||
    baseline?.known.some((acceptance) => acceptance.status === 'surprised') ||
    observations.some((observation) => observation.changed);
  if (strict && isNews) return 1;
  return verdict === 'inconclusive' ? 3 : 0;
}
