import { join } from 'node:path';
import type { RunOutcome } from '../../conformance/run/run.ts';
import { writeNamed } from '../../files/named-output.ts';
import { version } from '../../files/package-files.ts';
import { writeFiles } from '../../files/write-files.ts';
import { toHar } from '../../http/har/har.ts';
import { renderCtrf } from '../../reports/formats/ctrf.ts';
import { renderHtml } from '../../reports/formats/html.ts';
import { renderJunit } from '../../reports/formats/junit.ts';
import type { FilePlace } from '../../reports/formats/sarif/result.ts';
import { renderSarif } from '../../reports/formats/sarif.ts';
import { renderSummary } from '../../reports/formats/summary.ts';
import { renderTerminal } from '../../reports/formats/terminal.ts';

/** Writes all files of a run into its folder; returns the folder. `place` is the target's in the config. */
export function writeReports(
  { run, recording }: RunOutcome,
  out: string | undefined,
  place?: FilePlace,
): string {
  const folder = out ?? join('reports', 'out', folderName(run.target.name));
  const files = {
    'run.json': `${JSON.stringify(run, null, 2)}\n`,
    'index.html': renderHtml(run, recording.exchanges),
    'junit.xml': renderJunit(run),
    'ctrf.json': renderCtrf(run),
    'results.sarif': renderSarif(run, place),
    'summary.md': renderSummary(run),
    'exchanges.har': toHar(recording, version),
  };
  writeNamed('--out', () => writeFiles(folder, files));
  return folder;
}

/** Writes the reports and prints the result, below a line of its own where one is given. */
export function publishRun(
  outcome: RunOutcome,
  out: string | undefined,
  place?: FilePlace,
  heading?: string,
): void {
  const folder = writeReports(outcome, out, place);
  if (heading !== undefined) process.stdout.write(`${heading}\n\n`);
  process.stdout.write(renderTerminal(outcome.run, terminalStyle()));
  process.stdout.write(`\nreport: ${join(folder, 'index.html')}\n`);
}

/** How stdout takes text: in a pipe and in a file nothing is folded, and nothing is ever cut. */
export function terminalStyle(): { colour: boolean; width: number } {
  return {
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
    width: process.stdout.columns ?? Infinity,
  };
}

/** A target's name as a folder: a host name may hold what a file system does not take. */
export function folderName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '') || 'target';
}
