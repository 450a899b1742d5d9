import { stripVTControlCharacters, styleText } from 'node:util';
import { makeVisible, unicodeEscape } from './escape.ts';

/**
 * Folds a line into lines of at most `width` columns, between words and without omissions; all but the first are
 * indented by `hang` more columns. A word that is wider than a line stays whole, so that an address can be copied and
 * searched. Terminals of unknown width report 0 columns: nothing is folded for them.
 */
export function foldLine(line: string, width: number, hang = 2): string[] {
  if (width < 1 || countColumns(line) <= width) return [line];
  const margin = /^ */.exec(line)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(margin + hang, Math.floor(width / 2)));
  const words = line.match(/\s*\S+/g) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (countColumns(last) + countColumns(word) <= width) lines.splice(-1, 1, last + word);
    else lines.push(indent + word.trimStart());
  }
  return lines;
}

/** Columns of a line that any terminal shows and any log has room for. */
const maxColumns = 80;

/** Returns a writer of lines of at most 80 columns, or `width` if a terminal has fewer; nothing in a text can control it. */
export function lineWriter(width: number): (text: string) => string {
  const most = width > 0 ? Math.min(width, maxColumns) : maxColumns;
  return (text) => foldLine(makeVisible(text), most).join('\n');
}

/** Letters and signs of our texts and drawings, as ASCII of the same width where a drawing needs it. */
const plain: Readonly<Record<string, string>> = {
  ...{ '✓': 'v', '✗': 'x', '█': '#', '║': 'H', '│': '|', '▲': '^', '↑': '^', '↓': 'v', '·': '.', '•': '*' },
  ...{
    '…': '...',
    '–': '-',
    '—': '-',
    '→': '->',
    '×': 'x',
    '÷': '/',
    '−': '-',
    '±': '+-',
    '≤': '<=',
    '≥': '>=',
  },
  ...{ '“': '"', '”': '"', '‘': "'", '’': "'", '§': 'section ', µ: 'u', '⁻': '^-', '⁶': '6', '≠': '!=' },
};

/** Converts a text for a terminal or log that knows ASCII alone; a letter without a counterpart is shown by its code. */
export function toAscii(text: string): string {
  const spaced = text.replace(/[\u00a0\u2009\u202f]/g, ' ');
  return spaced.replace(/[^\0-\x7f]/gu, (letter) => plain[letter] ?? unicodeEscape(letter));
}

/** Folds every line of a text. */
export function foldText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => foldLine(line, width))
    .join('\n');
}

/** Pads cells to the width of their columns, two spaces apart; those of the column `right` are aligned right. */
export function alignColumns(rows: readonly (readonly string[])[], right = -1): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => countColumns(row[at] ?? ''))));
  const pad = (cell: string, at: number): string => {
    const room = ' '.repeat(Math.max(0, (widths[at] ?? 0) - countColumns(cell)));
    return at === right ? room + cell : cell + room;
  };
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}

function countColumns(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

export type Tone = 'bad' | 'good' | 'doubtful' | 'accent' | 'quiet' | 'strong';

/** Applies a tone to our text or to escaped text. */
export type Paint = (tone: Tone, text: string) => string;

/** The sign and the tone of a verdict on every terminal. */
export const verdictSigns = { conformant: '✓', nonconformant: '✗', inconclusive: '?' } as const;
export const verdictTones = { conformant: 'good', nonconformant: 'bad', inconclusive: 'doubtful' } as const;

const styles = {
  bad: 'red',
  good: 'green',
  doubtful: 'yellow',
  accent: 'cyan',
  quiet: 'dim',
  strong: 'bold',
} as const;

/** Returns a painter with the colors of a terminal, or one that leaves text unchanged. */
export function createPaint(color: boolean): Paint {
  return color ? (tone, text) => styleText(styles[tone], text, { validateStream: false }) : (_, text) => text;
}

/** Blocks of a sparkline, from the least value to the greatest. */
const heights = '▁▂▃▄▅▆▇█';

/** Draws values as one line of blocks of different heights, at most `width` of them, with the least and the greatest. */
export function sparkline(values: readonly number[], width: number): string {
  const finite = values.filter(Number.isFinite);
  const [least, most] = [Math.min(...finite.slice(0, mostDrawn)), Math.max(...finite.slice(0, mostDrawn))];
  const columns = Math.min(width, finite.length);
  const blocks = Array.from({ length: columns }, (_, at) => {
    const value = finite[Math.floor((at * finite.length) / columns)] ?? least;
    const share = most > least ? Math.min(1, Math.max(0, (value - least) / (most - least))) : 0.5;
    return heights[Math.min(heights.length - 1, Math.floor(share * heights.length))];
  });
  return columns === 0 ? '' : `${blocks.join('')}  ${least} to ${most}`;
}

/** Values whose least and greatest are searched; no answer has more. */
const mostDrawn = 100_000;
