import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Document } from 'yaml';
import { schemaCompiler, YamlPlaces, yamlParser } from '../../contract/document/parsers.ts';
import { splitPointer } from '../../contract/document/place.ts';
import { UsageError } from '../../files/usage-error.ts';

/** Something wrong at one place of a file, in words that say the mend. */
export type Mistake = { readonly path: readonly string[]; readonly message: string };

/** Returns the mistake at a path; none if there is no message. */
export function toMistakes(path: readonly string[], message: string | false | undefined): Mistake[] {
  return message === undefined || message === false ? [] : [{ path, message }];
}

/** A file that people write by a schema; the document keeps its comments for code that writes it again. */
export type FormFile = {
  readonly content: unknown;
  readonly document: Document;
  /** Returns the line of the key that a path ends in, or of the nearest node above it; 1 if there is none. */
  pathLine(path: readonly string[]): number;
  /** Throws the UsageError that names the first of some mistakes with its line. */
  refuse(mistakes: readonly Mistake[]): void;
};

/**
 * Reads YAML or JSON by a JSON Schema, whose descriptions say what belongs in each place. Throws a UsageError with
 * `flag`, file, line and remedy for a file that violates it.
 */
export function readForm(text: string, file: string, flag: string, schemaFile: string): FormFile {
  const { LineCounter, parseDocument } = yamlParser();
  const lines = new LineCounter();
  // Its search for repeated keys takes minutes over a file of a megabyte.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const errorInLine = (line: number, message: string, more = 0): UsageError =>
    new UsageError(
      `${flag}: ${file}:${line}: ${message.replace(/\s+/g, ' ')}${more > 0 ? ` (and ${more} more)` : ''}`,
    );
  const [error] = document.errors;
  if (error) throw errorInLine(lines.linePos(error.pos[0]).line, error.message);
  const places = new YamlPlaces(document, lines);
  const repeated = places.repeatedKey();
  if (repeated) throw errorInLine(repeated.line, `"${repeated.name}" stands here twice: leave one out`);
  const findLine = (path: readonly string[]): number => places.findLine(path);
  const refuse = (mistakes: readonly Mistake[]): void => {
    const [first] = mistakes
      .map(({ path, message }) => ({ line: findLine(path), message }))
      .toSorted((a, b) => a.line - b.line);
    if (first) throw errorInLine(first.line, first.message, mistakes.length - 1);
  };
  const content = readContent(document, (message) => errorInLine(1, message));
  refuse(formMistakes(content, schemaFile));
  return { content, document, pathLine: findLine, refuse };
}

function readContent(document: Document, refusal: (message: string) => UsageError): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw refusal((error as Error).message);
  }
}

/** By the file of the schema: compiling takes longer than everything else that is done to a form. */
const compiled = new Map<string, ValidateFunction>();

function compileForm(schemaFile: string): ValidateFunction {
  const known = compiled.get(schemaFile);
  if (known) return known;
  const ajv = new (schemaCompiler())({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    formats: { date: isDay },
  });
  const accepts = ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8')));
  compiled.set(schemaFile, accepts);
  return accepts;
}

function formMistakes(content: unknown, schemaFile: string): Mistake[] {
  const accepts = compileForm(schemaFile);
  if (accepts(content)) return [];
  return (accepts.errors ?? []).filter(({ keyword }) => keyword !== 'propertyNames').map(toMistake);
}

/** In the words of the schema: its descriptions say what belongs there. */
function toMistake(error: ErrorObject): Mistake {
  const path = splitPointer(error.instancePath);
  const { description = '', properties = {} } = error.parentSchema ?? {};
  if (error.keyword === 'required') {
    const name: string = error.params.missingProperty;
    const wanted = properties[name]?.description ?? name;
    return { path, message: `"${name}" is missing: add ${wanted}` };
  }
  if (error.keyword === 'additionalProperties') {
    const name: string = error.params.additionalProperty;
    const message = `"${name}" is unknown here: use ${Object.keys(properties).join(', ')}`;
    return { path: [...path, name], message };
  }
  if (error.propertyName !== undefined) {
    return { path: [...path, error.propertyName], message: `"${error.propertyName}" is not ${description}` };
  }
  const place = path.length > 0 ? `"${formatName(path)}" does not hold` : 'the file does not hold';
  return { path, message: `${place} what belongs here: ${description}${describeValue(error)}` };
}

/** An entry of a list by the list's name. */
function formatName(path: readonly string[]): string {
  const [list = '', name = ''] = path.slice(-2);
  return path.length > 1 && /^\d+$/.test(name) ? `${list}[${name}]` : (path.at(-1) ?? '');
}

/** The value as it was read, unless it is long, no single value, or marked as one that may be secret. */
function describeValue({ data, parentSchema }: ErrorObject): string {
  const isSecret = parentSchema?.writeOnly === true;
  const text = isSecret || typeof data === 'object' ? undefined : JSON.stringify(data);
  return text === undefined || text.length > 60 ? '' : `; not ${text}`;
}

/** A day that the calendar has: 30 February is none. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
