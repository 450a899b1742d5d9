import { readIntervalWord } from './interval-words.ts';

/** A part of a path: the text between separators, and the step before it. */
export type PathToken = {
  readonly text: string;
  /** The separator before it: a slash, or a colon inside a step. */
  readonly separator: string;
  readonly before: string;
};

/** Splits a path where values may begin: at slashes, and at colons; a number and its unit in two steps are one part. */
export function readPathTokens(pathname: string, step: number): PathToken[] {
  const tokens: PathToken[] = [];
  for (const [at, part] of pathname.split('/').entries())
    for (const [index, text] of decode(part).split(':').entries()) {
      const last = tokens.at(-1);
      const joined = `${last?.text}/${text}`;
      if (last && index === 0 && last.separator === '/' && readIntervalWord(joined)?.seconds === step)
        tokens[tokens.length - 1] = { ...last, text: joined };
      else tokens.push({ text, separator: index > 0 ? ':' : at > 0 ? '/' : '', before: last?.text ?? '' });
    }
  return tokens;
}

/** Joins the parts of a path, with the values among them as `{name}`. */
export function writeTemplate(parts: readonly (readonly [separator: string, text: string])[]): string {
  return parts
    .map(([separator, text]) => `${separator}${/^\{\w+\}$/.test(text) ? text : encodeURI(text)}`)
    .join('');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
