import type { DrawnCandle, Finding, Run, Verdict } from '../contract/verdict.ts';
import { drawInText } from './candles/text.ts';
import { clip, visible } from './escape.ts';
import { inOrder } from './finding-order.ts';
import { headline, remarks } from './headline.ts';
import { type Paint, paintIn, type Tone } from './paint.ts';
import { standingOf } from './standing.ts';
import {
  countsInWords,
  keyInWords,
  leftOpen,
  plural,
  requestsInWords,
  ruleOf,
  seenInWords,
  transientInWords,
  verdictSentence,
} from './tally.ts';

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
  const words = wrapped(`${signs[verdict]} ${headline(run)}`, width);
  const told = words.map((each) => paint(verdictTones[verdict], paint('strong', each)));
  const room = width - (words.at(-1)?.length ?? 0) - 2;
  const of = visible(`${target.name}  ${target.baseUrl}`);
  const isBeside = words.length === 1 && room >= Math.min(of.length, 20);
  const sentences = [verdictSentence(run), ...remarks(run)].flatMap((each) =>
    wrapped(visible(each), width - 2),
  );
  return [
    ...(isBeside ? [`${told[0]}  ${clip(of, room)}`] : [...told, `  ${clip(of, width - 2)}`]),
    ...sentences.map((each) => `  ${each}`),
  ];
}

/** Lines of at most so many columns, broken between words. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').map((each) => clip(each, width))) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

function findingLines(finding: Finding, run: Run, width: number, paint: Paint): string[] {
  const { rule, level, operation, pointer, intermittent, expected, actual } = finding;
  const result = ruleOf(run, rule);
  const notes = [seenInWords(finding), intermittent && 'intermittent', standingOf(finding, run)];
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
  const [passed, key] = [transientInWords(run), keyInWords(run)];
  const open = [...leftOpen(run.rules)].flatMap(([reason, rules]) => {
    const [only, ...others] = rules.map(({ id }) => id);
    const which = others.length > 0 ? `${rules.length} rules` : only;
    return wrapped(clip(visible(`${which} not judged: ${reason}`), 2 * width), width - 10);
  });
  return [
    `musts     ${countsInWords(run.rules, 'must')}`,
    `shoulds   ${countsInWords(run.rules, 'should')}`,
    ...open.map((each) => paint('quiet', `          ${each}`)),
    ...(changed > 0 ? [paint('doubtful', `changed   ${plural(changed, 'observation')}`)] : []),
    ...wrapped(requestsInWords(run), width - 10).map(
      (each, at) => `${at === 0 ? 'requests' : '        '}  ${each}`,
    ),
    ...(key === undefined ? [] : [`key       ${key}`]),
    ...(passed === undefined ? [] : [paint('quiet', clip(visible(`          ${passed}`), width))]),
  ];
}
