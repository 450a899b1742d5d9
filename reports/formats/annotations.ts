import type { Finding, Run } from '../../contract/judge/verdict.ts';
import { clip, makeVisible } from '../words/escape.ts';
import { describeMismatch, placeName, sortFindings } from '../words/findings.ts';
import { headline } from '../words/headline.ts';
import { verdictSentence } from '../words/tally.ts';
import { describeOperation } from '../words/wording.ts';
import type { FilePlace } from './sarif/result.ts';

/** Longest message of an annotation, in characters. */
const longestText = 1000;

/**
 * Returns GitHub's workflow commands for a run, one line for every finding that no baseline knows, and one for a run that
 * decided nothing. They point to the target's line in the config where there is one.
 */
export function renderAnnotations(run: Run, place?: FilePlace): string {
  const findings = sortFindings(run).filter(({ known }) => !known);
  const lines = findings.map((finding) => annotate(finding, place));
  if (run.verdict === 'inconclusive')
    lines.push(command('error', place, headline(run), verdictSentence(run)));
  return lines.map((line) => `${line}\n`).join('');
}

function annotate(finding: Finding, place: FilePlace | undefined): string {
  const { level, rule } = finding;
  const text = `${describeOperation(finding).request} at ${placeName(finding)}: ${describeMismatch(finding)}`;
  return command(level === 'must' ? 'error' : 'warning', place, `${level} ${rule}`, text);
}

function command(
  kind: 'error' | 'warning',
  place: FilePlace | undefined,
  title: string,
  text: string,
): string {
  const properties = { ...(place && { file: place.file, line: String(place.line) }), title };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${kind} ${list.join(',')}::${escapeData(clip(text, longestText))}`;
}

function escapeData(text: string): string {
  return makeVisible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
