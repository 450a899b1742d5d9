import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { isLinearForAnyEngine } from './linear-pattern.ts';
import { SpecError } from './spec-error.ts';
import { readSpecFile } from './spec-file.ts';

type Mistake = { readonly pointer: string; readonly message: string };

/** Beyond the form of the file: what makes it unusable as a contract. */
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
 * Refuses a file that is no sound OpenAPI 3.1: throws a SpecError with file, line and what is wrong there. Slow,
 * since it brings two linters along: worth asking once for each content of the file.
 */
export async function lintSpec(file: string): Promise<void> {
  const { value, lineOf } = readSpecFile(file);
  const mistakes = [...(await ruleMistakes(file, value)), ...(await formMistakes(value))];
  const [first] = mistakes
    .map((each) => ({ ...each, line: lineOf(each.pointer) }))
    .sort((a, b) => a.line - b.line);
  if (!first) return;
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : '';
  throw new SpecError(`${file}:${first.line}: ${first.message.replace(/\s+/g, ' ')}${more}`);
}

/** The linter tries examples by patterns, with an engine that some of them would hold up for years. */
async function ruleMistakes(file: string, value: unknown): Promise<Mistake[]> {
  const config = await createConfig({ rules: lintRules });
  const source = JSON.stringify(value, harmless);
  const problems = await lintFromString({ source, absoluteRef: file, config });
  return problems.map(({ message, location: [place] }) => ({
    message,
    pointer: place && 'pointer' in place ? (place.pointer ?? '').replace(/^#/, '') : '',
  }));
}

function harmless(name: string, value: unknown): unknown {
  if (name === 'patternProperties') return undefined;
  return name === 'pattern' && typeof value === 'string' && !isLinearForAnyEngine(value) ? '' : value;
}

/** The official meta-schema of OpenAPI sees what rules pass over. */
async function formMistakes(value: unknown): Promise<Mistake[]> {
  const { valid, errors } = await new Validator().validate(value as Record<string, unknown>);
  if (valid) return [];
  const all = Array.isArray(errors) ? errors : [{ message: String(errors), instancePath: '' }];
  const deepest = all.toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
  return deepest
    ? [{ message: deepest.message ?? 'not of the form of OpenAPI 3.1', pointer: deepest.instancePath }]
    : [];
}
