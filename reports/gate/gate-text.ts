import { stamp } from '../../contract/document/interval.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import type { Gated, GatedFile, GatedPair, GateRange, RangeCertainty } from '../../gate/gated.ts';
import { makeVisible } from '../words/escape.ts';
import { plural } from '../words/tally.ts';
import { createPaint, foldLine, type Tone } from '../words/terminal-text.ts';

/** `Damaged: 3 ranges`, `Sound`, with what else is worth a word. */
export function describeVerdict({ verdict, counts, undecided, remarks, pairs }: Gated): string {
  const others = [
    ...(counts.suspicion > 0 ? [`${thousands(counts.suspicion)} suspected`] : []),
    ...(counts.observed > 0 ? [plural(counts.observed, 'note')] : []),
  ].join(', ');
  if (verdict === 'unjudged') {
    const more = undecided.length - 1;
    return `Not judged: ${undecided[0]}${more > 0 ? `; and ${plural(more, 'more reason')}` : ''}`;
  }
  if (verdict === 'damaged') return `Damaged: ${plural(counts.breach, 'range')}${others && `; ${others}`}`;
  const isWhole = remarks.length === 0 && pairs.every(({ notJudged }) => notJudged === undefined);
  return `Sound${isWhole ? '' : ' as far as it was judged'}${others && `; ${others}`}`;
}

/** Returns what was not judged and is not in the sentence of the verdict. */
export function listRemarks({ verdict, undecided, remarks }: Gated): string[] {
  return [...(verdict === 'unjudged' ? undecided.slice(1) : undecided), ...remarks];
}

/** A file in one line: rows, interval, what they reach over, and what is missing between them. */
export function describeFile({ file, rows, blank, interval, from, to, gaps }: GatedFile): string {
  if (from === undefined || to === undefined) return `${file}: ${plural(rows, 'row')}, none with a price`;
  const missing =
    gaps.intervals === 0
      ? []
      : [`${plural(gaps.intervals, 'interval')} without a row in ${plural(gaps.ranges, 'gap')}`];
  return [
    `${file}: ${plural(rows, 'row')}${interval === undefined ? '' : ` of ${interval}`}`,
    `${stamp(from)} to ${stamp(to)}`,
    ...(blank > 0 ? [`${thousands(blank)} without any price`] : []),
    ...missing,
  ].join(', ');
}

/** Describes how a longer file compares with a shorter one. */
export function describePair({ longer, shorter, families, notJudged, rules }: GatedPair): string {
  const names = `${longer} against ${shorter}`;
  if (notJudged !== undefined) return `${names}: not judged: ${notJudged}`;
  const most = Math.max(0, ...rules.map(({ broken }) => broken));
  return `${names}: ${plural(families, 'candle')} with all parts, ${most === 0 ? 'all agree' : `${thousands(most)} or more disagree`}`;
}

/** Ranges that a terminal lists of each certainty; all that are kept are in the files. */
const mostListed: Readonly<Record<RangeCertainty, number>> = { breach: 20, suspicion: 5, observed: 3 };
const tones: Readonly<Record<RangeCertainty, Tone>> = {
  breach: 'bad',
  suspicion: 'doubtful',
  observed: 'quiet',
};
const verdictTones = { sound: 'good', damaged: 'bad', unjudged: 'doubtful' } as const;
/** Renders the result as lines of text, none longer than `width`; no text of a file can steer the terminal. */
export function renderGateTerminal(
  gated: Gated,
  { colour, width }: { colour: boolean; width: number },
): string {
  const paint = createPaint(colour);
  const line = (text: string): string => foldLine(makeVisible(text), width).join('\n');
  const marks = { sound: '✓', damaged: '✗', unjudged: '?' };
  return [
    paint(verdictTones[gated.verdict], line(`${marks[gated.verdict]} ${describeVerdict(gated)}`)),
    ...gated.files.map((each: GatedFile) => line(describeFile(each))),
    ...gated.pairs.map((each: GatedPair) => line(describePair(each))),
    ...listRemarks(gated).map((each) => paint('doubtful', line(each))),
    ...(['breach', 'suspicion', 'observed'] as const).flatMap((certainty) =>
      listed(gated, certainty).map((text) => paint(tones[certainty], line(text))),
    ),
    '',
  ].join('\n');
}

function listed({ ranges, counts }: Gated, certainty: RangeCertainty): string[] {
  const shown = ranges.filter((each) => each.certainty === certainty).slice(0, mostListed[certainty]);
  const rest = counts[certainty] - shown.length;
  return [
    ...shown.map(rangeInWords),
    ...(rest > 0 ? [`and ${thousands(rest)} more ${moreOf[certainty]}`] : []),
  ];
}

const moreOf: Readonly<Record<RangeCertainty, string>> = {
  breach: 'damaged',
  suspicion: 'suspected',
  observed: 'notes',
};

function rangeInWords({ file, line, fromIso, toIso, kind, rules, detail }: GateRange): string {
  return [
    `  ${file}:${line}`,
    `${fromIso} to ${toIso}`,
    kind,
    ...(rules.length > 0 ? [rules.join(' ')] : []),
    detail,
  ].join('  ');
}
