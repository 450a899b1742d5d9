import type { Document, LineCounter } from 'yaml';
import { YamlPlaces, yamlParser } from './parsers.ts';
import { escapePointer, Misplaced, splitPointer } from './place.ts';
import type { ReadingBudget } from './reading-budget.ts';

/** YAML or JSON within bounds, so that any code may walk through it. */
export type BoundedYaml = {
  /** Plain JSON. */
  readonly value: unknown;
  /** The same with its comments. */
  readonly document: Document;
  /** Returns the line of the node that a path leads to, or of the nearest node above it. */
  findLine(path: readonly string[]): number;
};

/** A text that is no YAML, or no YAML within the bounds. */
export class UnreadableYaml extends Error {
  override readonly name = 'UnreadableYaml';
  readonly line: number;
  /** The mistake in words that repeat nothing of the text. */
  readonly silent: string;

  constructor(line: number, message: string, silent = message) {
    super(message.split(/\s+/).join(' '));
    this.line = line;
    this.silent = silent;
  }
}

/** Known documents have at most 1,000 nodes; reading 60,000 takes a second. */
const mostNodes = 60_000;

/** Counts all texts and names together, with every alias. */
const mostCharacters = 4 << 20;

/** Every alias is searched for from the document's beginning. */
const mostAliases = 100;

/** Walks through a document recurse once per level. */
const mostLevels = 100;

const tooDeep = `its values are nested too deeply: at most ${mostLevels} levels are read`;

/** Parses a text. Throws UnreadableYaml. */
export function parseYaml(text: string, budget: ReadingBudget): BoundedYaml {
  try {
    return parse(text, budget);
  } catch (error) {
    if (error instanceof Misplaced) throw new UnreadableYaml(1, error.message);
    if (error instanceof RangeError) throw new UnreadableYaml(1, tooDeep);
    throw error;
  }
}

function parse(text: string, budget: ReadingBudget): BoundedYaml {
  const { LineCounter, parseDocument } = yamlParser();
  countParts(text, budget);
  const lines = new LineCounter();
  // The parser's search for repeated keys takes quadratic time.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const places = new YamlPlaces(document, lines);
  refuseMistakes(document, lines, places);
  const value = toPlainValue(document);
  const findLine = (path: readonly string[]): number => places.findLine(path);
  try {
    const { nodes, characters } = checkNodes(value);
    budget.take('values', nodes);
    // All characters of the text are counted already.
    budget.take('characters', Math.max(0, characters - text.length));
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    throw new UnreadableYaml(findLine(splitPointer(error.pointer)), error.message);
  }
  return { value: JSON.parse(JSON.stringify(value)), document, findLine };
}

const space = 0x20;

/** Counts separators and tokens before any node is made. */
function countParts(text: string, budget: ReadingBudget): void {
  budget.take('characters', text.length);
  const nodes = text.match(/\n|[,[{](?![\r\n])/g)?.length ?? 0;
  if (nodes > mostNodes)
    throw new UnreadableYaml(
      1,
      `it may hold ${nodes} values, more than ${mostNodes}: leave out what the market data do not need, and give a pattern instead of a long enum`,
    );
  let depth = 0;
  for (const token of new (yamlParser().Lexer)().lex(text)) {
    // Spaces and the lexer's own marks are left out.
    if (token.charCodeAt(0) > space) budget.take('tokens');
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    // Each would make an error, all of which the parser keeps.
    if (depth < 0)
      throw new UnreadableYaml(1, 'a list or map ends here that does not begin: leave the end out');
  }
}

/** Mistakes that people make, by the parser's codes; its own words speak of tokens and flow maps. */
const mistakes: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab indents this line: indent it with spaces',
  BAD_INDENT:
    'this line is not indented as it has to be: indent what stands in one map or list alike, and end each { and [ before it',
  MISSING_CHAR:
    'a character is missing: write name: value, with a space behind the colon, and end each quotation mark, { and [',
  UNEXPECTED_TOKEN:
    'this does not belong here: is a bracket, a comma or a quotation mark missing, or too many?',
  BAD_SCALAR_START: 'a value may not begin with this character: put it in quotation marks',
  BLOCK_AS_IMPLICIT_KEY:
    'a second "name: value" stands on this line: put the value in quotation marks, or begin a new line',
  MULTILINE_IMPLICIT_KEY: 'a line here has no colon: write name: value',
  BAD_DQ_ESCAPE:
    'a backslash within quotation marks stands for nothing: write two, or single quotation marks',
  BAD_ALIAS: 'a value may not begin with *: put it in quotation marks',
  MULTIPLE_DOCS: 'a second document begins here: leave out the line ---',
};

function refuseMistakes(document: Document, lines: LineCounter, places: YamlPlaces): void {
  const [error] = document.errors;
  const line = error ? lines.linePos(error.pos[0]).line : 1;
  if (error?.code === 'RESOURCE_EXHAUSTION') throw new UnreadableYaml(line, tooDeep);
  if (error)
    throw new UnreadableYaml(line, mistakes[error.code] ?? `this is no YAML (${error.code}): mend it`);
  const repeated = places.repeatedKey();
  if (repeated)
    throw new UnreadableYaml(
      repeated.line,
      `"${repeated.name}" stands here twice, first in line ${repeated.first}: leave one out, in a copy if the file is not yours`,
      'a key stands here twice: leave one out',
    );
}

function toPlainValue(document: Document): unknown {
  const { isAlias, visit } = yamlParser();
  let aliases = 0;
  visit(document, (_, node) => {
    if (isAlias(node)) aliases += 1;
  });
  if (aliases > mostAliases)
    throw new UnreadableYaml(1, `it has ${aliases} aliases, more than ${mostAliases}: write a $ref instead`);
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new UnreadableYaml(1, 'its aliases stand for too much, or for themselves: write a $ref instead');
  }
}

/**
 * Counts the nodes of a value and the characters of its texts and names. Throws Misplaced if it has too many parts or levels.
 * @param visitPart is called with the name, value and place of every member
 */
export function checkNodes(
  root: unknown,
  visitPart?: (name: string, value: unknown, place: string) => void,
): { readonly nodes: number; readonly characters: number } {
  let nodes = 0;
  let characters = 0;
  const check = (node: unknown, pointer: string, level: number): void => {
    characters += typeof node === 'string' ? node.length : 0;
    if (++nodes > mostNodes || characters > mostCharacters)
      throw new Misplaced(pointer, 'its aliases stand for too much: write a $ref instead');
    if (typeof node !== 'object' || node === null) return;
    if (level > mostLevels)
      throw new Misplaced(
        pointer,
        `this is nested deeper than ${mostLevels} levels, or holds itself by an alias: write a $ref instead`,
      );
    for (const [name, value] of Object.entries(node)) {
      const place = `${pointer}/${escapePointer(name)}`;
      characters += Array.isArray(node) ? 0 : name.length;
      visitPart?.(name, value, place);
      check(value, place, level + 1);
    }
  };
  check(root, '', 0);
  return { nodes, characters };
}
