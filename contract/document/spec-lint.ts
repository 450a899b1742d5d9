import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { isLinearForAnyEngine } from './linear-pattern.ts';
import { SpecError } from './spec.ts';
import { readSpecFile } from './spec-file.ts';

type Mistake = { readonly pointer: string; readonly message: string };

/** Rules beyond the form of the file, without which it is unusable as a contract. */
const lintRules = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-undefined-server-variable': 'error',
  'path-declaration-must-exist': 'error',
  'path-parameters-defined': 'error',
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'no-identical-paths': 'error',
  'security-defined': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-enum-type-mismatch': 'error',
  'no-schema-type-mismatch': 'error',
  'no-required-schema-properties-undefined': 'error',
} as const;

/**
 * Throws a SpecError with file, line and mistake for a file that is not sound OpenAPI 3.1. It is slow, since it loads two
 * linters: run it once for each content of the file.
 */
export async function lintSpec(file: string): Promise<void> {
  const { value, findLine } = readSpecFile(file);
  const mistakes = [...(await findRuleMistakes(file, value)), ...(await findFormMistakes(value))];
  const [first] = mistakes
    .map((each) => ({ ...each, line: findLine(each.pointer) }))
    .sort((a, b) => a.line - b.line);
  if (!first) return;
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : '';
  throw new SpecError(`${file}:${first.line}: ${first.message.replace(/\s+/g, ' ')}${more}`);
}

/** Lints without the slow patterns: the linter tries examples with an engine that some patterns could stall for years. */
async function findRuleMistakes(file: string, value: unknown): Promise<Mistake[]> {
  const config = await createConfig({ rules: lintRules });
  const source = JSON.stringify(value, dropSlowPatterns);
  const problems = await lintFromString({ source, absoluteRef: file, config });
  return problems.map(({ message, location: [place] }) => ({
    message,
    pointer: place && 'pointer' in place ? (place.pointer ?? '').replace(/^#/, '') : '',
  }));
}

function dropSlowPatterns(name: string, value: unknown): unknown {
  if (name === 'patternProperties') return undefined;
  return name === 'pattern' && typeof value === 'string' && !isLinearForAnyEngine(value) ? '' : value;
}

/** Validates against OpenAPI's official meta-schema, which finds mistakes that the rules miss. */
async function findFormMistakes(value: unknown): Promise<Mistake[]> {
  const { valid, errors } = await new Validator().validate(value as Record<string, unknown>);
  if (valid) return [];
  const all = Array.isArray(errors) ? errors : [{ message: String(errors), instancePath: '' }];
  const deepest = all.toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
  return deepest
    ? [{ message: deepest.message ?? 'not of the form of OpenAPI 3.1', pointer: deepest.instancePath }]
    : [];
}
