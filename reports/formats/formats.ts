import type { Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { type FilePlace, renderAnnotations, renderCodeQuality } from './annotations.ts';
import { renderCsv } from './csv.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderSarif } from './sarif.ts';
import { renderSummary } from './summary.ts';

/** A run with what some formats add: its exchanges, and its target's line in the configuration. */
export type ReportedRun = {
  readonly run: Run;
  readonly exchanges?: readonly Exchange[];
  readonly place?: FilePlace | undefined;
};

type Render = (reported: ReportedRun) => string;

/** The formats that are files of a run, each under its name. */
const files = {
  'index.html': ({ run, exchanges }) => renderHtml(run, exchanges),
  'junit.xml': ({ run }) => renderJunit(run),
  'results.sarif': ({ run, place }) => renderSarif(run, place),
  'codequality.json': ({ run, place }) => renderCodeQuality(run, place),
  'findings.csv': ({ run }) => renderCsv(run),
  'summary.md': ({ run }) => renderSummary(run),
} as const satisfies Readonly<Record<string, Render>>;

const formats = {
  ...files,
  annotations: ({ run, place }) => renderAnnotations(run, place),
} as const satisfies Readonly<Record<string, Render>>;

/** Renders a run in the format of this name: that of one of its files, or GitHub's annotations. */
export function renderFormat(format: keyof typeof formats, reported: ReportedRun): string {
  return formats[format](reported);
}

/** Renders the files of a run by their names. */
export function renderFiles(reported: ReportedRun): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, render]) => [name, render(reported)]));
}
