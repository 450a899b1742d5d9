import { readFileSync } from 'node:fs';
import { type BoundedYaml, parseYaml, UnreadableYaml } from '@candleproof/document/spec/bounded-yaml';
import { schemaCompiler } from '@candleproof/document/spec/parsers';
import { splitPointer } from '@candleproof/document/spec/place';
import { ReadingBudget } from '@candleproof/document/spec/reading-budget';
import { UsageError } from '@candleproof/files/usage-error';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Document } from 'yaml';

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
  const errorInLine = (line: number, message: string, more = 0): UsageError =>
    new UsageError(
      `${flag}: ${file}:${line}: ${message.replace(/\s+/g, ' ')}${more > 0 ? ` (and ${more} more)` : ''}`,
    );
  const { value: content, document, findLine } = parseForm(text, errorInLine);
  const refuse = (mistakes: readonly Mistake[]): void => {
    const [first] = mistakes
      .map(({ path, message }) => ({ line: findLine(path), message }))
      .toSorted((a, b) => a.line - b.line);
    if (first) throw errorInLine(first.line, first.message, mistakes.length - 1);
  };
  refuse(formMistakes(content, schemaFile));
  return { content, document, pathLine: findLine, refuse };
}

function parseForm(text: string, errorInLine: (line: number, message: string) => UsageError): BoundedYaml {
  try {
    return parseYaml(text, new ReadingBudget());
  } catch (error) {
    throw error instanceof UnreadableYaml ? errorInLine(error.line, error.message) : error;
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
  const errors = (accepts.errors ?? []).filter(({ keyword }) => keyword !== 'propertyNames');
  const missing = errors.filter(({ keyword }) => keyword === 'required');
  const misspelt = new Map(errors.flatMap((error) => pairMisspelt(error, missing)));
  const explained = new Set(misspelt.values());
  const atTop = Object.keys((accepts.schema as { properties?: object }).properties ?? {});
  return errors
    .filter((error) => !explained.has(error))
    .map((error) => toMistake(error, atTop, misspelt.get(error)));
}

/** Pairs an unknown key with the error of the key beside it that is missing and almost spelt like it. */
function pairMisspelt(error: ErrorObject, missing: readonly ErrorObject[]): [ErrorObject, ErrorObject][] {
  const name = error.params.additionalProperty;
  if (error.keyword !== 'additionalProperties' || typeof name !== 'string') return [];
  const meant = missing.find(
    ({ instancePath, params }) =>
      instancePath === error.instancePath && isMisspelt(name, String(params.missingProperty)),
  );
  return meant ? [[error, meant]] : [];
}

/** `base-url`, `base_url` and `baseurl` are meant as `baseUrl`, and `pool` as `pools`: at most one letter differs. */
function isMisspelt(name: string, meant: string): boolean {
  const [one, other] = [name, meant].map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''));
  if (one === undefined || other === undefined || Math.abs(one.length - other.length) > 1) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  const rest = short.slice(short.length === long.length ? same + 1 : same);
  return rest === long.slice(same + 1);
}

/** In the words of the schema: its descriptions say what belongs there. */
function toMistake(error: ErrorObject, atTop: readonly string[], meant?: ErrorObject): Mistake {
  const path = splitPointer(error.instancePath);
  const { description = '', properties = {}, required = [] } = error.parentSchema ?? {};
  if (error.keyword === 'required') {
    const name: string = error.params.missingProperty;
    const wanted = properties[name]?.description ?? name;
    return { path, message: `"${name}" is missing: add ${wanted}` };
  }
  if (error.keyword === 'additionalProperties') {
    const name: string = error.params.additionalProperty;
    const known = meant ? meant.params.missingProperty : Object.keys(properties).join(', ');
    const mend = meant ? 'write' : atTop.includes(name) ? 'move it to the top of the file, or use' : 'use';
    const message = `"${name}" is unknown here: ${mend} ${known}`;
    return { path: [...path, name], message };
  }
  if (error.propertyName !== undefined) {
    return { path: [...path, error.propertyName], message: `"${error.propertyName}" is not ${description}` };
  }
  if (path.length === 0)
    return { path, message: `the file does not hold ${required.join(' and ')}: write them` };
  const wanted = `what belongs here: ${description}${describeValue(error)}`;
  return { path, message: `"${formatName(path)}" does not hold ${wanted}` };
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
