import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { isLinearForAnyEngine } from './linear-pattern.ts';
import { readMember } from './place.ts';
import { readDocument } from './read-document.ts';
import { type DocumentFiles, SpecError } from './spec.ts';

type Mistake = { readonly pointer: string; readonly message: string; readonly isTaste?: boolean };

/** Errors are mistakes that make a document unusable as a contract; warnings are matters of taste. */
const lintRules = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-undefined-server-variable': 'warn',
  'path-declaration-must-exist': 'error',
  'path-parameters-defined': 'error',
  'operation-operationId': 'warn',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'no-identical-paths': 'error',
  'no-invalid-media-type-examples': 'warn',
  'no-invalid-schema-examples': 'warn',
  'no-invalid-parameter-examples': 'warn',
  'no-enum-type-mismatch': 'error',
  'no-schema-type-mismatch': 'error',
  'no-required-schema-properties-undefined': 'warn',
} as const;

/**
 * Returns the matters of taste in a document, one line each. It is slow, since it loads two linters: run it once for
 * each content. Throws a SpecError with file, line and mistake for a document that is not sound OpenAPI.
 */
export async function lintSpec(files: DocumentFiles): Promise<string[]> {
  const { value: whole, findPlace } = readDocument(files);
  const value = keepMeant(whole);
  const mistakes = (await findMistakes(files.file, value))
    .map((mistake) => ({ ...mistake, place: findPlace(mistake.pointer) }))
    .sort((one, other) => lineNumber(one.place) - lineNumber(other.place));
  const word = ({ place, message }: { place: string; message: string }): string =>
    `${place}: ${message.replace(/\s+/g, ' ')}`;
  const [first, ...others] = mistakes.filter(({ isTaste }) => !isTaste);
  if (first) throw new SpecError(word(first) + (others.length > 0 ? ` (and ${others.length} more)` : ''));
  return mistakes.map(word);
}

/** The linters recurse. */
async function findMistakes(file: string, value: unknown): Promise<Mistake[]> {
  try {
    return [...(await findRuleMistakes(file, value)), ...(await findFormMistakes(value))];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SpecError(`${file}: its references lead through too many others in turn: leave some out`);
  }
}

/** Returns a document with those of its operations that have a role: mistakes in others are none of ours. */
function keepMeant(document: unknown): unknown {
  const paths = Object.entries(readMember(document, 'paths') ?? {}).flatMap(
    ([path, { parameters, ...item }]) => {
      const methods = Object.entries(item).filter(
        ([name, tags]) => /^(get|post)$/.test(name) && readMember(tags, 'x-role') !== undefined,
      );
      return methods.length === 0
        ? []
        : [[path, { ...(parameters && { parameters }), ...Object.fromEntries(methods) }]];
    },
  );
  const isWhole = paths.length === 0 || JSON.stringify(document).includes('"#/paths/');
  return isWhole ? document : { ...(document as object), paths: Object.fromEntries(paths) };
}

/** Returns the line of a place `file:line`; 0 for a place that is named otherwise. */
function lineNumber(place: string): number {
  return Number(/:(\d+)$/.exec(place)?.[1] ?? 0);
}

/** Lints without the slow patterns: the linter tries examples with an engine that some could stall for years. */
async function findRuleMistakes(file: string, value: unknown): Promise<Mistake[]> {
  const config = await createConfig({ rules: lintRules });
  const source = JSON.stringify(value, dropSlowPatterns);
  const problems = await lintFromString({ source, absoluteRef: file, config });
  return problems.map(({ message, severity, location: [place] }) => ({
    message,
    // An unknown keyword constrains nothing.
    isTaste: severity === 'warn' || /^Property `(?!nullable`)[^`]+` is not expected here/.test(message),
    pointer: place && 'pointer' in place ? (place.pointer ?? '').replace(/^#/, '') : '',
  }));
}

function dropSlowPatterns(name: string, value: unknown): unknown {
  if (name === 'patternProperties') return undefined;
  return name === 'pattern' && typeof value === 'string' && !isLinearForAnyEngine(value) ? '' : value;
}

/** Compiles the meta-schema of a version of OpenAPI when a document of it comes, once for all documents. */
const validator = new Validator();

/** Validates against OpenAPI's official meta-schema, which finds mistakes that the rules miss. */
async function findFormMistakes(value: unknown): Promise<Mistake[]> {
  const { valid, errors } = await validator.validate(value as Record<string, unknown>);
  if (valid) return [];
  const all = Array.isArray(errors) ? errors : [{ message: String(errors), instancePath: '' }];
  const deepest = all.toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
  return deepest
    ? [{ message: deepest.message ?? 'not of the form of OpenAPI 3.1', pointer: deepest.instancePath }]
    : [];
}
