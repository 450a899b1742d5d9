/**
 * A line as lines of at most `width` columns, broken between words and nothing left out; all but the first stand `hang`
 * columns further in. A word that is wider than a line is broken too. A line that fits stays as it is.
 */
export function folded(line: string, width: number, hang = 2): string[] {
  if (widthOf(line) <= width) return [line];
  const margin = /^ */.exec(line)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(margin + hang, Math.floor(width / 2)));
  const words = line.match(/\s*\S+/g) ?? [];
  const lines: string[] = [];
  for (const word of words.flatMap((each) => pieces(each, width - indent.length))) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (widthOf(last) + widthOf(word) <= width) lines.splice(-1, 1, last + word);
    else lines.push(indent + word.trimStart());
  }
  return lines;
}

/** Text of several lines, each of them folded. */
export function foldedText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => folded(line, width))
    .join('\n');
}

function pieces(word: string, most: number): string[] {
  const characters = [...word];
  if (characters.length <= most) return [word];
  return Array.from({ length: Math.ceil(characters.length / most) }, (_, at) =>
    characters.slice(at * most, (at + 1) * most).join(''),
  );
}

function widthOf(text: string): number {
  return [...text].length;
}
