import { thousands } from '../../contract/reading/thousands.ts';
import type { Gated, GatedFile, GatedPair, GateRange, RangeCertainty } from '../../gate/gated.ts';
import { makeVisible } from '../words/escape.ts';
import { createPaint, foldLine, type Tone } from '../words/terminal-text.ts';
import { describeFile, describePair, describeVerdict, listRemarks } from './gate-text.ts';

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
