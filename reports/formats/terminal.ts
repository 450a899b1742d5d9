import type { Finding, Run } from '@candleproof/law/judge/verdict';
import { drawCandles } from '../candles/text.ts';
import {
  besideFirst,
  causeSentence,
  type FindingCause,
  findCauses,
  headlineWithCause,
} from '../words/causes.ts';
import { makeVisible } from '../words/escape.ts';
import { baselineStatus, formatExtent, placeName } from '../words/finding-words.ts';
import { plural } from '../words/format.ts';
import { openingSentences } from '../words/headline.ts';
import {
  describeTransients,
  formatCounts,
  formatKeyQuota,
  formatRequests,
  groupUnjudged,
} from '../words/tally.ts';
import { createPaint, foldLine, type Paint, verdictSigns, verdictTones } from '../words/terminal-text.ts';

export type TerminalStyle = {
  readonly color: boolean;
  /** Columns to fold lines to, without cutting anything; Infinity if the output is no terminal. */
  readonly width: number;
  /** Causes to print, by default 5; the rest are counted. */
  readonly most?: number;
};

/** Renders a run in a few lines for a terminal; no text of the target can control it. */
export function renderTerminal(run: Run, { color, width, most = 5 }: TerminalStyle): string {
  const paint = createPaint(color);
  const causes = findCauses(run);
  const rest = causes.length - most;
  const lines = [
    ...head(run, causes, width, paint),
    ...causes.slice(0, most).flatMap((cause) => ['', ...causeLines(cause, run, width, paint)]),
    ...(rest > 0 ? ['', paint('quiet', `and ${plural(rest, 'more cause')} in the report`)] : []),
    '',
    ...counts(run, width, paint),
  ];
  return `${lines.join('\n')}\n`;
}

function head(run: Run, causes: readonly FindingCause[], width: number, paint: Paint): string[] {
  const { verdict, target } = run;
  const words = foldLine(`${verdictSigns[verdict]} ${headlineWithCause(run, causes)}`, width, 0);
  const reported = words.map((word) => paint(verdictTones[verdict], paint('strong', word)));
  const of = makeVisible(`${target.name}  ${target.baseUrl}`);
  const isBeside = words.length === 1 && (words[0] ?? '').length + 2 + of.length <= width;
  return [
    ...(isBeside ? [`${reported[0]}  ${of}`] : [...reported, ...foldLine(`  ${of}`, width)]),
    ...openingSentences(run).flatMap((sentence) => foldLine(`  ${makeVisible(sentence)}`, width, 0)),
  ];
}

/** Reports the first finding of a cause, and names the rest. */
function causeLines(cause: FindingCause, run: Run, width: number, paint: Paint): string[] {
  const [{ finding }] = cause.findings;
  const { rule, level, operation, intermittent, expected, actual } = finding;
  const notes = [formatExtent(finding), intermittent && 'intermittent', baselineStatus(finding, run)];
  const lines = (text: string, hang?: number): string[] => foldLine(makeVisible(text), width, hang);
  const beside = besideFirst(cause);
  const place = `  ${operation} ${placeName(finding)}, ${notes.filter(Boolean).join(', ')}`;
  return [
    ...lines(`${level} ${rule}`).map((line) => paint(level === 'must' ? 'bad' : 'doubtful', line)),
    ...lines(`  ${causeSentence(cause, run)}`, 0),
    ...lines(place).map((line) => paint('quiet', line)),
    ...lines(`  expected  ${expected}`, 10),
    ...lines(`  actual    ${actual}`, 10),
    ...(beside === '' ? [] : lines(`  ${beside}`, 2).map((line) => paint('quiet', line))),
  ];
}

function counts(run: Run, width: number, paint: Paint): string[] {
  const changed = run.observations.filter((observation) => observation.changed).length;
  const [transient, key] = [describeTransients(run), formatKeyQuota(run)];
  const level = (wanted: 'must' | 'should'): string[] => {
    const rules = run.rules.filter((rule) => rule.level === wanted);
    const open = [...groupUnjudged(rules)].flatMap(([reason, all]) => {
      const which = all.length > 1 ? `${all.length} ${wanted}s` : all[0]?.id;
      return foldLine(makeVisible(`          ${which} not judged: ${reason}`), width, 0);
    });
    return [
      ...foldLine(`${`${wanted}s`.padEnd(10)}${formatCounts(rules, wanted)}`, width, 10),
      ...open.map((line) => paint('quiet', line)),
    ];
  };
  return [
    ...level('must'),
    ...level('should'),
    ...(changed > 0 ? [paint('doubtful', `changed   ${plural(changed, 'observation')}`)] : []),
    ...foldLine(`requests  ${formatRequests(run)}`, width, 10),
    ...(key === undefined ? [] : [`key       ${key}`]),
    ...(transient === undefined ? [] : foldLine(makeVisible(`transient ${transient}`), width, 10)),
  ];
}

/** Most columns of a drawing. */
const widestDrawing = 100;

/** Draws the candles of a finding's first example for a terminal; empty if it has none. */
export function drawFinding({ examples: [first] }: Finding, { color, width }: TerminalStyle): string {
  return drawCandles(first?.candles ?? [], { color, width: Math.min(width, widestDrawing) });
}
