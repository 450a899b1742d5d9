/** A part of a text. */
export type TextPart = { readonly from: number; readonly to: number };

/**
 * Finds the text of the value that a JSON pointer names, or of the row if it names a field; undefined if there is none.
 */
export function findRowText(text: string, pointer: string): TextPart | undefined {
  const names = pointer.split('/').slice(1);
  const row = names.findIndex((name) => /^\d+$/.test(name));
  let from = skipBlanks(text, 0);
  for (const name of row < 0 ? names : names.slice(0, row + 1)) {
    const at = text[from] === '[' ? findElement(text, from, Number(name)) : findMember(text, from, name);
    if (at === undefined) return undefined;
    from = at;
  }
  const to = skipValue(text, from);
  return names.length > 0 && to > from ? { from, to } : undefined;
}

function skipBlanks(text: string, at: number): number {
  const blank = /\s*/y;
  blank.lastIndex = at;
  blank.exec(text);
  return blank.lastIndex;
}

const token = /["[\]{}]|[^\s[\]{}",:]+/g;

/** Returns the end of the value that begins here. */
function skipValue(text: string, at: number): number {
  let depth = 0;
  token.lastIndex = at;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '"') token.lastIndex = skipString(text, found.index);
    else if (found[0] === '[' || found[0] === '{') depth++;
    else if (found[0] === ']' || found[0] === '}') depth--;
    if (depth <= 0) return depth < 0 ? found.index : token.lastIndex;
  }
  return text.length;
}

/**
 * Returns the end of the string that begins here; a loop, since a regular expression would store each of its
 * characters.
 */
function skipString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === '"') return end + 1;
  }
  return text.length;
}

function findElement(text: string, list: number, wanted: number): number | undefined {
  let at = skipBlanks(text, list + 1);
  for (let index = 0; text[at] !== ']' && at < text.length; index++) {
    if (index === wanted) return at;
    at = skipComma(text, skipValue(text, at));
  }
  return undefined;
}

function findMember(text: string, record: number, wanted: string): number | undefined {
  if (text[record] !== '{') return undefined;
  let at = skipBlanks(text, record + 1);
  while (text[at] === '"') {
    const end = skipValue(text, at);
    const value = skipBlanks(text, skipBlanks(text, end) + 1);
    if (text.slice(at + 1, end - 1) === wanted) return value;
    at = skipComma(text, skipValue(text, value));
  }
  return undefined;
}

/** Returns the start of what follows a value, behind its comma. */
export function skipComma(text: string, end: number): number {
  const at = skipBlanks(text, end);
  return text[at] === ',' ? skipBlanks(text, at + 1) : at;
}
