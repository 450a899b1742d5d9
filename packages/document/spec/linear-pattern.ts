import { RE2JS } from 're2js';

/** Tests a text in time linear in its length. */
export type LinearPattern = { test(text: string): boolean };

/**
 * Patterns that JavaScript's engine also matches in linear time, twenty times as fast: each begins with `^`, and after
 * any character at most one of its parts can take the next.
 */
const linearForAnyEngine: ReadonlySet<string> = new Set([
  '^(0|[1-9][0-9]*)$',
  '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
  '^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$',
  '^(?![\\x00-\\x20]*[A-Za-z][A-Za-z0-9+.\\t\\n\\r-]*:)(?![\\x00-\\x20]*[/\\\\][\\t\\n\\r]*[/\\\\])',
]);

/** The most steps of a compiled pattern: each may cost time at every character. A hash of 64 digits takes 70. */
const mostSteps = 128;

/** Returns why a pattern is refused, and what to write instead. */
export class RefusedPattern extends Error {
  override readonly name = 'RefusedPattern';
}

/** Returns whether JavaScript's engine may run a pattern on any text. */
export function isLinearForAnyEngine(pattern: string): boolean {
  return linearForAnyEngine.has(pattern);
}

/** Compiles a pattern of a document. Throws RefusedPattern for one that cannot be matched in linear time. */
export function compilePattern(pattern: string): LinearPattern {
  try {
    const native = new RegExp(pattern, 'u');
    if (isLinearForAnyEngine(pattern)) return native;
  } catch {
    throw new RefusedPattern(`${shorten(pattern)} is no regular expression: mend it`);
  }
  const compiled = compileForRe2(pattern);
  if (compiled.programSize() <= mostSteps) return compiled;
  throw new RefusedPattern(`${shorten(pattern)} is too large: write it shorter, with smaller repetitions`);
}

function compileForRe2(pattern: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(translateBlanks(pattern)));
  } catch (error) {
    const why = (error as Error).message.replace(/^error parsing regexp: /, '');
    throw new RefusedPattern(
      `${shorten(pattern)} cannot be matched in linear time (${shorten(why)}): write it without lookaround, back-references and large repetitions`,
    );
  }
}

function shorten(pattern: string): string {
  return pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
}

/**
 * Translates `\s` and `.`, which in JavaScript include Unicode's blanks and line ends, and characters that are escaped as
 * two surrogates. Throws for a back-reference by name, which the engine would take for text.
 */
function translateBlanks(pattern: string): string {
  const blanks =
    '\\t\\n\\v\\f\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';
  let isInClass = false;
  return pattern.replace(/\\ud[89ab]..\\ud[c-f]..|\\[\s\S]|[[\].]/gi, (part) => {
    if (part.length > 2) return `\\x{${JSON.parse(`"${part}"`).codePointAt(0).toString(16)}}`;
    if (part === '\\k') throw new Error('\\k');
    if (part === '[') isInClass = true;
    if (part === ']') isInClass = false;
    if (part === '\\S' && isInClass) throw new Error('\\S in a class');
    if (part === '\\s') return isInClass ? blanks : `[${blanks}]`;
    if (part === '\\S') return `[^${blanks}]`;
    return part === '.' && !isInClass ? '[^\\n\\r\\x{2028}\\x{2029}]' : part;
  });
}
