import type { DrawnCandle, Finding, Run, Verdict } from '../contract/verdict.ts';
import { drawInText } from './candles/text.ts';
import { clip, visible } from './escape.ts';
import { inOrder } from './finding-order.ts';
import { type Paint, paintIn, type Tone } from './paint.ts';
import { standingOf } from './standing.ts';
import {
  countsInWords,
  leftOpen,
  plural,
  requestsInWords,
  ruleOf,
  times,
  transientInWords,
  verdictSentence,
} from './tally.ts';
import { verdictWords } from './wording.ts';

export type TerminalStyle = {
  readonly colour: boolean;
  /** Columns; no line of a finding is longer. */
  readonly width: number;
  /** Findings to tell, 5 where left out; the rest are counted. */
  readonly most?: number;
};

const verdictTones: Readonly<Record<Verdict, Tone>> = {
  conformant: 'good',
  nonconformant: 'bad',
  inconclusive: 'doubtful',
};

const signs: Readonly<Record<Verdict, string>> = { conformant: '✓', nonconformant: '✗', inconclusive: '?' };

/** A run in few lines for a terminal; nothing of a target's can steer it. */
export function renderTerminal(run: Run, { colour, width, most = 5 }: TerminalStyle): string {
  const paint = paintIn(colour);
  const findings = inOrder(run);
  const rest = findings.length - most;
  const lines = [
    ...head(run, width, paint),
    ...findings.slice(0, most).flatMap((each) => ['', ...findingLines(each, run, width, paint)]),
    ...(rest > 0 ? ['', paint('quiet', `and ${plural(rest, 'more finding')} in the report`)] : []),
    '',
    ...counts(run, width, paint),
  ];
  return `${lines.join('\n')}\n`;
}

/** Candles as text, to be shown beneath a finding: `height` rows of prices, at most `width` columns. */
export function drawCandles(
  candles: readonly DrawnCandle[],
  {
    colour,
    height = 8,
    width = 100,
  }: { readonly colour: boolean; readonly height?: number; readonly width?: number },
): string {
  if (candles.length === 0) return '';
  return drawInText(candles, { height: Math.max(2, height), width, paint: paintIn(colour) });
}

function head(run: Run, width: number, paint: Paint): string[] {
  const { verdict, target } = run;
  const word = `${signs[verdict]} ${verdictWords[verdict]}`;
  const of = clip(visible(`${target.name}  ${target.baseUrl}`), Math.max(20, width - word.length - 2));
  return [
    `${paint(verdictTones[verdict], paint('strong', word))}  ${of}`,
    clip(visible(`  ${verdictSentence(run)}`), width),
  ];
}

function findingLines(finding: Finding, run: Run, width: number, paint: Paint): string[] {
  const { rule, level, operation, pointer, count, intermittent, expected, actual } = finding;
  const result = ruleOf(run, rule);
  const notes = [times(count), intermittent && 'intermittent', standingOf(finding, run)];
  const line = (text: string): string => clip(visible(`  ${text}`), width);
  const title = clip(visible(`${level} ${rule}`), width);
  return [
    paint(level === 'must' ? 'bad' : 'doubtful', title),
    line(result?.statement ?? ''),
    paint('quiet', line(`${operation} ${pointer || 'whole body'}, ${notes.filter(Boolean).join(', ')}`)),
    line(`expected  ${expected}`),
    line(`actual    ${actual}`),
  ];
}

function counts(run: Run, width: number, paint: Paint): string[] {
  const changed = run.observations.filter((each) => each.changed).length;
  const passed = transientInWords(run);
  const open = [...leftOpen(run.rules)].map(([reason, rules]) =>
    clip(visible(`          ${rules.length} not judged: ${reason}`), width),
  );
  return [
    `musts     ${countsInWords(run.rules, 'must')}`,
    `shoulds   ${countsInWords(run.rules, 'should')}`,
    ...open.map((each) => paint('quiet', each)),
    ...(changed > 0 ? [paint('doubtful', `changed   ${plural(changed, 'observation')}`)] : []),
    `requests  ${requestsInWords(run.requests)}`,
    ...(passed === undefined ? [] : [paint('quiet', clip(visible(`          ${passed}`), width))]),
  ];
}
