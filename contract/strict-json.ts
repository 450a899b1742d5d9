/** What a body said, or why it is not exactly one JSON value. */
export type Parsed = { readonly value: unknown } | { readonly broken: string };

/**
 * Reads exactly one JSON value (RFC 8259). JSON.parse already refuses NaN, a byte order mark and anything after
 * the value; a repeated member name, which it forgives, is found by counting names in the text.
 */
export function parseStrictly(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { broken: explain(error, text) };
  }
  return countNames(text) === countMembers(value)
    ? { value }
    : { broken: 'a member name is repeated within its object' };
}

function explain(error: unknown, text: string): string {
  if (text.trim() === '') return 'the body is empty';
  if (text.startsWith('\uFEFF')) return 'the body begins with a byte order mark';
  const message = error instanceof Error ? error.message : String(error);
  return message.length > 160 ? `${message.slice(0, 160)}…` : message;
}

const backslash = 92;
const colon = 58;

/** In valid JSON a string is a member's name if and only if a colon follows it. */
function countNames(text: string): number {
  const escapes = text.includes('\\');
  let names = 0;
  let at = text.indexOf('"');
  while (at >= 0) {
    let after = closingQuote(text, at, escapes) + 1;
    while (text.charCodeAt(after) <= 32) after++;
    if (text.charCodeAt(after) === colon) names++;
    at = text.indexOf('"', after);
  }
  return names;
}

/** Index of the quote that closes the string opened at `start`: the first one that is not escaped. */
function closingQuote(text: string, start: number, escapes: boolean): number {
  let end = text.indexOf('"', start + 1);
  while (escapes && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - 1 - before) % 2 === 1;
}

/** Iterative: a hostile body may nest deeper than the stack. Counts by name: it makes no list of each object. */
function countMembers(value: unknown): number {
  const open: unknown[] = [];
  const visit = (each: unknown): void => {
    if (typeof each === 'object' && each !== null) open.push(each);
  };
  visit(value);
  let members = 0;
  while (open.length > 0) {
    const each = open.pop();
    if (Array.isArray(each)) {
      for (let index = 0; index < each.length; index++) visit(each[index]);
    } else {
      const record = each as Record<string, unknown>;
      for (const name in record) {
        members++;
        visit(record[name]);
      }
    }
  }
  return members;
}
