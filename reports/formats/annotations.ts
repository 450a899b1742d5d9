import { createHash } from 'node:crypto';
import type { Finding, Run } from '@candleproof/law/judge/verdict';
import { besideFirst, describeCause, type FindingCause, findCauses } from '../words/causes.ts';
import { clip, makeVisible } from '../words/escape.ts';
import { describeMismatch, firstCandle, placeName } from '../words/finding-words.ts';
import { plural } from '../words/format.ts';
import { headline } from '../words/headline.ts';
import { verdictSentence } from '../words/tally.ts';
import { describeOperation } from '../words/wording.ts';

/** A line of a file in the repository that uploads the results; the path is relative to the repository's root. */
export type FilePlace = { readonly file: string; readonly line: number };

/** The default place, in the configuration's usual file: an alert stays the same alert once that file exists. */
export const unconfigured: FilePlace = { file: 'candleproof.yaml', line: 1 };

const longestText = 1000;

/** Annotations of one kind that GitHub shows for a step. */
const mostShown = 10;

/**
 * Returns GitHub's workflow commands for a run: one line for every cause that is not in the baseline, as far as GitHub
 * shows them, and one for a run that decided nothing. They point to the target's line in the config, if it has one.
 */
export function renderAnnotations(run: Run, place?: FilePlace): string {
  const causes = findCauses(run).filter(({ findings: [{ finding }] }) => !finding.known);
  const byKind = Map.groupBy(causes, ({ findings }) =>
    findings.some(({ finding: { level, known } }) => level === 'must' && !known) ? 'error' : 'warning',
  );
  const lines = (['error', 'warning'] as const).flatMap((kind) =>
    annotate(kind, byKind.get(kind) ?? [], run, place),
  );
  if (run.verdict === 'inconclusive')
    lines.push(command('error', place, headline(run), verdictSentence(run)));
  return lines.map((line) => `${line}\n`).join('');
}

/** The last line that GitHub shows counts the causes that it would leave out. */
function annotate(
  kind: Kind,
  causes: readonly FindingCause[],
  run: Run,
  place: FilePlace | undefined,
): string[] {
  const shown = causes.length > mostShown ? mostShown - 1 : mostShown;
  const lines = causes.slice(0, shown).map((cause) => {
    const [{ finding }] = cause.findings;
    const beside = besideFirst(cause);
    const text = `${describeCause(cause, run)}: ${sentence(finding)}${beside && `; ${beside}`}`;
    return command(kind, place, `${finding.level} ${finding.rule}`, text);
  });
  const rest = causes.length - lines.length;
  return rest > 0
    ? [...lines, command(kind, place, plural(rest, 'more cause'), 'The HTML report has all of them.')]
    : lines;
}

type Kind = 'error' | 'warning';

function command(kind: Kind, place: FilePlace | undefined, title: string, text: string): string {
  const properties = { ...(place && { file: place.file, line: String(place.line) }), title };
  const list = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${kind} ${list.join(',')}::${escapeData(clip(text, longestText))}`;
}

function escapeData(text: string): string {
  return makeVisible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/**
 * Returns the findings that are not in the baseline as GitLab's code quality report, at the target's line of the
 * config.
 */
export function renderCodeQuality(run: Run, { file, line }: FilePlace = unconfigured): string {
  const findings = run.findings.filter(({ known }) => !known);
  const issues = findings.map((finding) => ({
    description: clip(makeVisible(sentence(finding)), longestText),
    check_name: makeVisible(finding.rule),
    fingerprint: createHash('sha256').update(finding.fingerprint).digest('hex'),
    severity: finding.level === 'must' ? 'critical' : 'minor',
    location: { path: file, lines: { begin: line } },
  }));
  return `${JSON.stringify(issues, null, 2)}\n`;
}

function sentence(finding: Finding): string {
  return `${describeOperation(finding).request} at ${placeName(finding)}: ${describeMismatch(finding)}${firstCandle(finding)}`;
}
