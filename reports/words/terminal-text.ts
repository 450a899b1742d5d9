/**
 * A line as lines of at most `width` columns, broken between words and nothing left out; all but the first stand `hang`
 * columns further in. A word that is wider than a line is broken too. A line that fits stays as it is.
 */
export function foldLine(line: string, width: number, hang = 2): string[] {
  if (countColumns(line) <= width) return [line];
  const margin = /^ */.exec(line)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(margin + hang, Math.floor(width / 2)));
  const words = line.match(/\s*\S+/g) ?? [];
  const lines: string[] = [];
  for (const word of words.flatMap((each) => splitWord(each, width - indent.length))) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (countColumns(last) + countColumns(word) <= width) lines.splice(-1, 1, last + word);
    else lines.push(indent + word.trimStart());
  }
  return lines;
}

/** Text of several lines, each of them folded. */
export function foldText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => foldLine(line, width))
    .join('\n');
}

function splitWord(word: string, most: number): string[] {
  const characters = [...word];
  if (characters.length <= most) return [word];
  return Array.from({ length: Math.ceil(characters.length / most) }, (_, at) =>
    characters.slice(at * most, (at + 1) * most).join(''),
  );
}

function countColumns(text: string): number {
  return [...text].length;
}
export type Tone = 'bad' | 'good' | 'doubtful' | 'accent' | 'quiet' | 'strong';
/** Puts a tone on text of our own or on text that is made visible already. */

export type Paint = (tone: Tone, text: string) => string;
const codes: Readonly<Record<Tone, number>> = {
  bad: 31,
  good: 32,
  doubtful: 33,
  accent: 36,
  quiet: 2,
  strong: 1,
};
/** Colours of a terminal, or the bare text where it wants none. */

export function createPaint(colour: boolean): Paint {
  return colour ? (tone, text) => `\u001b[${codes[tone]}m${text}\u001b[0m` : (_, text) => text;
}
